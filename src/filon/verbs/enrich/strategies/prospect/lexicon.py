"""The words of the table, as far as a choice of queries depends on them.

Which column a word stands in, how often it stands next to another, which rows hold several. It
knows nothing of the service.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from filon.page.words import keywords, words
from filon.verbs.enrich.strategies.pool import Ints, Longs, invert, read

Floats = NDArray[np.float64]
Query = tuple[int, ...]


class Lexicon:
    """Words by number.

    held: the words of each row. inverted: the rows of each word.
    frequency: of each word: how many rows hold it.
    trait: of each word: twice the number of its column, one more where it has a digit.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]]) -> None:
        self.columns = list(columns)
        documents = [" ".join(cells) for cells in zip(*columns.values(), strict=True)]
        self.size = len(documents)
        self.words, self.held = read(documents)
        self.id = {word: number for number, word in enumerate(self.words)}
        self.inverted = invert(self.held, len(self.words))
        self.frequency = self.inverted.lengths
        counts = np.zeros((len(columns), len(self.words)), dtype=np.int64)
        pairs = [np.zeros(0, dtype=np.int64)]
        for column, cells in enumerate(columns.values()):
            line, cell = self._numbers(cells)
            counts[column] = np.bincount(line, minlength=len(self.words))
            same = cell[:-1] == cell[1:]
            pairs.append(self._keys(line[:-1][same], line[1:][same]))
        self.trait = self._traits(counts)
        self._pairs, self._beside = np.unique(np.concatenate(pairs), return_counts=True)

    def of(self, row: int) -> Ints:
        """Return the words of a row."""
        return self.held.of(row)

    def among(self, text: str) -> list[int]:
        """Return the words of a text that the table has."""
        return [self.id[word] for word in keywords(text) if word in self.id]

    def holding(self, query: Sequence[int]) -> Ints:
        """Return the rows that hold all words of a query."""
        lists = sorted((self.inverted.of(word) for word in query), key=len)
        found = lists[0]
        for other in lists[1:]:
            # A short list is looked up in a long one, not merged with it.
            places = np.minimum(np.searchsorted(other, found), len(other) - 1)
            found = found[other[places] == found]
        return found

    def text(self, query: Sequence[int]) -> str:
        """Return the keywords of a query."""
        return " ".join(self.words[word] for word in query)

    def beside(self, first: Longs, second: Longs) -> Floats:
        """Return how often the words of pairs stand side by side."""
        keys = self._keys(first, second)
        if not len(self._pairs):
            return np.zeros(len(keys))
        places = np.minimum(np.searchsorted(self._pairs, keys), len(self._pairs) - 1)
        counts: Floats = np.where(self._pairs[places] == keys, self._beside[places], 0.0)
        return counts

    def alike(self, first: Longs, second: Longs) -> Floats:
        """Tell which pairs have both words in the same column."""
        same = self.trait[first] // 2 == self.trait[np.maximum(second, 0)] // 2
        both: Floats = (same & (second >= 0)).astype(np.float64)
        return both

    def standing(self, *words: Longs) -> Floats:
        """Return the part of each query's words in each column; -1 is no word."""
        parts = np.zeros((len(words[0]), len(self.columns)))
        count = np.zeros(len(words[0]))
        for some in words:
            here = np.flatnonzero(some >= 0)
            parts[here, self.trait[some[here]] // 2] += 1
            count[here] += 1
        share: Floats = parts / np.maximum(count, 1)[:, None]
        return share

    def table(self, least: int) -> "sparse.csr_matrix[np.float64]":
        """Return which row holds which word, of words that some rows hold."""
        ones = np.ones(len(self.held.values))
        shape = (self.size, len(self.words))
        whole = sparse.csr_matrix((ones, self.held.values, self.held.starts), shape=shape)
        kept: sparse.csr_matrix[np.float64] = whole[:, self.frequency >= least].tocsr()
        return kept

    def _numbers(self, cells: Sequence[str]) -> tuple[Longs, Longs]:
        """Return the words of a column one after another, and in which cell each stands."""
        line: list[int] = []
        lengths = np.zeros(len(cells), dtype=np.int64)
        for place, cell in enumerate(cells):
            found = [self.id[word] for word in words(cell) if word in self.id]
            line += found
            lengths[place] = len(found)
        return np.array(line, dtype=np.int64), np.repeat(np.arange(len(cells)), lengths)

    def _keys(self, first: Longs, second: Longs) -> Longs:
        return np.minimum(first, second) * np.int64(len(self.words)) + np.maximum(first, second)

    def _traits(self, counts: Longs) -> Longs:
        """Give each word the column in which it stands most often."""
        digits = [any(letter.isdigit() for letter in word) for word in self.words]
        best: Longs = counts.argmax(axis=0) if len(counts) else np.zeros(0, dtype=np.int64)
        return 2 * best + np.array(digits, dtype=np.int64)
