"""What each row is worth now: its chance to be present, nothing once it is covered.

Rows that a query in flight will probably cover are worth less until its answer is in, so that
several queries in flight do not go for the same rows.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from filon.strategies.enrich.prospect.lexicon import Floats

#: Changes of less than that wait for the next fit.
SMALL = 0.005
Rows = NDArray[np.integer]


class Stakes:
    """The weight of each row; tells those who keep sums of them about changes."""

    def __init__(self, chance: Floats, tell: Callable[[Rows, Floats], None]) -> None:
        self.weights = chance.copy()
        self._tell = tell
        self._held: dict[int, tuple[Rows, float]] = {}

    def hold(self, number: int, rows: Rows, found: float) -> Rows:
        """Discount rows that a call in flight will find with that chance."""
        self._held[number] = rows, found
        return rows

    def release(self, number: int) -> Rows:
        """Its answer is in: return the rows that were discounted."""
        rows, _ = self._held.pop(number, (np.zeros(0, dtype=np.int64), 0.0))
        return rows

    def update(self, rows: Rows, chance: Floats, covered: NDArray[np.bool_]) -> None:
        """Weigh some rows anew."""
        if not len(rows):
            return
        new = self._weigh(chance, covered)[rows]
        changes = new - self.weights[rows]
        large = np.abs(changes) > SMALL
        self.weights[rows[large]] = new[large]
        self._tell(rows[large], changes[large])

    def renew(self, chance: Floats, covered: NDArray[np.bool_]) -> None:
        """Weigh all rows anew, without a word to anybody."""
        self.weights = self._weigh(chance, covered)

    def _weigh(self, chance: Floats, covered: NDArray[np.bool_]) -> Floats:
        weights: Floats = np.where(covered, 0.0, chance)
        for rows, found in self._held.values():
            weights[rows] *= 1 - found
        return weights
