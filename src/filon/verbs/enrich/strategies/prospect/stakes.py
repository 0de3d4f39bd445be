"""What each row is worth now: its chance to be present, nothing once it is covered.

Rows that a query in flight will probably cover are worth less until its answer is in, so that
several queries in flight do not go for the same rows.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from filon.verbs.enrich.strategies.prospect.lexicon import Floats

#: Changes of less than that wait until they add up.
SMALL = 0.005
#: Where more rows changed than this part, sums over them are made anew.
MANY = 0.1
Rows = NDArray[np.integer]


class Sums(Protocol):
    """Somebody who keeps sums of weights."""

    def shift(self, rows: Rows, changes: Floats) -> None:
        """Hear that some weights changed."""

    def recount(self, weights: Floats) -> None:
        """Hear that many did."""


class Stakes:
    """The weight of each row; tells those who keep sums of them about changes."""

    def __init__(self, chance: Floats) -> None:
        self.weights = chance.copy()
        self.sums: Sums | None = None
        self._left = np.ones(len(chance))  # what calls in flight leave of each row
        self._held: dict[int, tuple[Rows, float]] = {}

    def hold(self, number: int, rows: Rows, found: float) -> Rows:
        """Discount rows that a call in flight will find with that chance."""
        self._held[number] = rows, found
        self._left[rows] *= 1 - found
        return rows

    def release(self, number: int) -> Rows:
        """Its answer is in: return the rows that were discounted."""
        rows, _ = self._held.pop(number, (np.zeros(0, dtype=np.int64), 0.0))
        self._left[rows] = 1.0
        for others, found in self._held.values():
            self._left[others[np.isin(others, rows)]] *= 1 - found
        return rows

    def update(self, rows: Rows, chance: Floats, covered: NDArray[np.bool_]) -> None:
        """Weigh some rows anew."""
        new = np.where(covered[rows], 0.0, chance[rows] * self._left[rows])
        changes = new - self.weights[rows]
        large = np.abs(changes) > SMALL
        self.weights[rows[large]] = new[large]
        if self.sums:
            self.sums.shift(rows[large], changes[large])

    def renew(self, chance: Floats, covered: NDArray[np.bool_]) -> None:
        """Weigh all rows anew."""
        new = np.where(covered, 0.0, chance * self._left)
        changes = new - self.weights
        large = np.flatnonzero(np.abs(changes) > SMALL)
        if self.sums and len(large) <= MANY * len(new):
            self.weights[large] = new[large]
            self.sums.shift(large, changes[large])
            return
        self.weights = new
        if self.sums:
            self.sums.recount(new)
