"""Queries of one or two words that several rows share, and what each is worth now.

A query is worth the rows that hold it, each by its chance to be present and not yet covered,
times the reliability of its words, times the part of its matches that a page shows. All queries
are rated at every fit; in between, only those of the rows that changed.
"""

import numpy as np
from numpy.typing import NDArray

from filon.strategies.enrich.pool import places_of
from filon.strategies.enrich.prospect.lexicon import Floats
from filon.strategies.enrich.prospect.pairs import Pairs


class Shared:
    """The value of each shared query.

    logs: the expected log size of each.
    found: the chance that a present row of a query is on its first page.
    """

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        size = len(pairs)
        self._closed = np.zeros(size, dtype=bool)
        self._mass = np.zeros(size)
        self._values = np.zeros(size)
        self.logs = np.zeros(size)
        self.found = np.zeros(size)

    def rate(self, reliable: Floats, logs: Floats, share: Floats) -> None:
        """Rate all queries anew; reliable: log of each word's reliability."""
        pairs = self._pairs
        both = reliable[pairs.first]
        two = pairs.second >= 0
        both[two] += reliable[pairs.second[two]]
        self.logs, self.found = logs, np.exp(both) * share
        self._values = self._mass * self.found
        self._values[self._closed] = -1.0

    def recount(self, weights: Floats) -> None:
        """Add up the weights of all rows anew; worth nothing new before it is rated."""
        forward = self._pairs.forward
        spread = np.repeat(weights, forward.lengths)
        self._mass = np.bincount(forward.values, spread, len(self._mass)).astype(np.float64)

    def shift(self, rows: NDArray[np.integer], changes: Floats) -> None:
        """Let the weights of rows change."""
        if not len(rows):
            return
        forward = self._pairs.forward
        starts = forward.starts[rows]
        lengths = forward.starts[rows + 1] - starts
        numbers = forward.values[places_of(starts, lengths)]
        np.add.at(self._mass, numbers, np.repeat(changes, lengths))
        values = self._mass[numbers] * self.found[numbers]
        self._values[numbers] = np.where(self._closed[numbers], -1.0, values)

    def close(self, number: int) -> None:
        """Do not offer a query any more."""
        if number >= 0:
            self._closed[number] = True
            self._values[number] = -1.0

    def best(self) -> tuple[int, float]:
        """Return the query of the largest value, and the value; -1 where there is none."""
        if not len(self._values):
            return -1, 0.0
        number = int(self._values.argmax())
        value = float(self._values[number])
        return (number, value) if value > 0 else (-1, 0.0)
