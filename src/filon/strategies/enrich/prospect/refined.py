"""Narrower queries, made on demand from those that turned out to match more than a page shows.

One more word that some of the rows under such a query have in common leaves fewer results and
keeps these rows.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from filon.strategies.enrich.prospect.lexicon import Floats, Lexicon, Query
from filon.strategies.enrich.prospect.sizes import share_shown

#: Words of the longest refined query: longer ones hold no two rows that shorter ones do not.
LONGEST = 4
#: The best refinements of one query that are kept, and of all.
MOST_CHILDREN, MOST = 24, 4000
#: Results shrink a little faster than rows do when a word is added: rows that share much are few.
SHRINKS = 1.15
#: How sure the size is, as a part of the regression's spread: the size before is known.
SURER = 0.7


class Refined:
    """Queries of three or four words, with the rows that hold them."""

    def __init__(self, lexicon: Lexicon, page_size: int) -> None:
        self._lexicon, self._page_size = lexicon, page_size
        self._rows: dict[Query, NDArray[np.integer]] = {}
        self._logs: dict[Query, float] = {}
        self._known: set[Query] = set()
        self._stale = True
        self._order: list[Query] = []
        self._flat = np.zeros(0, dtype=np.int64)
        self._starts = np.zeros(0, dtype=np.int64)
        self._found = np.zeros(0)

    def add(self, query: Query, rows: NDArray[np.integer], size: float) -> None:
        """Refine a query that matches so many records; rows: those not covered that hold it."""
        if len(rows) < 2 or len(query) >= LONGEST or len(self._rows) >= MOST:
            return
        words = np.concatenate([self._lexicon.of(int(row)) for row in rows])
        counts = np.bincount(words)
        counts[list(query)] = 0
        often = np.flatnonzero(counts >= 2)
        for word in often[np.argsort(-counts[often], kind="stable")][:MOST_CHILDREN]:
            child = tuple(sorted((*query, int(word))))
            if len(child) < 3 or child in self._known:
                continue
            held = rows[np.isin(rows, self._lexicon.pool.inverted.of(int(word)))]
            part = SHRINKS * math.log(len(held) / len(rows))
            self._known.add(child)
            self._rows[child], self._logs[child] = held, max(math.log(max(size, 1.0)) + part, 0.0)
            self._stale = True

    def close(self, query: Query) -> None:
        """Do not offer a query any more."""
        self._known.add(query)
        if query in self._rows:
            del self._rows[query], self._logs[query]
            self._stale = True

    def rate(self, reliable: Callable[[Query], float], spread: float) -> None:
        """Rate all anew, given how far words are to be relied on."""
        self._order = list(self._rows)
        lengths = [len(rows) for rows in self._rows.values()]
        self._starts = np.cumsum([0, *lengths])[:-1]
        self._flat = np.concatenate([np.zeros(0, dtype=np.int64), *self._rows.values()])
        logs = np.array([self._logs[query] for query in self._order])
        share = share_shown(logs, np.full(len(logs), SURER * spread), self._page_size)
        self._found = share * np.array([reliable(query) for query in self._order])
        self._stale = False

    def best(
        self, weights: Floats, reliable: Callable[[Query], float], spread: float
    ) -> tuple[Query, float, float, float]:
        """Return the best query, its value, the chance of its rows to be shown, and its size."""
        if self._stale:
            self.rate(reliable, spread)
        if not self._order:
            return (), 0.0, 0.0, 0.0
        values = np.add.reduceat(weights[self._flat], self._starts) * self._found
        place = int(values.argmax())
        query = self._order[place]
        found, size = float(self._found[place]), math.exp(self._logs[query])
        return query, float(values[place]), found, size
