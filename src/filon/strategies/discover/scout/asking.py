"""The arms: every operator with every service that serves it, and the questions that each has left.

A bandit chooses the arm (learn/discounted.py); within it the question that promises most is asked.
A further page of results promises as much as the page before brought, against what first pages of
this arm bring.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from filon.core import Response
from filon.learn.discounted import Discounted
from filon.strategies.discover.brief import Brief, Hit, Searcher
from filon.strategies.discover.scout.errands import SEARCH_OF, Errand, Errands, arm_named

#: A page of results is worth less than the one before it: the best come first.
FURTHER = 0.8
#: Answers after which services that were down are tried again.
WAKE_AFTER = 25
#: Questions that an arm keeps; the least promising are dropped.
MOST_QUESTIONS = 2_000


@dataclass(slots=True)
class Arm:
    """An operator and who serves it.

    questions: as (promise, number, query, cursor, parent, results so far).
    mean, firsts: what the first pages of results promised on average, and how many there were.
    """

    operator: str
    searcher: Searcher
    questions: list[tuple[float, int, str, str, str, int]] = field(default_factory=list)
    mean: float = 0.0
    firsts: int = 0


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
        self._offered: set[str] = set()
        self._numbers = 0
        self._answers = 0

    def serves(self, operator: str) -> bool:
        """Say whether somebody can be asked this."""
        return any(
            arm.operator == operator and self._errands.searching.answers(arm.searcher.name)
            for arm in self._arms.values()
        )

    def lacks(self, operator: str) -> bool:
        """Say whether an arm of an operator that could ask has no question that is new."""
        return any(
            arm.operator == operator
            and self._errands.searching.answers(arm.searcher.name)
            and not any(not question[3] for question in arm.questions)
            for arm in self._arms.values()
        )

    def offer(self, operator: str, query: str, promise: float, parent: str = "") -> None:
        """Give all arms of an operator a question, each once."""
        if f"{operator} {query}" in self._offered or not query:
            return
        self._offered.add(f"{operator} {query}")
        for arm in self._arms.values():
            if arm.operator == operator and arm.searcher.takes(SEARCH_OF[operator], query):
                self._put(arm, promise, query, "", parent, 0)

    def _put(
        self, arm: Arm, promise: float, query: str, cursor: str, parent: str, got: int
    ) -> None:
        self._numbers += 1
        arm.questions.append((promise, self._numbers, query, cursor, parent, got))
        if len(arm.questions) > MOST_QUESTIONS:
            arm.questions.sort(key=lambda one: (-one[0], one[1]))
            del arm.questions[MOST_QUESTIONS // 2 :]

    def best(self) -> tuple[str, float]:
        """Return the arm to use next and what it is expected to bring; "" if none can ask."""
        awake = [
            name
            for name, arm in self._arms.items()
            if arm.questions and self._errands.searching.answers(arm.searcher.name)
        ]
        return self._bandit.choose(awake)

    def ask(self, name: str, score: float) -> bool:
        """Put the best question of an arm in line; False: it was asked before."""
        arm = self._arms[name]
        at = max(
            range(len(arm.questions)), key=lambda n: (arm.questions[n][0], -arm.questions[n][1])
        )
        _, _, query, cursor, parent, got = arm.questions.pop(at)
        errand = Errand(
            kind="search",
            operator=arm.operator,
            searcher=arm.searcher.name,
            query=query,
            cursor=cursor,
            parent=parent,
            got=got,
            score=score,
        )
        if not self._errands.search(errand):
            return False
        self._bandit.pull(name, 1 + self._dollar * arm.searcher.cost)
        return True

    def hear(self, errand: Errand, response: Response) -> list[Hit]:
        """Return the results of a search that are taken; what follows them waits."""
        self._answers += 1
        if self._answers % WAKE_AFTER == 0:
            self._errands.searching.wake()
        search = SEARCH_OF[errand.operator]
        answer = self._errands.searching.hear(errand.searcher, search, response)
        if response.cached:  # it was at hand, and nothing was spent
            self._bandit.spend(arm_named(errand.operator, errand.searcher), -1.0)
        if answer.problem:
            return []
        most = self._limits.keyword if search == "seeds" else self._limits.results(search)
        room = most - errand.got
        taken = list(answer.hits)[:room]
        self._errands.searching.note(errand.searcher, "results", len(taken))
        got = errand.got + len(taken)
        if answer.more and got < most:
            arm = self._arms[arm_named(errand.operator, errand.searcher)]
            self._put(arm, 1.0, errand.query, answer.more, errand.parent, got)
        return taken

    def worth(self, errand: Errand, gain: float, empty: bool) -> None:
        """Say what a page of results promises; the page after it is valued by that."""
        arm = self._arms[arm_named(errand.operator, errand.searcher)]
        if not errand.cursor and not empty:
            arm.firsts += 1
            arm.mean += (gain - arm.mean) / arm.firsts
        if not arm.questions or empty:  # a list whose first answer only counts goes on
            return
        promise, number, query, cursor, parent, got = arm.questions[-1]
        if cursor and query == errand.query:
            promise = min(1.5, FURTHER * gain / max(0.05, arm.mean))
            arm.questions[-1] = (promise, number, query, cursor, parent, got)

    def told(self) -> list[dict[str, Any]]:
        """Return the arms for people: what each brought, and how many questions are left."""
        left = {name: len(arm.questions) for name, arm in self._arms.items()}
        return [{**told, "left": left.get(told["arm"], 0)} for told in self._bandit.told()]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "arms": {
                name: [[list(one) for one in arm.questions], arm.mean, arm.firsts]
                for name, arm in self._arms.items()
            },
            "offered": sorted(self._offered),
            "counts": [self._numbers, self._answers],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there; a service that is new since has nothing to ask yet."""
        for name, (questions, mean, firsts) in state["arms"].items():
            if name in self._arms:
                told = [(p, n, q, c, s, g) for p, n, q, c, s, g in questions]
                old = self._arms[name]
                self._arms[name] = replace(old, questions=told, mean=mean, firsts=firsts)
        self._offered = set(state["offered"])
        self._numbers, self._answers = state["counts"]
