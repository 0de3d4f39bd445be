"""`vein` as an order of requests: which of those that a spider has asked for is worth most.

A harvest follows what it likes; a spider says itself what is to be followed, and all of it. So
nothing is left out here, nothing is asked for by another address, and nothing is ever over. It is
not known here that Scrapy is there.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from filon.core import Response
from filon.learn.ridge import Vector
from filon.page.links import Link
from filon.page.types import Types
from filon.verbs.harvest.prior import load
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.vein.features import WIDTH
from filon.verbs.harvest.strategies.vein.frontier import Candidate, Frontier, Kinds
from filon.verbs.harvest.strategies.vein.site_prior import SitePrior
from filon.verbs.harvest.strategies.vein.strategy import (
    LEAST_CHANCE,
    LINKS_OF_CHAIN,
    MOST_FRAMES,
    RATED_AT_ONCE,
    Vein,
)
from filon.verbs.harvest.strategies.vein.value import UNKNOWN, Prior

#: What is about addresses, not about order: a spider and its dupefilter decide on these.
OFF = dict.fromkeys(("slash", "noise", "sitemaps"), "off")


class Placed:
    """The requests that a page led to: the chance of each to be a find, and their kinds."""

    def __init__(self) -> None:
        self.chances: Vector = np.zeros(0)
        self.kinds: list[int] = []
        self.frames: list[str] = []

    def add(self, chances: Vector, kinds: list[int], links: Sequence[Link]) -> None:
        """Take note of some more."""
        self.chances = np.concatenate([self.chances, chances])
        self.kinds += kinds
        self.frames += [link.url for link in links if link.tag == "frame"]


class NoLook(Prior):
    """Where finds are no files, the look of a link says nothing."""

    def chance(self, link: Link) -> float:
        """Return the same for all."""
        return UNKNOWN


class Order(Vein):
    """Rates the requests that wait, by priority, and learns from what came of them.

    types: what counts as a find; None: whatever is said to be one, files or not.
    start: where the spider begins. prior: as `filon harvest --prior`.
    """

    def __init__(self, types: Types | None, start: str, prior: str = "") -> None:
        elsewhere = None
        if types and prior != "none":
            weights = load(prior)  # at once: where it is none, nothing is to begin
            elsewhere = partial(SitePrior, lambda: weights)
        wanted = types or Types.parse("data")
        super().__init__(
            Brief(start=start, types=wanted, stop="never", options=OFF, prior=elsewhere)
        )
        if types is None:
            self.prior = NoLook(wanted)
        self._urgent.clear()  # a spider says itself where it begins
        self._frontiers = {0: self.frontier}
        self._waiting: dict[str, int] = {}  # by address: the priority
        self._count = Counter[int]()

    def __contains__(self, url: str) -> bool:
        """Tell whether an address waits, or its answer is awaited."""
        return url in self._waiting or url in self._flying

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def top(self) -> int | None:
        """The highest priority of what waits."""
        return max(self._count, default=None)

    # What waits.

    def place(self, links: Sequence[Link], page: str, priority: int, placed: Placed) -> None:
        """Let requests wait that stand on a page as these links; their addresses are new."""
        self._turn_to(priority)
        for link in links:
            self._waiting[link.url] = priority
            self._count[priority] += 1
        placed.add(*self._queue(list(links), page), links)

    def choose(self) -> str | None:
        """Return the address that is worth most among those of the highest priority.

        None: nothing waits, or so little is known that the next answer has to be awaited.
        """
        if self.top is None:
            return None
        self._turn_to(self.top)
        step = self.propose()
        if step:
            self._count -= Counter([self._waiting.pop(step.request.url)])
        return step.request.url if step else None

    def send(self, url: str) -> None:
        """Take note that something leaves that was not chosen here."""
        blank = np.zeros(WIDTH, dtype=np.uint16)
        self._flying[url] = Candidate(url, "", -1, blank, 0.0, 0.0, 0.0, 0.0)

    def _straight(self, candidate: Candidate) -> Candidate | None:
        """Return a link that still waits: a frame may have left before its turn."""
        return candidate if candidate.url in self._waiting else None

    def _turn_to(self, priority: int) -> None:
        """Go on with the links of a priority; what was learnt since is made up for."""
        frontier = self._frontiers.setdefault(priority, Frontier(self.kinds))
        if frontier is not self.frontier:
            self.frontier = frontier
            for slots in frontier.outdate(RATED_AT_ONCE):
                self._rate(slots)

    def _mark_twins(self, url: str) -> None:
        if len(self._frontiers) == 1:  # a slot is one of this frontier
            super()._mark_twins(url)

    # What came.

    def settle(self, url: str, response: Response, placed: Placed, found: bool | None) -> bool:
        """Learn what a request brought; return whether that is a find.

        response: where the address led. found: whether it is one; None: its type tells.
        """
        candidate = self._flying.pop(url)
        kind = self.site.read(response).kind
        is_find = kind == "target" if found is None else found
        if kind == "html":
            self._mark_twins(response.url)
            self._hasten(candidate, response.url, placed.frames)
        if is_find:
            self._learn(candidate, response, True, 0.0, placed.kinds)
            self.credit.confirm(candidate.parent)
        elif kind == "html" or placed.kinds:
            if candidate.parent and 0 < placed.kinds.count(candidate.arm) <= LINKS_OF_CHAIN:
                self._chains[response.url] = candidate.arm
            chances = placed.chances
            self._credit(candidate, response, chances[chances >= LEAST_CHANCE], placed.kinds)
        else:
            self._learn(candidate, response, False, 0.0, [])
            self.credit.spend(candidate.parent)
        return is_find

    def arrive(self, url: str, goal: str) -> None:
        """Learn that an address leads to another that is known; if that waits, it leaves next."""
        if self._is_next(goal):
            self.forecast.note(False)
            self._urgent.append((self._flying.pop(url)._replace(url=goal), url))
        else:
            self.settle(url, Response(url=goal, error="closed"), Placed(), False)

    def _hasten(self, candidate: Candidate, page: str, frames: list[str]) -> None:
        """Ask next for the frames of a page: they are the page."""
        waiting = [url for url in frames[:MOST_FRAMES] if self._is_next(url)]
        self._frames.update(waiting)
        self._urgent += [(candidate._replace(url=url), page) for url in reversed(waiting)]

    def _is_next(self, url: str) -> bool:
        """Tell whether an address may leave out of turn."""
        is_urgent = any(candidate.url == url for candidate, _ in self._urgent)
        return self._waiting.get(url) == self.top and self.top is not None and not is_urgent

    # Keeping.

    def state(self) -> dict[str, Any]:
        """Return what was learnt; what waits is kept with the requests."""
        state = super().state()
        state["kinds"]["sums"][0] = 0
        nothing = {"frontier": Frontier(Kinds()).state(), "urgent": [], "flying": [], "frames": []}
        return {**state, **nothing}
