"""Queries of one or two words that several rows share, and what each is worth now.

A query is worth the rows that hold it, each by its chance to be present and not yet covered,
times the reliability of its words, times the part of its matches that a page shows. All queries
are rated at every fit; in between, only those of the rows that changed.

What part a page shows takes long to compute, and of a million queries few can be the best: the
others are rated by what they are worth at most.
"""

import math

import numpy as np
from numpy.typing import NDArray

from filon.verbs.enrich.strategies.pool import places_of
from filon.verbs.enrich.strategies.prospect.lexicon import Floats
from filon.verbs.enrich.strategies.prospect.pairs import Pairs
from filon.verbs.enrich.strategies.prospect.sizes import share_shown

#: Queries of so much of the best one's value are rated exactly too: one of them may be next.
NEXT = 0.5
#: Rows whose weights are added up at a time: what is written to and read again stays near.
BLOCK = 4096
#: What rounding leaves of a query without rows.
NOTHING = 1e-9
#: A little more than one, so that rounding makes no bound too low.
ABOVE = 1 + 1e-9


class Shared:
    """The value of each shared query.

    logs: the expected log size of each.
    """

    def __init__(self, pairs: Pairs, page_size: int) -> None:
        self._pairs, self._page_size = pairs, page_size
        size = len(pairs)
        self._singles = int((pairs.second < 0).sum())
        self._closed = np.zeros(size, dtype=bool)
        self._mass = np.zeros(size)
        self._values = np.zeros(size)
        self.logs = np.zeros(size)
        self._found = np.zeros(size)  # at most, until it is known
        self._known = np.zeros(size, dtype=bool)
        self._reliable, self._spread = np.zeros(0), 1.0

    def rate(self, reliable: Floats, logs: Floats, spread: float) -> None:
        """Rate all queries anew; reliable: log of each word's reliability."""
        pairs = self._pairs
        self._reliable, self.logs, self._spread = reliable, logs, spread
        # E[min(1, k / N)] is at most 1, and at most E[k / N].
        most = np.minimum(math.log(self._page_size) + spread * spread / 2 - logs, 0.0)
        most += reliable[pairs.first]
        most[self._singles :] += reliable[pairs.second[self._singles :]]
        self._found = np.exp(most, out=most)
        self._found *= ABOVE
        self._known[:] = False
        self._values = self._mass * self._found
        self._values[self._closed] = -1.0
        _, best = self.best()
        self._rate_exactly(NEXT * best)  # not while somebody waits

    def found(self, number: int) -> float:
        """Return the chance that a present row of the best query is on its first page."""
        return float(self._found[number])

    def recount(self, weights: Floats) -> None:
        """Add up the weights of all rows anew; worth nothing new before it is rated."""
        forward, lengths = self._pairs.forward, self._pairs.forward.lengths
        self._mass = np.zeros(len(self._mass))
        for start in range(0, len(weights), BLOCK):
            end = min(start + BLOCK, len(weights))
            numbers = forward.values[forward.starts[start] : forward.starts[end]]
            spread = np.repeat(weights[start:end], lengths[start:end])
            np.add.at(self._mass, numbers, spread)

    def shift(self, rows: NDArray[np.integer], changes: Floats) -> None:
        """Let the weights of rows change."""
        if not len(rows):
            return
        forward = self._pairs.forward
        starts = forward.starts[rows]
        lengths = forward.starts[rows + 1] - starts
        numbers = forward.values[places_of(starts, lengths)]
        np.add.at(self._mass, numbers, np.repeat(changes, lengths))
        values = self._mass[numbers] * self._found[numbers]
        self._values[numbers] = np.where(self._closed[numbers], -1.0, values)

    def close(self, number: int) -> None:
        """Do not offer a query any more."""
        if number >= 0:
            self._closed[number] = True
            self._values[number] = -1.0

    def best(self) -> tuple[int, float]:
        """Return the query of the largest value, and the value; -1 where there is none."""
        while len(self._values):
            number = int(self._values.argmax())
            value = float(self._values[number])
            if value < NOTHING:
                break
            if self._known[number]:
                return number, value
            self._rate_exactly(NEXT * value)
        return -1, 0.0

    def _rate_exactly(self, least: float) -> None:
        """Find out what queries are worth that may be worth so much."""
        some = np.flatnonzero((self._values >= max(least, NOTHING)) & ~self._known)
        first, second = self._pairs.first[some], self._pairs.second[some]
        both = self._reliable[first]
        two = second >= 0
        both[two] += self._reliable[second[two]]
        share = share_shown(self.logs[some], self._spread, self._page_size)
        self._found[some] = np.exp(both) * share
        self._values[some] = self._mass[some] * self._found[some]
        self._known[some] = True
