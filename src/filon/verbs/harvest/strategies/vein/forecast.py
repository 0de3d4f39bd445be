"""Whether the next requests are worth it. How many targets are left says `remainder.py`.

The links of the frontier say what they promise; how far promises were kept of late says what that
is worth. A crawl is over when nothing was found for long, in proportion to how long it has lasted,
and the best links left promise next to nothing.
"""

from collections import deque
from collections.abc import Callable

import numpy as np

from filon.core.forms import TUPLE, each
from filon.core.state import Stateful, group, stored, version
from filon.learn.ridge import Vector

#: Promises that are compared with what came.
RECENT = 200
#: A drought that ends a crawl: so many requests, plus a share of all so far, plus more while
#: hardly anything was found, since the first target may be deep.
DROUGHT, SHARE, UNPROVEN = 50, 0.15, 2000
#: What the next requests, as many as such a drought has, may promise at most: targets, or a share
#: of those found.
NOTHING, NEXT_TO_NOTHING = 0.5, 0.005


class Forecast(Stateful):
    """Watches promises and finds."""

    STATE = (
        version(1),
        group("counts", "requests", "finds", "_last_find"),
        "_vain",
        stored("_recent", each(TUPLE)),
    )

    def __init__(self) -> None:
        self.requests = 0
        self.finds = 0
        self._last_find = 0
        self._vain = 0.0  # promised since the last find
        self._recent: deque[tuple[float, float]] = deque(maxlen=RECENT)

    def note(self, promised: float, brought: float, is_find: bool) -> None:
        """Take note of an answer: what its link promised, and what it brought."""
        self.requests += 1
        self._recent.append((promised, brought))
        self._vain = 0.0 if is_find else self._vain + promised
        if is_find:
            self.finds += 1
            self._last_find = self.requests

    @property
    def kept(self) -> float:
        """The part of the promises that was kept of late, or for as long as nothing was found."""
        promised = max(sum(promise for promise, _ in self._recent), self._vain)
        brought = sum(came for _, came in self._recent)
        return (brought + 1.0) / (promised + 1.0)

    @property
    def drought(self) -> int:
        """Requests since the last find."""
        return self.requests - self._last_find

    @property
    def is_dry(self) -> bool:
        """Tell whether nothing was found for a while."""
        return self.drought >= DROUGHT

    def is_over(self, promises: Callable[[], Vector], untried: Callable[[], bool]) -> bool:
        """Tell whether to stop.

        promises: tells what the links left promise, if it matters. untried: tells whether there
        are kinds of links that were hardly ever followed; they are waited for, twice as long.
        """
        drought = self.drought
        patience = DROUGHT + SHARE * self.requests + UNPROVEN / (1 + self.finds)
        if drought < patience or (drought < 2 * patience and untried()):
            return False
        values, ahead = promises(), int(patience)
        if ahead < len(values):
            values = np.partition(values, len(values) - ahead)[-ahead:]
        promise = self.kept * float(values.sum())
        return promise < max(NOTHING, NEXT_TO_NOTHING * self.finds)
