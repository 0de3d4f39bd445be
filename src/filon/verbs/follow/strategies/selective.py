"""A crawler that asks for a type first and then chooses: Algorithm 2 of LDCOC, less the model.

A document's type comes from a HEAD, unless its extension tells enough. What is easy is decided
by rule; for what is hard a model is asked, and learns from what is downloaded.
"""

from typing import ClassVar

from filon.core import Find, Reason, Response, Step, Summary
from filon.core.forms import each, keyed, made, pairs, parts
from filon.core.state import Fields, Stateful, stored, version
from filon.learn.bloom import Bloom
from filon.page.url import split
from filon.verbs.follow.strategies.brief import CANDIDATE, Brief, Candidate
from filon.verbs.follow.strategies.crawl import Crawl
from filon.verbs.follow.strategies.easy import by_name, by_type
from filon.verbs.follow.strategies.rounds import Rounds

#: Answers to a HEAD that say nothing of the GET.
_NO_HEAD = (405, 501)


class Selective(Stateful):
    """Chooses document by document; what is turned down is never seen again, as in the paper."""

    STATE: ClassVar[Fields] = (
        version(1),
        stored("crawl", key="ground"),
        "rounds",
        stored("types", pairs(made(lambda: Bloom(1 << 18)))),
        "turned_down",
        stored("_ready", each(parts(CANDIDATE))),
        stored("_asked", keyed(CANDIDATE, lambda candidate: candidate.document)),
        stored("_flying", keyed(parts(CANDIDATE), lambda chosen: chosen[0].document)),
    )

    def __init__(self, brief: Brief, *, with_siblings: bool = False) -> None:
        self.brief = brief
        self.crawl = Crawl(brief, with_siblings=with_siblings)
        self.rounds = Rounds()
        self.types: dict[str, Bloom] = {}
        self.turned_down = 0
        #: Chosen, with content type, importance, and why; "" where no model was asked.
        self._ready: list[tuple[Candidate, str, float, str]] = []
        self._asked: dict[str, Candidate] = {}
        self._flying: dict[str, tuple[Candidate, str, float, str]] = {}
        for candidate in self.crawl.seeds():
            self.rounds.push(candidate)

    def choose(self, candidate: Candidate, mime: str) -> tuple[float, str]:
        """Return the importance of a hard document, 0 where it is turned down, and why."""
        raise NotImplementedError

    def learn(self, candidate: Candidate, mime: str, label: bool, importance: float) -> None:
        """Learn whether a hard document that was downloaded has RDF."""

    def propose(self) -> Step | None:
        """Return a download that was chosen, else the next question for a type."""
        busy = self.crawl.busy([*self._asked, *self._flying])
        while (chosen := self._next(busy)) is None:
            candidate = self.rounds.pop(busy)
            if candidate is None:
                return None
            kind = by_name(candidate.document)
            mime = self.type_of(candidate.document)
            if kind == "rdf" or "seed" in candidate.roles:
                self._ready.append((candidate, mime, 1.0, ""))
            elif kind == "other":
                self.turned_down += 1
            elif mime:
                self._decide(candidate, mime)
            else:
                self._asked[candidate.document] = candidate
                return self._step(candidate, "head", "its type is not known yet", "HEAD")
        candidate, _, _, why = chosen
        self._flying[candidate.document] = chosen
        return self._step(candidate, "link", why or "its name or type says that it is RDF")

    def _next(self, busy: frozenset[str]) -> tuple[Candidate, str, float, str] | None:
        """Take the first download that was chosen and may go now."""
        for number, chosen in enumerate(self._ready):
            if not busy or split(chosen[0].document).netloc not in busy:
                return self._ready.pop(number)
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Decide on a type, or learn from a download."""
        if step.request.method == "HEAD":
            self._typed(self._asked.pop(step.request.url), response)
            return []
        candidate, mime, importance, why = self._flying.pop(step.request.url)
        reading = self.crawl.read(step, response, candidate)
        if why and reading.kind in ("graph", "nothing"):
            self.learn(candidate, mime, reading.kind == "graph", importance)
        self._queue(reading.goal, reading.candidates)
        return reading.finds

    def _typed(self, candidate: Candidate, response: Response) -> None:
        if response.redirects:
            step = self._step(candidate, "head", "", "HEAD")
            self._queue(self.crawl.read(step, response, candidate).goal, [])
        elif response.ok or response.status in _NO_HEAD:
            mime = response.mime if response.ok else ""
            if mime:
                self.types.setdefault(mime, Bloom(1 << 18)).add(candidate.document)
            self._decide(candidate, mime)

    def _decide(self, candidate: Candidate, mime: str) -> None:
        kind = by_type(mime)
        if kind == "rdf":
            self._ready.append((candidate, mime, 1.0, ""))
            return
        importance, why = (0.0, "") if kind == "other" else self.choose(candidate, mime)
        if importance:
            self._ready.append((candidate, mime, importance, why))
        else:
            self.turned_down += 1

    def type_of(self, url: str) -> str:
        """Return the content type that was seen for a URL, "" where none was."""
        return next((mime for mime, known in self.types.items() if url in known), "")

    def _queue(self, goal: Candidate | None, candidates: list[Candidate]) -> None:
        if goal:
            self.rounds.push(goal)
        for candidate in candidates:
            self.rounds.push(candidate)

    def _step(self, candidate: Candidate, kind: str, text: str, method: str = "GET") -> Step:
        kind = "start" if kind == "link" and not candidate.referrer else kind
        request = self.crawl.request(candidate, method=method)
        return Step(request=request, reason=Reason(kind=kind, text=text), parent=candidate.referrer)

    @property
    def triples(self) -> int:
        """How many triples were read so far."""
        return self.crawl.triples

    def summary(self) -> Summary:
        """Say what came back."""
        return {
            **self.crawl.summary(),
            "skipped": {"unlikely": self.turned_down},
            "frontier": len(self.rounds),
        }
