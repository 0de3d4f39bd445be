"""Every document in the order in which it was mentioned, domain by domain in turn."""

from filon.core import Find, Reason, Response, Step, Summary
from filon.core.forms import keyed
from filon.core.state import stored, version
from filon.verbs.follow.strategies.brief import CANDIDATE, Brief, Candidate
from filon.verbs.follow.strategies.crawl import Crawl, Crawler
from filon.verbs.follow.strategies.rounds import Rounds


class BreadthFirst(Crawler):
    """`bfs`, the baseline of LDCOC: asks for all. uses_shortcuts: dumps, endpoints, catalogues too.

    Requests for 120 documents with RDF of the bundled small web:

    >>> from filon.demo.sites import to_documents
    >>> to_documents(BreadthFirst, 120)
    392

    Reference: section 6.2, "BFS"; the order is that of Algorithm 2 without its classifier.
    """

    STATE = (
        version(1),
        stored("crawl", key="ground"),
        "rounds",
        stored("_flying", keyed(CANDIDATE, lambda candidate: candidate.document)),
        "_turned_down",
    )

    uses_shortcuts = True

    def __init__(self, brief: Brief) -> None:
        self.crawl = Crawl(brief, with_shortcuts=self.uses_shortcuts)
        self.rounds = Rounds()
        self._flying: dict[str, Candidate] = {}
        self._turned_down = 0
        for candidate in self.crawl.seeds():
            self.rounds.push(candidate)

    def takes(self, candidate: Candidate) -> bool:
        """Say whether a document is worth a request."""
        return True

    def propose(self) -> Step | None:
        """Return a task, else the next document of the domain whose turn it is."""
        busy = self.crawl.busy(self._flying)
        if task := self.crawl.propose_task(busy):
            return task
        while candidate := self.rounds.pop(busy):
            if not self.takes(candidate):
                self._turned_down += 1
            elif not self.crawl.covered(candidate):
                self._flying[candidate.document] = candidate
                return self.step(candidate)
        return None

    def step(self, candidate: Candidate) -> Step:
        """Return the step to a document."""
        kind = "start" if not candidate.referrer else "redirect" if candidate.hops else "link"
        reason = Reason(kind=kind, text="it is the next one that was mentioned")
        return Step(request=self.crawl.request(candidate), reason=reason, parent=candidate.referrer)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Queue what a graph mentions."""
        reading = self.crawl.observe_task(step, response)
        if reading is None:
            candidate = self._flying.pop(step.request.url)
            reading = self.crawl.read(step, response, candidate)
        if reading.goal:
            self.rounds.push(reading.goal)
        for new in reading.candidates:
            self.rounds.push(new)
        return reading.finds

    def summary(self) -> Summary:
        """Say what came back."""
        summary = self.crawl.summary()
        if self._turned_down:
            summary["skipped"] = summary.get("skipped", {}) | {"unlikely": self._turned_down}
        return {**summary, "frontier": len(self.rounds)}
