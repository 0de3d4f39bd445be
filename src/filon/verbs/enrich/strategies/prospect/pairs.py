"""The queries of one or two words that several rows share, and what the table says of each.

Which of them a row holds is listed row by row, so that a row that is covered can be taken off its
queries without a look at the others.
"""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from filon.verbs.enrich.strategies.pool import Ints, Lists, frequent_pairs, undominated
from filon.verbs.enrich.strategies.prospect.lexicon import Floats, Lexicon, Query

#: More pairs than that are not kept: each costs a few dozen bytes, and the rarest matter least.
MOST_PAIRS = 1_000_000
LEAST_ROWS = 2
#: Words of rows that are paired at a time, against memory.
BLOCK = 2_000_000


class Pairs:
    """Shared queries by number: single words first, then pairs.

    first, second: the words of each; second is -1 where it has one word.
    rows: how many rows hold each. near: in what part of them its words stand side by side.
    same: whether its words are of one column.
    chance: how many rows it had if its words fell together by chance.
    forward: the queries of each row.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = max(len(lexicon.words), 1)
        found = frequent_pairs(lexicon.held, lexicon.inverted, LEAST_ROWS, MOST_PAIRS)
        self._keys, counts, least = found
        singles = undominated(lexicon.inverted, self._keys, counts, LEAST_ROWS)
        self._single = np.full(len(lexicon.words), -1, dtype=np.int64)
        self._single[singles] = np.arange(len(singles))
        first, second = np.divmod(self._keys, self._words)
        none = np.full(len(singles), -1, dtype=np.int64)
        self.first, self.second = np.concatenate([singles, first]), np.concatenate([none, second])
        shared = np.concatenate([lexicon.frequency[singles], counts])
        self.rows: Floats = shared.astype(np.float64)
        beside = lexicon.beside(self.first, np.maximum(self.second, 0))
        self.near: Floats = np.where(self.second < 0, 0.0, np.minimum(beside / self.rows, 1.0))
        self.same = lexicon.alike(self.first, self.second)
        self.chance = self._by_chance(lexicon)
        self.forward = self._forward(lexicon, least)

    def __len__(self) -> int:
        return len(self.first)

    def number(self, query: Query) -> int:
        """Return the number of a shared query; -1 where it is none."""
        if len(query) == 1:
            return int(self._single[query[0]])
        key = min(query) * self._words + max(query)
        place = int(np.searchsorted(self._keys, key))
        there = len(query) == 2 and place < len(self._keys) and self._keys[place] == key
        return len(self.first) - len(self._keys) + place if there else -1

    def _by_chance(self, lexicon: Lexicon) -> Floats:
        first = lexicon.frequency[self.first].astype(np.float64)
        second = lexicon.frequency[np.maximum(self.second, 0)] / max(lexicon.size, 1)
        both: Floats = np.where(self.second < 0, first, first * second)
        return both

    def _forward(self, lexicon: Lexicon, least: int) -> Lists:
        """List the shared queries of every row."""
        rows = np.repeat(np.arange(lexicon.size, dtype=np.int32), lexicon.held.lengths)
        words = lexicon.held.values
        frequent = lexicon.frequency[words] >= min(least, LEAST_ROWS)
        rows, words = rows[frequent], words[frequent]
        order = np.lexsort((words, rows))
        rows, words = rows[order], words[order]
        parts = list(self._held(rows, words))
        held = np.concatenate([np.zeros(0, dtype=np.int32), *(row for row, _ in parts)])
        queries = np.concatenate([np.zeros(0, dtype=np.int32), *(some for _, some in parts)])
        shape = (lexicon.size, len(self.first))
        table = sparse.csr_matrix((np.ones(len(held), dtype=np.int8), (held, queries)), shape)
        return Lists(table.indptr.astype(np.int64), table.indices.astype(np.int32))

    def _held(self, rows: Ints, words: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Yield rows and the queries that they hold; words: of each row, in ascending order."""
        single = self._single[words]
        yield rows[single >= 0], single[single >= 0].astype(np.int32)
        if not len(self._keys):
            return
        singles = len(self.first) - len(self._keys)
        starts = np.arange(len(words))
        for ahead in range(1, len(words)):
            starts = starts[starts < len(words) - ahead]
            starts = starts[rows[starts] == rows[starts + ahead]]
            if not len(starts):
                return
            for some in np.array_split(starts, len(starts) // BLOCK + 1):
                keys = words[some].astype(np.int64) * self._words + words[some + ahead]
                places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
                hit = self._keys[places] == keys
                yield rows[some[hit]], (places[hit] + singles).astype(np.int32)
