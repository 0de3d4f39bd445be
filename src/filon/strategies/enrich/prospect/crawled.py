"""The records that were returned so far, as a growing sample of the hidden table.

Each new record counts for the shared queries that it matches, except those with a word that was
asked for when it came: it would not have come without it. How large a sample that is, in effect,
is learnt from the queries whose size became known.
"""

from collections.abc import Sequence

import numpy as np

from filon.strategies.enrich.prospect.lexicon import Floats, Lexicon

#: A very large query would drown all others in the estimate of the sample's size.
MOST_COUNTED = 20.0
#: Records of one answer that are looked at: more of them tell little more, and cost time.
MOST_RECORDS = 30


class Crawled:
    """Counts, for each shared query, the records that match it by the way."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.counts = np.zeros(len(lexicon.first))
        self._counted = self._sizes = 0.0

    def note(self, words: Sequence[int], asked: Sequence[int]) -> None:
        """Count a new record: its words that the table has, those of the query aside."""
        free = [word for word in words if word not in asked]
        self.counts[self._lexicon.pool.among(np.array(free, dtype=np.int32))] += 1

    def compare(self, number: int, size: int) -> None:
        """Compare a count with the size that turned out to be true."""
        counted = float(self.counts[number])
        part = min(1.0, MOST_COUNTED / counted) if counted else 1.0
        self._counted += part * counted
        self._sizes += part * size

    @property
    def ratio(self) -> float:
        """The part of the hidden table that the sample is, in effect."""
        return self._counted / self._sizes if self._sizes else 0.0

    def sharpen(self, logs: Floats, spread: float) -> tuple[Floats, Floats]:
        """Return log sizes and their spreads, given what the regression says and the counts.

        The count is Poisson with mean ratio * N, and N gamma with the regression's mean and spread.
        """
        shape = 1 / spread**2
        rate = shape / np.exp(np.minimum(logs, 30.0)) + self.ratio
        sizes = np.log((shape + self.counts) / rate)
        return np.maximum(sizes, 0.0), 1 / np.sqrt(shape + self.counts)
