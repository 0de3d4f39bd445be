"""NAIVECRAWL: a query a row, of all its words, in a random order (section 13)."""

import numpy as np

from filon.verbs.enrich.strategies.pooled import Pooled
from filon.verbs.enrich.strategies.queue import Floats


class Naive(Pooled):
    """Asks for one row after the other; those that were covered by chance are left out."""

    why = "it is made of all words of a row, drawn at random"

    def weigh(self) -> Floats:
        """Weigh the queries of whole rows, and no other."""
        weight = np.zeros(len(self.pool))
        weight[self.pool.own[self.pool.own >= 0]] = 1.0
        return weight

    def benefit(self, query: int) -> float:
        """All rows are worth the same."""
        return 1.0 if self.weight[query] and self.left[query] else -1.0

    def first_benefits(self) -> Floats:
        """Leave the other queries out."""
        return np.where((self.weight > 0) & (self.left > 0), 1.0, -1.0)
