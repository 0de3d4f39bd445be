"""`lode`: the kind of URI that is worth most is asked next.

A model guesses the worth of a kind from what is seen of its URIs; the kind's own answers soon
outweigh it. Nothing is turned down for good: what is worth little comes later. A GET does it all;
where a type is no use, it is cut after the headers.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from filon.core import Find, Reason, Request, Response, Step, Summary
from filon.core.abilities import Reread
from filon.core.forms import Form, each, keyed, parts
from filon.core.state import group, stored, version
from filon.learn.ftrl import Ftrl
from filon.page.url import split
from filon.verbs.follow.strategies.brief import CANDIDATE, Brief, Candidate
from filon.verbs.follow.strategies.crawl import Crawl, Crawler
from filon.verbs.follow.strategies.easy import by_name
from filon.verbs.follow.strategies.kinds import WEIGHTS, Kinds, features, kind

#: Answers without a find before an end is thought of, and the part of all answers on top: who has
#: found much over a long time has reason to wait longer.
PATIENCE, SHARE = 200, 0.05
#: So many of the best candidates that wait are looked at; so many finds are to be expected of them.
AHEAD, LEAST = 200, 1.0


class EarlyStop:
    """Counts answers, and those since the last find."""

    def __init__(self) -> None:
        self.answers = 0
        self.last_find = 0

    def note(self, *, found: bool) -> None:
        """Take note of an answer."""
        self.answers += 1
        if found:
            self.last_find = self.answers

    def is_over(self, expected_finds: Callable[[int], float]) -> bool:
        """Say whether to stop; expected_finds: returns those of so many of the best candidates.

        >>> rule = EarlyStop()
        >>> for _ in range(300): rule.note(found=False)
        >>> rule.is_over(lambda ahead: 0.001 * ahead), rule.is_over(lambda ahead: 1.5)
        (True, False)
        """
        if self.answers - self.last_find < PATIENCE + SHARE * self.answers:
            return False
        return expected_finds(AHEAD) < LEAST


#: The parts that can be switched off, and the model's numbers.
DEFAULTS: dict[str, float | str] = {"model": "on", "gain": "on", "turns": "on"}
#: What is expected of kinds is asked of the model again after so many answers, at first after
#: fewer: after a tenth of those that there are.
REFRESH, FIRST_REFRESH = 150, 10
#: Domains whose best is nearly the best of all take turns.
NEAR = 0.8
#: What a name that says RDF, or an alternate that a page names, adds to the logarithm of the odds
#: before the model knows better, and a name that says it is something else.
LIKELY, UNLIKELY = 1.0, -3.0
#: The chance that is told of what the user starts with.
SEED = 0.9
#: A kind with fewer answers is guessed anew.
HARDLY = 3


_QUEUES: Form = each(each(CANDIDATE, deque))


def _offset(candidate: Candidate) -> float:
    """Return what a name says by itself, as a margin."""
    likely = by_name(candidate.document)
    if likely == "rdf" or "alternate" in candidate.roles:
        return LIKELY
    return UNLIKELY if likely == "other" else 0.0


class Lode(Crawler):
    """`lode`: kinds of URIs, a model of them, and the one that is worth most.

    Requests for 120 documents with RDF of the bundled small web:

    >>> from filon.demo.sites import to_documents
    >>> to_documents(Lode, 120)
    189

    Reference: docs/follow.md; the model is FTRL-proximal, as in LDCOC (Algorithm 1), and a kind is
    worth what a Gittins index of all that waits in it says (J. C. Gittins, JRSS B 41(2), 1979).
    """

    STATE = (
        version(2),
        stored("crawl", key="ground"),
        "kinds",
        stored("kinds.queues", _QUEUES),
        "_model",
        stored("_redirects", each(parts(CANDIDATE))),
        stored("_flying", keyed(parts(CANDIDATE), lambda waiting: waiting[0].document)),
        "_served",
        "_answers",
        "_refresh_at",
        group("drought", "_early_stop.answers", "_early_stop.last_find"),
    )

    def __init__(self, brief: Brief) -> None:
        chosen = DEFAULTS | dict(brief.options)
        self._has_model, self._has_gain = chosen["model"] == "on", chosen["gain"] == "on"
        self._has_turns = chosen["turns"] == "on"
        self.crawl = Crawl(brief, with_shortcuts=True)
        self.kinds = Kinds()
        self._model = Ftrl(WEIGHTS, alpha=0.15, beta=1.0, l1=0.02, l2=0.5)
        self._redirects: list[tuple[Candidate, str]] = []
        self._flying: dict[str, tuple[Candidate, str]] = {}
        self._served: dict[str, int] = {}  # by host: when it had its last turn
        self._answers, self._refresh_at = 0, FIRST_REFRESH
        self._early_stop = EarlyStop()
        self._stops, self._stopped = brief.stop == "auto", ""
        for candidate in self.crawl.seeds():
            self.kinds.add(kind(candidate.document), candidate, SEED)

    def propose(self) -> Step | None:
        """Return a task, a redirect's goal, or the next candidate of the best kind."""
        busy = self.crawl.busy(self._flying)
        if task := self.crawl.propose_task(busy):
            return task
        if (number := self._redirect(busy)) is not None:
            candidate, name = self._redirects.pop(number)
            return self._step(
                candidate,
                name,
                Reason(kind="redirect", arm=name, text="a document says to look here"),
            )
        if self._stops and self._is_over():
            return None
        while True:
            values = self.kinds.values(busy)
            if not len(values) or values.max() < 0:
                return None
            number = self._turn(values) if self._has_turns else int(values.argmax())
            candidate = self.kinds.take(number)
            if not self.crawl.covered(candidate):
                break
        name = self.kinds.names[number]
        self._served[name.partition("/")[0]] = self._answers
        return self._step(candidate, name, self._reason(candidate, number, float(values[number])))

    def _redirect(self, busy: frozenset[str]) -> int | None:
        """Return which redirect's goal may be asked for first."""
        goals = enumerate(goal.document for goal, _ in self._redirects)
        return next((n for n, url in goals if not busy or split(url).netloc not in busy), None)

    def _is_over(self) -> bool:
        """Say whether to stop; what is on its way is waited for, as it may open more."""
        if self._early_stop.is_over(self.kinds.expected_finds):
            self._stopped = "" if self._flying else "early-stop"
            return True
        self._stopped = ""
        return False

    def _turn(self, values: Any) -> int:
        """Of the kinds that are nearly the best, return that whose host has waited longest."""
        near = np.flatnonzero(values >= NEAR * values.max())
        served, names = self._served, self.kinds.names
        waited = [
            (served.get(names[one].partition("/")[0], -1), -values[one], one) for one in near[:200]
        ]
        return int(min(waited)[2])

    def _step(self, candidate: Candidate, name: str, reason: Reason) -> Step:
        self._flying[candidate.document] = candidate, name
        return Step(request=self.crawl.request(candidate), reason=reason, parent=candidate.referrer)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Learn from an answer, and let what it mentions wait."""
        if task := self.crawl.observe_task(step, response):
            self._early_stop.note(found=bool(task.finds))
            self._wait(task.candidates)
            return task.finds
        candidate, name = self._flying.pop(step.request.url)
        reading = self.crawl.read(step, response, candidate)
        self._answers += 1
        self._early_stop.note(found=bool(reading.finds))
        self.kinds.spend(name, response.wire_bytes)
        if reading.goal:
            self._redirects.append((reading.goal, name))
            return []
        hit = reading.kind == "graph" or any("alternate" in new.roles for new in reading.candidates)
        gain = np.log1p(len(reading.document.triples)) if self._has_gain and hit else float(hit)
        self.kinds.note(name, hit=hit, gain=float(gain))
        if self._has_model:
            # Of kinds, not of candidates: a large one tells no more than a small one.
            tries, _ = self.kinds.record(self.kinds.numbers[name])
            told = _offset(candidate)
            self._model.learn(features(candidate), hit, weight=1.0 / tries, offset=told)
        self._wait(reading.candidates)
        if self._answers >= self._refresh_at:
            self._refresh()
        return reading.finds

    # Looking again.

    def asking(self, url: str) -> Request:
        """Return the request for a document that is known."""
        return self.crawl.request(Candidate(uri=url, document=url))

    def set_aside(self) -> None:
        """Forget what waits: from now on only what is new is followed, and to its last URI."""
        self.kinds.clear()
        self._redirects.clear()
        self._flying.clear()
        self._stops, self._stopped = False, ""

    def reread(self, step: Step, response: Response) -> Reread:
        """Let what a document is the first to mention wait; return the document."""
        url = step.request.url
        candidate = Candidate(uri=url, document=url, referrer=step.parent)
        reading = self.crawl.read(step, response, candidate)
        self._wait(reading.candidates)
        expected = sum(self.kinds.chance(self._number(new)) for new in reading.candidates)
        return Reread(reading.finds, len(reading.candidates), expected)

    def _number(self, candidate: Candidate) -> int:
        return self.kinds.numbers[kind(candidate.document)]

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state with kinds by form, too: the first version had none."""
        if state["version"] > 1:
            return state
        older, kinds = state["kinds"], Kinds()
        kinds.recall(list(older["names"]), np.asarray(older["told"]))
        for queue, row in zip(state["queues"], older["told"], strict=True):
            for candidate in each(CANDIDATE, deque).read(queue):
                kinds.add(kind(candidate.document), candidate, float(row[Kinds.GUESS]))
        new = {"kinds": kinds.state(), "queues": _QUEUES.write(kinds.queues)}
        return {**state, **new, "refresh_at": state["answers"]}

    def _wait(self, candidates: list[Candidate]) -> None:
        for candidate in candidates:
            name = kind(candidate.document)
            number = self.kinds.numbers.get(name)
            known = number is not None and self.kinds.record(number)[0] >= HARDLY
            self.kinds.add(name, candidate, None if known else self._guess(candidate))

    def _guess(self, candidate: Candidate) -> float:
        """Return the chance that a candidate has RDF, before anything of its kind was seen."""
        known = features(candidate) if self._has_model else ()
        return self._model.predict(known, offset=_offset(candidate))

    def _refresh(self) -> None:
        """Ask the model again about kinds that are hardly known."""
        self._refresh_at = self._answers + min(REFRESH, max(FIRST_REFRESH, self._answers // 10))
        self.kinds.calibrate()
        for number, queue in enumerate(self.kinds.queues):
            if queue and self.kinds.record(number)[0] < HARDLY:
                self.kinds.guess(number, self._guess(queue[0]))

    def _reason(self, candidate: Candidate, number: int, value: float) -> Reason:
        tries, hits = self.kinds.record(number)
        chance = self.kinds.chance(number)
        if "seed" in candidate.roles:
            text = "it is where you said to start"
        elif tries:
            text = f"{hits} of {tries} like it had RDF"
        else:
            text = f"none like it was tried, and it looks like RDF with a chance of {chance:.2f}"
        return Reason(
            kind="link" if candidate.referrer else "start",
            arm=self.kinds.names[number],
            score=value,
            expected=chance,
            text=text,
            outlook=f"{self.kinds.waiting} wait",
        )

    def summary(self) -> Summary:
        """Say what each kind brought."""
        arms = []
        for number, name in enumerate(self.kinds.names):
            tries, hits = self.kinds.record(number)
            if tries:
                arm = {"name": name, "pulls": tries, "mean": hits / tries, "finds": hits}
                arms.append({**arm, "left": len(self.kinds.queues[number])})
        arms.sort(key=lambda arm: (-int(str(arm["finds"])), str(arm["name"])))
        return {
            **self.crawl.summary(),
            "arms": arms[:200],
            "frontier": self.kinds.waiting,
            "stopped": self._stopped,
        }
