"""Queries of one or two words that several rows share, and what each is worth now.

A query is worth the rows that hold it, each by its chance to be present and not yet covered,
times the reliability of its words, times the part of its matches that a page shows. All queries
are rated at every fit; in between, only those of the rows that changed.
"""

import numpy as np
from numpy.typing import NDArray

from filon.strategies.enrich.prospect.lexicon import Floats, Lexicon


class Shared:
    """The value of each shared query.

    logs: the expected log size of each.
    found: the chance that a present row of a query is on its first page.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        size = len(lexicon.first)
        # The pool gives no rows to queries that another one dominates.
        self._closed = lexicon.rows < 1
        self._mass = np.zeros(size)
        self._values = np.zeros(size)
        self.logs = np.zeros(size)
        self.found = np.zeros(size)

    def rate(self, weights: Floats, reliable: Floats, logs: Floats, share: Floats) -> None:
        """Rate all queries anew.

        weights: of the rows. reliable: log of each word's reliability.
        """
        lexicon = self._lexicon
        both = reliable[lexicon.first] + np.where(
            lexicon.second < 0, 0.0, reliable[np.maximum(lexicon.second, 0)]
        )
        self.logs, self.found = logs, np.exp(both) * share
        forward = lexicon.forward
        spread = np.repeat(weights, forward.lengths)
        mass = np.bincount(forward.values, spread, len(self._mass))
        self._mass = mass.astype(np.float64, copy=False)
        self._values = np.where(self._closed, -1.0, self._mass * self.found)

    def shift(self, rows: NDArray[np.integer], changes: Floats) -> None:
        """Let the weights of rows change."""
        lists = [self._lexicon.forward.of(int(row)) for row in rows]
        if not lists:
            return
        numbers = np.concatenate(lists)
        np.add.at(self._mass, numbers, np.repeat(changes, [len(part) for part in lists]))
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
