"""The arms: every operator with every service that serves it.

A bandit chooses the arm (learn/discounted.py); within it the question that promises most is asked.
A further page of results promises as much as the page before brought, against what first pages of
this arm bring. A service that fails puts its own arms to sleep, and no others.
"""

from collections.abc import Callable, Sequence
from typing import Any

from filon.core import Response
from filon.core.service import Hit
from filon.learn.discounted import Discounted
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.scout.errand import SEARCH_OF, Errand, arm_named
from filon.verbs.discover.strategies.scout.errands import Errands
from filon.verbs.discover.strategies.scout.questions import Arm, Question

#: Answers after which services that were down are tried again.
WAKE_AFTER = 25

#: Lets results wait, and says what they promise.
Take = Callable[[Errand, Sequence[Hit]], float]


class Asking:
    """All arms that ask."""

    def __init__(self, brief: Brief, errands: Errands, bandit: Discounted, dollar: float) -> None:
        self._limits = brief.limits
        self._errands, self._bandit, self._dollar = errands, bandit, dollar
        self._arms: dict[str, Arm] = {}
        for operator, search in SEARCH_OF.items():
            for searcher in brief.searchers:
                if search in searcher.operators:
                    name = arm_named(operator, searcher.name)
                    self._arms[name] = Arm(operator, searcher)
                    bandit.add(name)
        self._offered: dict[str, None] = {}
        self._numbers = 0
        self._answers = 0

    def _awake(self, arm: Arm) -> bool:
        return self._errands.searching.answers(arm.searcher.name)

    def lacks(self, operator: str) -> bool:
        """Say whether an arm of an operator that could ask has no question that is new."""
        return any(
            arm.operator == operator and self._awake(arm) and not arm.has_new
            for arm in self._arms.values()
        )

    def offer(self, operator: str, query: str, promise: float, parent: str = "") -> None:
        """Give all arms of an operator a question, each once."""
        name = f"{operator} {query}"
        if name in self._offered or not query:
            return
        self._offered[name] = None
        for arm in self._arms.values():
            if arm.operator == operator and arm.searcher.takes(SEARCH_OF[operator], query):
                self._numbers += 1
                arm.put(Question(promise, self._numbers, query, parent))

    def best(self) -> tuple[str, float]:
        """Return the arm to use next and what it is expected to bring; "" if none can ask."""
        awake = [name for name, arm in self._arms.items() if arm.questions and self._awake(arm)]
        return self._bandit.choose(awake)

    def ask(self, name: str, score: float) -> bool:
        """Put the best question of an arm in line; False: it was asked before."""
        arm = self._arms[name]
        question = arm.take()
        errand = Errand(
            kind="search",
            operator=arm.operator,
            searcher=arm.searcher.name,
            query=question.query,
            cursor=question.cursor,
            parent=question.parent,
            got=question.got,
            depth=question.empty,
            score=score,
        )
        if not self._errands.search(errand):
            return False
        self._bandit.pull(name, 1 + self._dollar * arm.searcher.cost)
        return True

    def hear(self, errand: Errand, response: Response, take: Take) -> None:
        """Take the results of a search; the page after them waits, valued by what they promise."""
        self._answers += 1
        if self._answers % WAKE_AFTER == 0:
            self._errands.searching.wake()
        name, search = arm_named(errand.operator, errand.searcher), SEARCH_OF[errand.operator]
        answer = self._errands.searching.hear(errand.searcher, search, response)
        if response.sent != "yes":  # nothing was spent
            self._bandit.spend(name, -1.0)
        if answer.problem:
            return
        most = self._limits.keyword if search == "seeds" else self._limits.results(search)
        hits = answer.hits[: most - errand.got]
        self._errands.searching.note(errand.searcher, "results", len(hits))
        gain = take(errand, hits)
        got = errand.got + len(hits)
        if not errand.cursor and hits:
            self._arms[name].first(gain)
        if answer.more and got < most:
            self._further(self._arms[name], errand, answer.more, got, gain if hits else -1.0)

    def _further(self, arm: Arm, errand: Errand, cursor: str, got: int, gain: float) -> None:
        """Keep the next page of results. gain: below 0 where there were none to judge by."""
        promise = arm.further(gain) if gain >= 0 else 1.0  # some lists begin with a number only
        empty = errand.depth + 1 if gain < 0 else 0
        self._numbers += 1
        arm.put(Question(promise, self._numbers, errand.query, errand.parent, cursor, got, empty))

    def told(self) -> list[dict[str, Any]]:
        """Return the arms for people: what each brought, and how many questions are left."""
        left = {name: len(arm.questions) for name, arm in self._arms.items()}
        return [{**told, "left": left.get(told["arm"], 0)} for told in self._bandit.told()]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: a state may tell of arms that are no more.
        return {
            "arms": {name: arm.state() for name, arm in self._arms.items()},
            "offered": list(self._offered),
            "counts": [self._numbers, self._answers],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there; a service that is new since has nothing to ask yet."""
        for name, told in state["arms"].items():
            if name in self._arms:
                self._arms[name].restore(told)
        self._offered = dict.fromkeys(state["offered"])
        self._numbers, self._answers = state["counts"]
