"""SMARTCRAWL: benefits estimated from a sample of the hidden table.

And what the paper compares it with. QSEL-SIMPLE and QSEL-BOUND: a query is worth the rows of the
table that hold its words. NAIVECRAWL: a query a row, of all its words, in a random order.
"""

from collections.abc import Iterable

import numpy as np

from filon.core import UserError
from filon.verbs.enrich.strategies import Brief, Sample
from filon.verbs.enrich.strategies.coverage import Coverage, Outcome
from filon.verbs.enrich.strategies.lexicon import Ints
from filon.verbs.enrich.strategies.pooled import Floats, Pooled
from filon.verbs.enrich.strategies.sampling import with_sample


class Naive(Pooled):
    """NAIVECRAWL: asks for one row after the other, by all its words.

    Rows that were covered by chance are left out.

    >>> from filon.testing import ToyTable
    >>> table = ToyTable()  # the running example of the paper, Figure 1
    >>> table.play(Naive(table.brief()))
    [('thai house', 2), ('thai bbq', 1), ('jade noodle house', 1)]

    Reference: SMARTCRAWL (see `Biased`), section 13.1.
    """

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


class Simple(Pooled):
    """QSEL-SIMPLE: the benefit is |q(D)|, covered rows leave the table.

    Three rows hold "house", but two records are shown of six (k = 2), and one of them is a row's:

    >>> from filon.testing import ToyTable
    >>> table = ToyTable()
    >>> table.play(Simple(table.brief()))
    [('house', 1), ('noodle house', 2), ('thai bbq', 1)]

    Reference: SMARTCRAWL (see `Biased`), Algorithm 2.
    """

    why = "{rows} rows not found yet have these words, more than for any other query"

    def weigh(self) -> Floats:
        """Expect each row to be covered."""
        return np.ones(len(self.pool))


class Bound(Simple):
    """QSEL-BOUND: a query that missed rows stays in the pool, and these rows leave.

    It may ask the same again, and covers at least (1 - |delta D| / b) of what the ideal covers,
    without a top-k constraint. With one it gives up rows that stood on a later page:

    >>> from filon.testing import ToyTable
    >>> for page_size in (2, 10):
    ...     table = ToyTable(page_size=page_size)
    ...     table.play(Bound(table.brief()))
    [('house', 1), ('thai', 1), ('house', 0)]
    [('house', 3), ('thai bbq', 1)]

    Reference: SMARTCRAWL (see `Biased`), Algorithm 3 and Lemma 2.
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


class Biased(Pooled):
    """SMARTCRAWL-B: every row of a query is taken to be in the hidden table.

    Estimates of Table 1: |q(D)| for a solid query, |q(D)| k theta / |q(Hs)| for an overflowing one.
    sampled: |q(Hs)|, for each query of the pool.

    "house" is worth 3 * 2 * (1 / 3) / 2 = 1 of its three rows, so "thai" is asked first. Of the
    larger table's 60 rows 54 can be found:

    >>> from filon.testing import ToyTable
    >>> table = ToyTable()
    >>> table.play(Biased(table.brief()))
    [('thai', 2), ('thai bbq', 1), ('jade noodle house', 1)]
    >>> table = ToyTable.made()
    >>> sum(rows for _, rows in table.play(Biased(table.brief()), calls=20))
    43

    Reference: P. Wang, R. Shea, J. Wang and E. Wu, "Progressive Deep Web Crawling Through Keyword
    Queries For Data Enrichment", SIGMOD 2019, Algorithm 4, Table 1 and equations 5, 9 and 13.
    """

    removal_by_default = True
    why = "{rows} rows not found yet have these words, and the sample promises {score} of them"

    def __init__(self, brief: Brief, coverage: Coverage | None = None) -> None:
        self.sample = given_sample(brief)
        self.sample_texts = [" ".join(record.fields.values()) for record in self.sample.records]
        super().__init__(brief, coverage)

    def weigh(self) -> Floats:
        """Return 1 for a solid query, and k / |q(H)| for an overflowing one (equations 5, 13)."""
        return np.minimum(1.0, self.brief.provider.page_size / np.maximum(self.hidden(), 1e-9))

    def hidden(self) -> Floats:
        """Return the estimate of |q(H)| for each query (equation 9)."""
        self.sampled: Ints = self.pool.frequency_in(self.sample_texts)
        estimate = self.sampled / self.sample.ratio
        # Section 6.2: where no record of the sample satisfies a query, the table is the sample.
        alpha = self.sample.ratio * len(self.coverage.documents) / max(len(self.sample_texts), 1)
        return np.where(self.sampled > 0, estimate, self.pool.frequency / alpha)


class Unbiased(Biased):
    """SMARTCRAWL-U: only rows that match a record of the sample count.

    |q(D) n q(Hs)| / theta for a solid query, |q(D) n q(Hs)| k / |q(Hs)| for an overflowing one.
    Few queries have any. The others are worth nothing and are asked in a random order.

    >>> from filon.testing import ToyTable
    >>> table = ToyTable()
    >>> table.play(Unbiased(table.brief()))
    [('thai house', 2), ('house', 0), ('thai bbq', 1), ('noodle house', 1)]
    >>> table = ToyTable.made()
    >>> sum(rows for _, rows in table.play(Unbiased(table.brief()), calls=20))
    29

    Reference: SMARTCRAWL (see `Biased`), equations 3 and 12.
    """

    why = "the rows of the sample that match promise {score} rows"

    def __init__(self, brief: Brief, coverage: Coverage | None = None) -> None:
        self._shared: dict[int, list[int]] = {}
        for place, record in enumerate(given_sample(brief).records):
            for row in brief.matcher.rows(record):
                self._shared.setdefault(row, []).append(place)
        super().__init__(brief, coverage)

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


smartcrawl_b = with_sample(Biased)
smartcrawl_u = with_sample(Unbiased)
