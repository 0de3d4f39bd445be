"""SMARTCRAWL: benefits estimated from a sample of the hidden table (Algorithm 4, Table 1)."""

from collections.abc import Iterable

import numpy as np

from filon.core import UserError
from filon.verbs.enrich.strategies.brief import Brief, Sample
from filon.verbs.enrich.strategies.ground import Ground
from filon.verbs.enrich.strategies.pool import Ints
from filon.verbs.enrich.strategies.pooled import Pooled
from filon.verbs.enrich.strategies.queue import Floats


class Biased(Pooled):
    """SMARTCRAWL-B: every row of a query is taken to be in the hidden table.

    sampled: |q(Hs)|, for each query of the pool.
    """

    removal_by_default = True
    why = "{rows} rows not found yet have these words, and the sample promises {score} of them"

    def __init__(self, brief: Brief, ground: Ground | None = None) -> None:
        self.sample = given_sample(brief)
        self.sample_texts = [" ".join(record.fields.values()) for record in self.sample.records]
        super().__init__(brief, ground)

    def weigh(self) -> Floats:
        """Return 1 for a solid query, and k / |q(H)| for an overflowing one (equations 5, 13)."""
        return np.minimum(1.0, self.brief.provider.page_size / np.maximum(self.hidden(), 1e-9))

    def hidden(self) -> Floats:
        """Return the estimate of |q(H)| for each query (equation 9)."""
        self.sampled: Ints = self.pool.frequency_in(self.sample_texts)
        estimate = self.sampled / self.sample.ratio
        # Section 6.2: where no record of the sample satisfies a query, the table is the sample.
        alpha = self.sample.ratio * len(self.ground.documents) / max(len(self.sample_texts), 1)
        return np.where(self.sampled > 0, estimate, self.pool.frequency / alpha)


class Unbiased(Biased):
    """SMARTCRAWL-U: only rows that match a record of the sample count.

    Few queries have any. The others are worth nothing and are asked in a random order.
    """

    why = "the rows of the sample that match promise {score} rows"

    def __init__(self, brief: Brief, ground: Ground | None = None) -> None:
        self._shared: dict[int, list[int]] = {}
        for place, record in enumerate(given_sample(brief).records):
            for row in brief.matcher.rows(record):
                self._shared.setdefault(row, []).append(place)
        super().__init__(brief, ground)

    def weigh(self) -> Floats:
        """Return 1 / theta for a solid query, k / |q(Hs)| for an overflowing one."""
        hidden, k = self.hidden(), self.brief.provider.page_size
        self.matched = np.zeros(len(self.pool), dtype=np.int32)
        for row in self._shared:
            self._match(row, 1)
        overflowing = k / np.maximum(self.sampled, 1)
        return np.where(hidden <= k, 1 / self.sample.ratio, overflowing)

    def benefit(self, query: int) -> float:
        """Return the estimate of equations 3 and 12."""
        if not self.left[query]:
            return -1.0
        return float(self.matched[query] * self.weight[query])

    def first_benefits(self) -> Floats:
        """Return the estimates as they are; all that have rows left may be asked."""
        return np.where(self.left > 0, self.matched * self.weight, -1.0)

    def remove(self, rows: Iterable[int]) -> None:
        """Take rows out of the table and out of the matches."""
        fresh = [row for row in dict.fromkeys(map(int, rows)) if not self.gone[row]]
        for row in fresh:
            if row in self._shared:
                self._match(row, -1)
        super().remove(fresh)

    def _match(self, row: int, by: int) -> None:
        """Add to |q(D) ∩ q(Hs)| what a row and the records that match it share."""
        own = self.pool.forward(row)
        for place in self._shared[row]:
            theirs = self.pool.satisfied(self.sample_texts[place])
            self.matched[np.intersect1d(own, theirs, assume_unique=True)] += by


def given_sample(brief: Brief) -> Sample:
    """Return the sample of a brief; a UserError where it has none."""
    if brief.sample is None or not 0 < brief.sample.ratio <= 1:
        raise UserError(
            "This strategy needs a sample of the hidden table: give one (--sample FILE with "
            "--sample-ratio R), or let it draw N records with paid calls (--set sample=N)."
        )
    return brief.sample
