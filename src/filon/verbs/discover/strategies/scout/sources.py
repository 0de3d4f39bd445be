"""What became of the pages that an arm, a query or a hub led to, and what that says of the next.

The rate of a source is drawn towards that of its arm, and that of an arm towards what is usual, as
long as little is known of it. An arm's past fades, since arms wear out; that of a page of links or
of a query does not: its list is what it is.
"""

import math
from collections.abc import Sequence

from filon.core.forms import TUPLE, flat
from filon.core.state import Stateful, stored

#: Of pages that are asked for, this share is usually good; so many stand for that belief.
USUAL, SURE_OF_USUAL, SURE_OF_ARM = 0.3, 3.0, 3.0
#: What remains of an arm's past after one more outcome.
FADE = 0.97
#: Several who name the same are each half as independent as the one before.
AGREEING = 0.7
MOST_SOURCES = 20_000

#: Pairs of an arm and what it was asked, or the page whose links they are.
Origins = Sequence[tuple[str, str]]


class Sources(Stateful):
    """Outcomes by arm, and by source."""

    STATE = (stored("_arms", flat(TUPLE)), stored("_sources", flat(TUPLE)))

    def __init__(self) -> None:
        self._arms: dict[str, tuple[float, float]] = {}
        self._sources: dict[str, tuple[float, float]] = {}

    def learn(self, origins: Origins, good: float) -> None:
        """Take note of how good a page was, from 0 to 1, that these led to."""
        for arm in dict.fromkeys(arm for arm, _ in origins):
            hits, all_ = self._arms.get(arm, (0.0, 0.0))
            self._arms[arm] = FADE * hits + good, FADE * all_ + 1
        for _, source in origins:
            hits, all_ = self._sources.get(source, (0.0, 0.0))
            self._sources[source] = hits + good, all_ + 1
        while len(self._sources) > MOST_SOURCES:
            del self._sources[next(iter(self._sources))]

    def believe(self, source: str, good: float, known: float) -> None:
        """Take note of what is known of a source before anything was asked for because of it."""
        hits, all_ = self._sources.get(source, (0.0, 0.0))
        self._sources[source] = hits + good, all_ + known

    def arm(self, arm: str) -> float:
        """Return the share of good ones among those that an arm leads to."""
        hits, all_ = self._arms.get(arm, (0.0, 0.0))
        return (hits + SURE_OF_USUAL * USUAL) / (all_ + SURE_OF_USUAL)

    def rate(self, arm: str, source: str) -> float:
        """Return the share of good ones among those that a source leads to."""
        hits, all_ = self._sources.get(source, (0.0, 0.0))
        return (hits + SURE_OF_ARM * self.arm(arm)) / (all_ + SURE_OF_ARM)

    def margin(self, origins: Origins) -> float:
        """Return the logarithm of the odds that a page is good which these led to."""
        best = max((self.rate(arm, source) for arm, source in origins), default=USUAL)
        best = min(0.95, max(0.02, best))
        return math.log(best / (1 - best)) + AGREEING * math.log(max(1, len(origins)))
