"""QSEL-SIMPLE and QSEL-BOUND: a query is worth the rows of the table that hold its words."""

import numpy as np

from filon.verbs.enrich.strategies.ground import Outcome
from filon.verbs.enrich.strategies.pooled import Pooled
from filon.verbs.enrich.strategies.queue import Floats


class Simple(Pooled):
    """Algorithm 2: the benefit is |q(D)|, covered rows leave the table."""

    why = "{rows} rows not found yet have these words, more than for any other query"

    def weigh(self) -> Floats:
        """Expect each row to be covered."""
        return np.ones(len(self.pool))


class Bound(Simple):
    """Algorithm 3: a query that missed rows stays in the pool, and the missed rows leave.

    It may ask the same again, and covers at least (1 - |delta D| / b) of what the ideal covers
    (Lemma 2), without a top-k constraint.
    """

    def settle(self, query: int, outcome: Outcome) -> None:
        """Take out the rows that were missed; where none was, those that were covered."""
        here = self.pool.rows(query)
        here = here[~self.gone[here]]
        missed = np.setdiff1d(here, outcome.rows, assume_unique=True)
        if len(missed):
            self.remove(missed)
            self.put_back(query)
        else:
            self.remove(outcome.rows)
