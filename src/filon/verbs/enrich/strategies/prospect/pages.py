"""Further pages of queries: each is a call like any other, and costs as much.

A page is worth the rows under its query that were not on the pages before, and what its records
bring beside. Where earlier pages of a query kept less than they promised, so will the next.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.verbs.enrich.strategies.lexicon import Floats, Query
from filon.verbs.enrich.strategies.prospect.news import News

#: So many rows are believed to have come as expected, before a query's pages tell.
PROMISED = 2.0
#: More queries than that are not kept open: those worth least go.
MOST = 1000


class Page(NamedTuple):
    """The next page of a query: what to ask for, what came before, and what may come.

    rows: those that hold the query and were not on the pages before.
    hits: how many of its rows were. total: what the service told, if it did.
    """

    more: str
    before: int
    size: float
    rows: NDArray[np.integer]
    hits: int = 0
    total: int = 0


def still(reliable: float, before: int, size: float) -> float:
    """Return the chance that a row matches a query at all, after pages that it was not on.

    >>> round(still(0.8, 0, 100), 2), round(still(0.8, 75, 100), 2)
    (0.8, 0.5)
    """
    unseen = reliable * max(size - before, 0.0) / max(size, 1.0)
    return unseen / (1 - reliable + unseen) if unseen else 0.0


class Pages:
    """The next page of each query that has one.

    Values are kept and only fall between two fits, nearly: so it is enough to look at the highest
    again until one stays the highest.
    """

    def __init__(self, page_size: int, news: News, trusted: Callable[[Query], float]) -> None:
        self._page_size, self._news, self._trusted = page_size, news, trusted
        self._next: dict[Query, Page] = {}
        self._values: dict[Query, float] = {}
        self._promises: dict[Query, tuple[float, float]] = {}

    def put(self, query: Query, page: Page) -> None:
        """Offer the next page of a query."""
        self._next[query] = page
        self._values[query] = math.inf  # until it is looked at
        if len(self._next) > MOST:
            self.close(min(self._values, key=self._values.__getitem__))

    def close(self, query: Query) -> Page | None:
        """Offer no further page of a query; return what was offered."""
        self._values.pop(query, None)
        return self._next.pop(query, None)

    def share(self, page: Page) -> float:
        """Return the part of the results left that a page shows."""
        return min(1.0, self._page_size / max(page.size - page.before, 1.0))

    def fit(self, weights: Floats, reliable: Callable[[Query], float]) -> None:
        """Something was learnt: look at all of them again."""
        for query in self._next:
            self._look(query, weights, reliable)

    def best(
        self, weights: Floats, reliable: Callable[[Query], float]
    ) -> tuple[Query, Page | None, float]:
        """Return the query whose next page is worth most, that page, and its value."""
        looked: set[Query] = set()
        while self._values:
            query = max(self._values, key=self._values.__getitem__)
            if query in looked:
                return query, self._next[query], self._values[query]
            looked.add(query)
            self._look(query, weights, reliable)
        return (), None, 0.0

    def _look(self, query: Query, weights: Floats, reliable: Callable[[Query], float]) -> None:
        page = self._next[query]
        held = float(weights[page.rows].sum()) * self.share(page)
        held *= still(reliable(query), page.before, page.size)
        results = max(page.total or page.size, page.size) - page.before
        beside = self._news.of_page(query, results, float(weights.sum()))
        self._values[query] = (held + beside) * self._kept_promise(query) * self._trusted(query)

    def note(self, query: Query, expected: float, new: int) -> None:
        """Take note of what was expected of a page, and what it brought."""
        promised, kept = self._promises.get(query, (0.0, 0.0))
        self._promises[query] = promised + expected, kept + new

    def _kept_promise(self, query: Query) -> float:
        promised, kept = self._promises.get(query, (0.0, 0.0))
        return min((kept + PROMISED) / (promised + PROMISED), 1.0)
