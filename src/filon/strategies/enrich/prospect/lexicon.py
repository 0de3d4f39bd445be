"""The words of the table, as far as a choice of queries depends on them.

Which column a word stands in, how often it stands next to another, which rows hold several. It
stands on the pool and knows nothing of the service.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from filon.page.words import keywords, words
from filon.strategies.enrich.pool import Ints, Lists, Longs, Pool

Floats = NDArray[np.float64]
Query = tuple[int, ...]
#: More pairs than that are not kept: each costs a few dozen bytes, and the rarest matter least.
MOST_PAIRS = 1_000_000


class Lexicon:
    """Words by number, and the queries of one or two words that several rows share.

    first, second: the words of each shared query; second is -1 where it has one word.
    frequency: of each word: how many rows hold it.
    trait: of each word: twice the number of its column, one more where it has a digit.
    near: the part of its rows in which the words of a shared query stand side by side.
    chance: how many rows a shared query had if its words fell together by chance.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]]) -> None:
        self.columns = list(columns)
        documents = [" ".join(cells) for cells in zip(*columns.values(), strict=True)]
        self.pool = Pool.of(documents, most_pairs=MOST_PAIRS)
        self.size = len(documents)
        self.words = self.pool.words
        self.id = {word: number for number, word in enumerate(self.words)}
        self.frequency = self.pool.inverted.lengths
        self.first, self.second = self.pool.shared
        self.rows = self.pool.frequency[: len(self.first)].astype(np.float64)
        self.trait = self._traits(columns)
        self._beside = self._neighbours(columns)
        self.near = self._nearness()
        self.same = self.alike(self.first, self.second)
        self.chance = self._by_chance()
        self.forward = self._forward()

    def of(self, row: int) -> Ints:
        """Return the words of a row."""
        return self.pool.held.of(row)

    def among(self, text: str) -> list[int]:
        """Return the words of a text that the table has."""
        return [self.id[word] for word in keywords(text) if word in self.id]

    def holding(self, query: Sequence[int]) -> Ints:
        """Return the rows that hold all words of a query."""
        lists = sorted((self.pool.inverted.of(word) for word in query), key=len)
        found = lists[0]
        for other in lists[1:]:
            found = np.intersect1d(found, other, assume_unique=True)
        return found

    def text(self, query: Sequence[int]) -> str:
        """Return the keywords of a query."""
        return " ".join(self.words[word] for word in query)

    def number(self, query: Query) -> int:
        """Return the number of a shared query; -1 where it is none."""
        row = self.holding(query)[:1]
        if len(query) > 2 or not len(row):
            return -1
        near = self.forward.of(int(row[0]))
        first, second = min(query), max(query) if len(query) == 2 else -1
        hit = near[(self.first[near] == first) & (self.second[near] == second)]
        return int(hit[0]) if len(hit) else -1

    def beside(self, query: Query) -> int:
        """Return in how many rows two words stand side by side."""
        if len(query) != 2:
            return 0
        return self._beside.get(min(query) * len(self.words) + max(query), 0)

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
        held = self.pool.held
        ones = np.ones(len(held.values))
        shape = (self.size, len(self.words))
        whole = sparse.csr_matrix((ones, held.values, held.starts), shape=shape)
        kept: sparse.csr_matrix[np.float64] = whole[:, self.frequency >= least].tocsr()
        return kept

    def _traits(self, columns: Mapping[str, Sequence[str]]) -> Longs:
        """Give each word the column in which it stands most often."""
        counts = np.zeros((len(columns), len(self.words)), dtype=np.int64)
        for column, cells in enumerate(columns.values()):
            found = [self.id[word] for cell in cells for word in keywords(cell) if word in self.id]
            counts[column] = np.bincount(found, minlength=len(self.words))
        digits = [any(letter.isdigit() for letter in word) for word in self.words]
        best: Longs = counts.argmax(axis=0) if len(counts) else np.zeros(0, dtype=np.int64)
        return 2 * best + np.array(digits, dtype=np.int64)

    def _neighbours(self, columns: Mapping[str, Sequence[str]]) -> dict[int, int]:
        counts: dict[int, int] = {}
        size = len(self.words)
        for cells in zip(*columns.values(), strict=True):
            pairs: dict[int, None] = {}
            for cell in cells:
                line = [self.id[word] for word in words(cell) if word in self.id]
                for one, other in pairwise(line):
                    pairs[min(one, other) * size + max(one, other)] = None
            for key in pairs:
                counts[key] = counts.get(key, 0) + 1
        return counts

    def _nearness(self) -> Floats:
        keys = np.minimum(self.first, self.second) * len(self.words) + np.maximum(
            self.first, self.second
        )
        counts = [self._beside.get(key, 0) for key in keys.tolist()]
        beside = np.where(self.second < 0, 0, np.array(counts, dtype=np.float64))
        near: Floats = beside / np.maximum(self.rows, 1)
        return near

    def _by_chance(self) -> Floats:
        first = self.frequency[self.first].astype(np.float64)
        second = self.frequency[np.maximum(self.second, 0)] / max(self.size, 1)
        both: Floats = np.where(self.second < 0, first, first * second)
        return both

    def _forward(self) -> Lists:
        """List the shared queries of every row."""
        lists = [self.pool.among(self.of(row)).astype(np.int32) for row in range(self.size)]
        starts = np.zeros(self.size + 1, dtype=np.int64)
        starts[1:] = np.cumsum([len(numbers) for numbers in lists])
        values = np.concatenate([np.zeros(0, dtype=np.int32), *lists])
        return Lists(starts, values)
