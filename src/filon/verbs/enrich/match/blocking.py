"""Which rows a record could be: those that share its rarest words. Never all pairs."""

import math
from collections.abc import Iterable, Set

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
#: Row entries read for a record: more only help records whose words are all common.
READ = 500
#: Rows that are compared with a record.
KEEP = 6
#: The part of a row's or a record's weight that they must share to be compared.
SHARE = 0.2


class Index:
    """Finds the rows that share rare words with a record."""

    def __init__(self, rows: Iterable[Set[str]]) -> None:
        held: dict[str, list[int]] = {}
        size = 0
        for row, words in enumerate(rows):
            size += 1
            for word in words:
                held.setdefault(word, []).append(row)
        self._rows = {word: np.array(found, dtype=np.int32) for word, found in held.items()}
        self._weights = {word: _weigh(size, len(found)) for word, found in held.items()}
        self._unseen = _weigh(size, 0)
        self._totals = np.zeros(size, dtype=np.int64)
        for word, found in self._rows.items():
            self._totals[found] += self._weights[word]

    def near(self, words: Iterable[str], keep: int = KEEP) -> Ints:
        """Return the rows that share most with these words, the nearest first."""
        read = self._rarest(words)
        found = [self._rows[word] for word in read if word in self._rows]
        if not found:
            return np.zeros(0, dtype=np.int64)
        weights = [self._weights[word] for word in read if word in self._rows]
        rows, spots = np.unique(np.concatenate(found), return_inverse=True)
        shared = np.bincount(spots, weights=np.repeat(weights, [len(part) for part in found]))
        least = SHARE * np.minimum(self._totals[rows], self._total(read))
        order = np.argsort(-shared, kind="stable")[:keep]
        return rows[order[shared[order] >= least[order]]].astype(np.int64)

    def _rarest(self, words: Iterable[str]) -> list[str]:
        """The rarest words, as many as may be read; those of no row cost nothing."""
        counted = sorted((len(self._rows.get(word, ())), word) for word in words)
        read, taken = 0, []
        for count, word in counted:
            if read and read + count > READ:
                break
            read += count
            taken.append(word)
        return taken

    def _total(self, words: Iterable[str]) -> int:
        return sum(self._weights.get(word, self._unseen) for word in words)


def _weigh(size: int, count: int) -> int:
    """Whole numbers: their sum does not depend on the order of the words."""
    return int(256 * math.log(1 + size / (1 + count)))
