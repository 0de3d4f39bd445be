"""The records that were returned so far, as a growing sample of the hidden table.

Each new record counts for the shared queries that it matches, except those with a word that was
asked for when it came: it would not have come without it. How large a sample that is, in effect,
is learnt from the queries whose size became known.
"""

import math
from collections.abc import Sequence

import numpy as np

from filon.strategies.enrich.prospect.lexicon import Floats, Lexicon

#: How far the counts are trusted: records come in clusters, not one by one.
TRUSTED = 0.2
#: Records of one answer that are looked at: more of them tell little more, and cost time.
MOST_RECORDS = 30


class Crawled:
    """Counts, for each shared query, the records that match it by the way."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.counts = np.zeros(len(lexicon.first))
        self._counted = self._chances = 0.0
        self._records = 0

    def note(self, words: Sequence[int], asked: Sequence[int]) -> None:
        """Count a new record: its words that the table has, those of the query aside."""
        free = [word for word in words if word not in asked]
        self.counts[self._lexicon.pool.among(np.array(free, dtype=np.int32))] += 1
        self._records += 1

    def compare(self, number: int, size: float) -> None:
        """Compare a count with the size that turned out to be true."""
        weight = 1 / math.sqrt(size)  # a very large query must not drown all others
        self._counted += weight * float(self.counts[number])
        self._chances += weight * size * self._records

    @property
    def ratio(self) -> float:
        """The part of the hidden table that the sample is, in effect."""
        return self._records * self._counted / self._chances if self._counted else 0.0

    def sharpen(self, logs: Floats, spread: float) -> tuple[Floats, Floats]:
        """Return log sizes and their spreads, given what the regression says and the counts.

        The count is Poisson with mean ratio * N, and N gamma with the regression's mean and spread.
        """
        shape = 1 / spread**2
        rate = shape / np.exp(np.minimum(logs, 30.0)) + TRUSTED * self.ratio
        counted = shape + TRUSTED * self.counts
        return np.maximum(np.log(counted / rate), 0.0), 1 / np.sqrt(counted)
