"""Crawlers that learn nothing: breadth-first, depth-first, random (section 4.3).

They differ in one line: which link leaves the frontier next. A redirect is followed at once, to
a page that waits in the frontier too: it leaves out of turn, and its turn is passed over.
"""

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, MutableSequence
from typing import Any, ClassVar

from filon.core import Find, Reason, Response, Step, Summary
from filon.core.forms import RANDOM, TUPLE, each
from filon.core.state import Stateful, stored, version
from filon.learn.arrays import NUMBERS
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState

#: A link in the frontier: its URL and the page it stands on.
Place = tuple[str, str]


class Uninformed(Stateful, ABC):
    """All links of the site in one frontier; a redirect is followed at once."""

    STATE = (
        version(1),
        stored("site", key="territory"),
        stored("frontier", each(TUPLE)),
        stored("_waiting", NUMBERS),
        stored("_redirects", each(TUPLE)),
        stored("_random", RANDOM, key="dice"),
    )

    why: ClassVar[str]

    def __init__(self, brief: Brief) -> None:
        self.site = SiteState(brief)
        self.frontier = self.hold([])
        self._waiting: set[int] = set()  # the links in the frontier whose turn is to come
        self._redirects: list[Place] = []  # asked for at once; starts too, where they are several
        self._random = random.Random(brief.seed)
        first, *more = self.site.starts()
        if more:
            self._redirects = [(url, "") for url in reversed((first, *more))]
        else:
            self._wait((first, ""))

    def hold(self, places: Iterable[Place]) -> MutableSequence[Place]:
        """Return a frontier that is fast where `pop` takes from it."""
        return list(places)

    @abstractmethod
    def pop(self) -> Place:
        """Take the next link out of the frontier."""

    def propose(self) -> Step | None:
        """Return a redirect's goal, else the next link."""
        if self._redirects:
            url, parent = self._redirects.pop()
            return self._step(url, parent, "redirect", "the page before it redirects here")
        while self.frontier:
            url, parent = self.pop()
            if self._leaves(url):
                return self._step(url, parent, "link", self.why)
        return None

    def _step(self, url: str, parent: str, kind: str, text: str) -> Step:
        if not parent:
            kind, text = "start", "it is the start page"
        return self.site.step(url, parent, Reason(kind=kind, text=text))

    def _wait(self, place: Place) -> None:
        self.frontier.append(place)
        self._waiting.add(self.site.number(place[0]))

    def _leaves(self, url: str) -> bool:
        """Let a link go; False if it does not wait, or no longer."""
        number = self.site.number(url)
        waits = number in self._waiting
        self._waiting.discard(number)
        return waits

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Queue the links of a page; return a target."""
        answer = self.site.read(response)
        if answer.kind == "target":
            return [self.site.find(step, response, answer)]
        if answer.goal or (answer.known and self._leaves(answer.known)):
            self._redirects.append((answer.goal or answer.known, response.url))
        elif answer.kind == "html":
            for link in self.site.new_links(response):
                self._wait((link.url, response.url))
        return []

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state with what waits; in version 0.1.0 each link waited for its turn."""
        if "waiting" in state:
            return state
        return state | {"waiting": [self.site.number(url) for url, _ in state["frontier"]]}

    def summary(self) -> Summary:
        """Say what is left."""
        return {**self.site.summary(), "arms": [], "left": len(self._waiting)}


class BreadthFirst(Uninformed):
    """`bfs`: the link found first leaves first.

    Requests for 100 data files of the bundled small portal:

    >>> from filon.demo.sites import to_files
    >>> to_files(BreadthFirst, 100)
    659

    Reference: A. Gauquier, I. Manolescu and P. Senellart, "Efficient Crawling for Scalable Web Data
    Acquisition", EDBT 2026 (arXiv:2602.11874), section 4.3, "BFS".
    """

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
    """`dfs`: the link found last leaves first.

    Requests for 100 data files of the bundled small portal:

    >>> from filon.demo.sites import to_files
    >>> to_files(DepthFirst, 100)
    536

    Reference: as `BreadthFirst`, "DFS".
    """

    why = "it was the link found last"

    def pop(self) -> Place:
        """Last in, first out."""
        return self.frontier.pop()


class Random(Uninformed):
    """`random`: any link, all equally likely.

    Requests for 100 data files of the bundled small portal:

    >>> from filon.demo.sites import to_files
    >>> to_files(Random, 100)
    579

    Reference: as `BreadthFirst`, "RANDOM".
    """

    why = "it was drawn at random from all known links"

    def pop(self) -> Place:
        """Swap a random link with the last and take that."""
        place = self._random.randrange(len(self.frontier))
        self.frontier[place], self.frontier[-1] = self.frontier[-1], self.frontier[place]
        return self.frontier.pop()
