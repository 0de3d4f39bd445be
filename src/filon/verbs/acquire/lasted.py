"""How long a whole had lasted at a time of day, by what its runs say of their own time.

A run counts the seconds of all its sessions, and the time between two of them is no part of it. So
each answer tells of a stretch in which the run was at work. Many runs are at work at once, and one
of them may have gone on alone: what counts is the time in which any was.
"""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

#: Stretches that lie closer than this are one: an answer is written down a moment after it came.
CLOSE_S = 1.0


class Lasted:
    """Tells how long a whole had lasted at a Unix time.

    stretches: in which a run was at work, from when to when; those after `until_s` count.
    before_s: how long the whole had lasted by then.

    >>> lasted = Lasted([(105.0, 112.0), (100.0, 107.0), (700.0, 703.0)], before_s=60.0)
    >>> [lasted(at_s) for at_s in (90.0, 101.0, 112.0, 600.0, 702.0)]
    [60.0, 61.0, 72.0, 72.0, 74.0]
    """

    def __init__(
        self,
        stretches: Iterable[tuple[float, float]],
        *,
        before_s: float = 0.0,
        until_s: float = 0.0,
    ) -> None:
        self._before_s = before_s
        apart: list[tuple[float, float]] = []
        for began_s, ended_s in sorted(stretches):
            began_s = max(began_s, until_s)
            if apart and began_s < apart[-1][1] + CLOSE_S:
                began_s, ended_s = apart[-1][0], max(apart.pop()[1], ended_s)
            if ended_s >= began_s:
                apart.append((began_s, ended_s))
        self._apart = apart
        lengths = [ended_s - began_s for began_s, ended_s in apart]
        self._sums_s = [0.0, *accumulate(lengths)]

    def __call__(self, at_s: float) -> float:
        """Return the seconds."""
        place = bisect_right(self._apart, (at_s, float("inf")))
        over_s = max(0.0, self._apart[place - 1][1] - at_s) if place else 0.0
        return self._before_s + self._sums_s[place] - over_s
