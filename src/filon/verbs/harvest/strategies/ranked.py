"""Breadth-first for a while, then the link with the highest score: FOCUSED and TP-OFF share this.

A link is scored once, when it enters the frontier or when the first phase ends.
"""

import heapq
from abc import ABC, abstractmethod
from collections import deque
from typing import ClassVar, NamedTuple

from filon.core import Find, Reason, Response, Step, Summary
from filon.core.forms import SAME, each, keyed, parts, row
from filon.core.state import Fields, Stateful, stored, version
from filon.page.links import Link
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import Answer, SiteState


class Place(NamedTuple):
    """A link in the frontier."""

    url: str
    parent: str
    depth: int
    text: str = ""
    group: int = -1


class Ranked(Stateful, ABC):
    """A queue, then a heap. Subclasses say what is learnt and how a link is scored."""

    STATE: ClassVar[Fields] = (
        version(1),
        stored("site", key="territory"),
        "requests",
        stored("_queue", each(row(Place))),
        stored("_heap", each(parts(SAME, SAME, row(Place)))),
        "_pushed",
        stored("_redirects", each(row(Place))),
        stored("_flying", keyed(row(Place), lambda place: place.url)),
    )

    warm_up: ClassVar[int]

    def __init__(self, brief: Brief) -> None:
        self.site = SiteState(brief)
        self.requests = 0
        self._queue: deque[Place] = deque(Place(url, "", 0) for url in self.site.starts())
        self._heap: list[tuple[float, int, Place]] = []
        self._pushed = 0  # breaks ties: the older link first
        self._redirects: list[Place] = []
        self._flying: dict[str, Place] = {}

    @abstractmethod
    def place(self, link: Link, parent: Place) -> Place:
        """Return what must be known of a link to score it."""

    @abstractmethod
    def learn(self, place: Place, response: Response, answer: Answer) -> None:
        """Learn from an answer."""

    @abstractmethod
    def score(self, place: Place) -> float:
        """Return how good a link looks."""

    @abstractmethod
    def reason(self, place: Place, score: float) -> Reason:
        """Say why the link with the highest score is taken."""

    def propose(self) -> Step | None:
        """Return a redirect's goal, else the next link of the phase."""
        if self._redirects:
            place = self._redirects.pop()
            return self._step(place, Reason(kind="redirect", text="the address before leads here"))
        if self._queue:
            place = self._queue.popleft()
            text = "links are taken in order until there is something to learn from"
            return self._step(place, Reason(kind="link" if place.parent else "start", text=text))
        if self._heap:
            negative, _, place = heapq.heappop(self._heap)
            return self._step(place, self.reason(place, -negative))
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Learn, and put the new links of a page where they belong."""
        place = self._flying.pop(step.request.url)
        self.requests += 1
        answer = self.site.read(response)
        self.learn(place, response, answer)
        if self.requests == self.warm_up:
            queue, self._queue = self._queue, deque()
            for waiting in queue:
                self._push(waiting)
        if answer.goal:
            self._redirects.append(place._replace(url=answer.goal, parent=place.url))
        if answer.kind == "html":
            for link in self.site.new_links(response):
                self._push(self.place(link, place))
        if answer.kind == "target":
            return [self.site.find(step, response, answer)]
        return []

    def _push(self, place: Place) -> None:
        if self.requests < self.warm_up:
            self._queue.append(place)
        else:
            self._pushed += 1
            heapq.heappush(self._heap, (-self.score(place), self._pushed, place))

    def _step(self, place: Place, reason: Reason) -> Step:
        self._flying[place.url] = place
        return self.site.step(place.url, place.parent, reason)

    def summary(self) -> Summary:
        """Say what is left."""
        left = len(self._queue) + len(self._heap)
        return {**self.site.summary(), "arms": [], "left": left}
