"""Further pages of queries whose first page is not all: an arm each, priced like any other call."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.strategies.enrich.prospect.lexicon import Floats, Query


class Page(NamedTuple):
    """The next page of a query: what to ask for, what came before, and what may come."""

    more: str
    before: int
    size: float
    rows: NDArray[np.integer]


def still(reliable: float, before: int, size: float) -> float:
    """Return the chance that a row matches a query at all, after pages that it was not on.

    >>> round(still(0.8, 0, 100), 2), round(still(0.8, 75, 100), 2)
    (0.8, 0.5)
    """
    unseen = reliable * max(size - before, 0.0) / max(size, 1.0)
    return unseen / (1 - reliable + unseen) if unseen else 0.0


class Pages:
    """The next page of each query that has one."""

    def __init__(self, page_size: int) -> None:
        self._page_size = page_size
        self._next: dict[Query, Page] = {}

    def put(self, query: Query, page: Page) -> None:
        """Offer the next page of a query."""
        self._next[query] = page

    def close(self, query: Query) -> None:
        """Offer no further page of a query."""
        self._next.pop(query, None)

    def share(self, page: Page) -> float:
        """Return the part of the results left that a page shows."""
        return min(1.0, self._page_size / max(page.size - page.before, 1.0))

    def best(
        self, weights: Floats, reliable: Callable[[Query], float]
    ) -> tuple[Query, Page | None, float]:
        """Return the query whose next page is worth most, that page, and its value."""
        best: tuple[Query, Page | None, float] = ((), None, 0.0)
        for query, page in self._next.items():
            value = float(weights[page.rows].sum()) * self.share(page)
            if value > best[2]:
                value *= still(reliable(query), page.before, page.size)
                best = max(best, (query, page, value), key=_value)
        return best


def _value(offer: tuple[Query, Page | None, float]) -> float:
    return offer[2]
