"""Which words of the table can be relied on: how often they stand in the record of their row too.

Each matched record is looked through for the words of its row, those of the query aside. Columns
that the service does not index, codes, other spellings: their words are rarely found there. A
word is judged by its column, and by itself where it was met often.
"""

from collections.abc import Sequence

import numpy as np

from filon.verbs.enrich.strategies.prospect.lexicon import Floats, Lexicon

#: How often a word is in the record before anything is known: plain words, and those with digits.
PLAIN, DIGITS = 0.85, 0.6
#: How many words of its column, or matches of its own, weigh as much as what was believed before.
OF_COLUMN, OF_WORD = 3.0, 3.0
#: Nothing is wholly reliable, or never.
LEAST, MOST = 0.02, 0.97
#: What is assumed of every word where nothing is to be learnt.
FIXED = 0.95


class Reliability:
    """Counts words found and missed in matched records, by column and by word."""

    def __init__(self, lexicon: Lexicon, *, columns: bool, words: bool) -> None:
        self._lexicon = lexicon
        self._by_column, self._by_word = columns, words
        self._traits = np.zeros((2, 2 * len(lexicon.columns)))
        self._words = np.zeros((2, len(lexicon.words)))
        self.logs = np.log(self._rates())

    def note(
        self, rows: Sequence[int], kept: Sequence[Sequence[int]], asked: Sequence[int]
    ) -> None:
        """Take note of matched records: which words of its row each holds, but those asked for."""
        seen = [word for row in rows for word in self._lexicon.of(row).tolist()]
        found = [word for some in kept for word in some]
        for line, words in enumerate((found, seen)):
            here = np.array([word for word in words if word not in asked], dtype=np.int64)
            np.add.at(self._words[line], here, 1)
            np.add.at(self._traits[line], self._lexicon.trait[here], 1)

    def blame(self, query: Sequence[int]) -> None:
        """Take note of a query that matched nothing at all: one of its words is to blame."""
        self._words[1, list(query)] += 1 / len(query)

    def fit(self) -> None:
        """Bring the rates up to date."""
        self.logs = np.log(self._rates())

    def of(self, query: Sequence[int]) -> float:
        """Return the chance that the record of a row holds all words of a query."""
        return float(np.exp(self.logs[list(query)].sum()))

    @property
    def columns(self) -> dict[str, float]:
        """How often words of each column were found, in percent, where there were any."""
        found, seen = self._traits.reshape(2, -1, 2).sum(axis=2)
        names = enumerate(self._lexicon.columns)
        return {name: round(100 * found[at] / seen[at]) for at, name in names if seen[at]}

    def _rates(self) -> Floats:
        if not self._by_column:
            return np.full(len(self._lexicon.words), FIXED)
        prior = np.tile([PLAIN, DIGITS], len(self._lexicon.columns))
        rates = (self._traits[0] + OF_COLUMN * prior) / (self._traits[1] + OF_COLUMN)
        rate = rates[self._lexicon.trait]
        if self._by_word:
            rate = (self._words[0] + OF_WORD * rate) / (self._words[1] + OF_WORD)
        clipped: Floats = np.clip(rate, LEAST, MOST)
        return clipped
