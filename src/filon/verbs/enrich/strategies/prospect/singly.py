"""A query for one row: two of its words that are rare and reliable.

Two words that no other row holds together match few records, and survive errors that a query of
the whole row does not.
"""

import math
from collections.abc import Container

import numpy as np

from filon.verbs.enrich.strategies.prospect.lexicon import Floats, Lexicon, Query
from filon.verbs.enrich.strategies.prospect.reliability import Reliability
from filon.verbs.enrich.strategies.prospect.sizes import Sizes, features, share_shown

#: The words of a row that are tried against each other.
WORDS = 6
#: How much being rare counts against being reliable when these are chosen.
RARE = 0.15
#: Rows that are compared: those most likely present.
ROWS = 12
NEARLY = 0.97


class Singly:
    """The best query of each row, as long as nothing new was learnt."""

    def __init__(self, lexicon: Lexicon, page_size: int) -> None:
        self._lexicon, self._page_size = lexicon, page_size
        self._kept: dict[int, tuple[Query, float]] = {}

    def forget(self) -> None:
        """Something was learnt: choose anew."""
        self._kept.clear()

    def best(
        self, weights: Floats, sizes: Sizes, reliability: Reliability, asked: Container[Query]
    ) -> tuple[int, Query, float]:
        """Return the row that is worth a call most, its query, and the chance to be shown."""
        top = float(weights.max()) if len(weights) else 0.0
        best: tuple[int, Query, float] = (-1, (), 0.0)
        value = 0.0
        for row in np.flatnonzero(weights >= NEARLY * top)[:ROWS] if top > 0 else ():
            query, found = self._of(int(row), sizes, reliability, asked)
            if weights[row] * found > value:
                best, value = (int(row), query, found), float(weights[row] * found)
        return best

    def _of(
        self, row: int, sizes: Sizes, reliability: Reliability, asked: Container[Query]
    ) -> tuple[Query, float]:
        if row not in self._kept or self._kept[row][0] in asked:
            self._kept[row] = self._choose(row, sizes, reliability, asked)
        return self._kept[row]

    def _choose(
        self, row: int, sizes: Sizes, reliability: Reliability, asked: Container[Query]
    ) -> tuple[Query, float]:
        words = self._lexicon.of(row).astype(np.int64)
        rare = reliability.logs[words] - RARE * np.log(self._lexicon.frequency[words])
        words = np.sort(words[np.argsort(-rare, kind="stable")][:WORDS])
        if len(words) < 2:
            return (tuple(words.tolist()), math.exp(reliability.logs[words].sum()))
        left, right = (words[side] for side in np.triu_indices(len(words), 1))
        found = self._found(left, right, sizes, reliability)
        for place in np.argsort(-found, kind="stable"):
            query = int(left[place]), int(right[place])
            if query not in asked:
                return query, float(found[place])
        return (), 0.0

    def _found(
        self,
        left: np.ndarray[tuple[int], np.dtype[np.int64]],
        right: np.ndarray[tuple[int], np.dtype[np.int64]],
        sizes: Sizes,
        reliability: Reliability,
    ) -> Floats:
        lexicon = self._lexicon
        beside = (lexicon.beside(left, right) > 0).astype(np.float64)
        chance = lexicon.frequency[left] * lexicon.frequency[right] / lexicon.size
        one = np.ones(len(left))
        columns = lexicon.standing(left, right)
        lines = features(one, chance, 2 * one, beside, lexicon.alike(left, right), columns)
        logs = sizes.predict(lines)
        share = share_shown(logs, sizes.spread, self._page_size)
        found: Floats = share * np.exp(reliability.logs[left] + reliability.logs[right])
        return found
