"""QSEL-IDEAL (Algorithm 1): knows what every query would cover. A yardstick."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from filon.verbs.enrich.strategies import Brief
from filon.verbs.enrich.strategies.coverage import Coverage
from filon.verbs.enrich.strategies.pooled import Floats
from filon.verbs.enrich.strategies.smartcrawl import Simple


class Truth(Protocol):
    """What the hidden table really holds."""

    def covers(self, query: str) -> Iterable[int]:
        """Return the rows that the first page of a query's results would cover."""


class Ideal(Simple):
    """Greedy on true benefits: |q(D) ∩ q(H)k| (equation 1), first pages only.

    A true benefit is at most |q(D)|, so it is looked up only where that might win.
    """

    why = "it is known to bring {score} rows not found yet, more than any other"

    def __init__(self, brief: Brief, truth: Truth, coverage: Coverage | None = None) -> None:
        self._truth = truth
        self._known: dict[int, NDArray[np.int64]] = {}
        super().__init__(brief, coverage)

    def benefit(self, query: int) -> float:
        """Return how many rows that are left a query would cover; look it up once."""
        if not self.left[query]:
            return -1.0
        if query not in self._known:
            covered = np.fromiter(self._truth.covers(self.pool.text(query)), dtype=np.int64)
            self._known[query] = np.intersect1d(covered, self.pool.rows(query))
        benefit = int((~self.gone[self._known[query]]).sum())
        return float(benefit) if benefit else -1.0

    def first_benefits(self) -> Floats:
        """Return |q(D)|: no query of the pool can bring more."""
        return self.left.astype(np.float64)
