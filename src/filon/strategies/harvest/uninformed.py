"""Crawlers that learn nothing: breadth-first, depth-first, random (section 4.3).

They differ in one line: which link leaves the frontier next.
"""

from collections import deque
from collections.abc import Iterable, MutableSequence
from typing import ClassVar

from filon.core import Find, Reason, Response, State, Step, Summary
from filon.learn import Dice
from filon.strategies.harvest.brief import Brief
from filon.strategies.harvest.territory import Territory

#: A link in the frontier: its URL and the page it stands on.
Place = tuple[str, str]


class Uninformed:
    """All links of the site in one frontier; a redirect is followed at once."""

    why: ClassVar[str]

    def __init__(self, brief: Brief) -> None:
        self.territory = Territory(brief)
        self.frontier = self.hold([])
        self._redirects: list[Place] = []
        self._dice = Dice(brief.seed)
        self.territory.claim(brief.start)
        self.frontier.append((brief.start, ""))

    def hold(self, places: Iterable[Place]) -> MutableSequence[Place]:
        """Return a frontier that is fast where `pop` takes from it."""
        return list(places)

    def pop(self) -> Place:
        """Take the next link out of the frontier."""
        raise NotImplementedError

    def propose(self) -> Step | None:
        """Return a redirect's goal, else the next link."""
        if self._redirects:
            url, parent = self._redirects.pop()
            reason = Reason(kind="redirect", text="the page before it redirects here")
            return self.territory.step(url, parent, reason)
        if not self.frontier:
            return None
        url, parent = self.pop()
        if not parent:
            return self.territory.step(url, "", Reason(kind="start", text="it is the start page"))
        return self.territory.step(url, parent, Reason(kind="link", text=self.why))

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Queue the links of a page; return a target."""
        answer = self.territory.read(response)
        if answer.kind == "target":
            return [self.territory.find(step, response, answer)]
        if answer.goal:
            self._redirects.append((answer.goal, response.url))
        elif answer.kind == "html":
            links = self.territory.new_links(response)
            self.frontier.extend((link.url, response.url) for link in links)
        return []

    def state(self) -> State:
        """Return plain data."""
        return {
            "version": 1,
            "territory": self.territory.state(),
            "frontier": [list(place) for place in self.frontier],
            "redirects": [list(place) for place in self._redirects],
            "dice": self._dice.state(),
        }

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self.territory.restore(state["territory"])
        self.frontier = self.hold((url, parent) for url, parent in state["frontier"])
        self._redirects = [(url, parent) for url, parent in state["redirects"]]
        self._dice.restore(state["dice"])

    def summary(self) -> Summary:
        """Say what is left."""
        return {**self.territory.summary(), "arms": [], "left": len(self.frontier)}


class BreadthFirst(Uninformed):
    """The link found first leaves first."""

    why = "it was the link found longest ago"

    def pop(self) -> Place:
        """First in, first out."""
        place = self.frontier[0]
        del self.frontier[0]
        return place

    def hold(self, places: Iterable[Place]) -> MutableSequence[Place]:
        """Return a queue."""
        return deque(places)


class DepthFirst(Uninformed):
    """The link found last leaves first."""

    why = "it was the link found last"

    def pop(self) -> Place:
        """Last in, first out."""
        return self.frontier.pop()


class Random(Uninformed):
    """Any link, all equally likely."""

    why = "it was drawn at random from all known links"

    def pop(self) -> Place:
        """Swap a random link with the last and take that."""
        place = self._dice.below(len(self.frontier))
        self.frontier[place], self.frontier[-1] = self.frontier[-1], self.frontier[place]
        return self.frontier.pop()
