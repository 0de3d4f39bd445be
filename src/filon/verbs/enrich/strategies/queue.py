"""A priority queue that brings a priority up to date only where it might win (section 6.3)."""

import heapq
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class LazyQueue:
    """Numbers by priority, the highest first; ties go by `tie`, the lowest first.

    Priorities may only fall; below zero they keep a number out. The first ones stand in a sorted
    array; a heap holds no more than those that were brought up to date since, so that millions of
    queries cost two arrays. What `pop` returns does not depend on when priorities were brought up
    to date.

    >>> queue = LazyQueue(np.array([5.0, 3.0, 4.0]), np.arange(3))
    >>> now = [1.0, 3.0, 4.0]
    >>> [queue.pop(now.__getitem__) for _ in range(4)]
    [2, 1, 0, None]
    """

    def __init__(self, priority: Floats, tie: NDArray[np.int64]) -> None:
        self._tie = tie
        wanted = np.flatnonzero(priority >= 0)
        self._order = wanted[np.lexsort((tie[wanted], -priority[wanted]))]
        self._sorted = -priority[self._order]
        self._next = 0
        self._heap: list[tuple[float, int, int]] = []

    def push(self, number: int, priority: float) -> None:
        """Put a number in, or in again."""
        heapq.heappush(self._heap, (-priority, int(self._tie[number]), number))

    def pop(self, now: Callable[[int], float]) -> int | None:
        """Take out the number that is first by its priority of now; None where none is left.

        now: returns the priority; below zero, the number is thrown away.
        """
        while first := self._first():
            stored, _, number = first
            priority = now(number)
            if -stored == priority:
                return number
            if priority >= 0:
                self.push(number, priority)
        return None

    def _first(self) -> tuple[float, int, int] | None:
        if self._next == len(self._order):
            return heapq.heappop(self._heap) if self._heap else None
        number = int(self._order[self._next])
        untouched = float(self._sorted[self._next]), int(self._tie[number]), number
        if self._heap and self._heap[0] < untouched:
            return heapq.heappop(self._heap)
        self._next += 1
        return untouched
