"""The words of a table: which rows hold them, which are frequent together, where they stand.

Rows and words are numbers, and what holds what is in arrays. It knows nothing of the service. A
pool of queries (`pool`) and `prospect` are made from it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from filon.page.words import keywords, words

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Query = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lists:
    """Lists of numbers one after the other: list i is values[starts[i]:starts[i + 1]]."""

    starts: Longs
    values: Ints

    def of(self, place: int) -> Ints:
        """Return one of the lists."""
        return self.values[self.starts[place] : self.starts[place + 1]]

    @property
    def lengths(self) -> Longs:
        """How long each list is."""
        return np.diff(self.starts)


#: Words of a row beyond these are left out: no service takes a query so long, and the number of
#: pairs grows with the square.
WIDEST = 64


def read(documents: Sequence[str], others: Sequence[str] = ()) -> tuple[list[str], Lists, Longs]:
    """Return the different words of a table, which of them each row holds, and how many are own.

    others: more text of each row. Its words come after the own ones, in the row and by number.
    """
    ids: dict[str, int] = {}
    values: list[int] = []
    own = np.zeros(len(documents), dtype=np.int64)
    for row, document in enumerate(documents):
        held = keywords(document)[:WIDEST]
        own[row] = len(held)
        values.extend([ids.setdefault(word, len(ids)) for word in held])
    lists = Lists(starts_of(own), np.array(values, dtype=np.int32))
    if others:
        lists = _with_others(lists, others, ids)
    return list(ids), lists, own


def _with_others(lists: Lists, others: Sequence[str], ids: dict[str, int]) -> Lists:
    """Put the words of more text after those of each row."""
    values: list[int] = []
    lengths = np.zeros(len(others), dtype=np.int64)
    for row, document in enumerate(others):
        held = lists.of(row).tolist()
        there, room = set(held), WIDEST - len(held)
        more = [ids.setdefault(word, len(ids)) for word in keywords(document)[:WIDEST]]
        held += [number for number in more if number not in there][:room]
        lengths[row] = len(held)
        values.extend(held)
    return Lists(starts_of(lengths), np.array(values, dtype=np.int32))


def starts_of(lengths: Longs) -> Longs:
    """Return where lists of these lengths start, one after another, and where the last ends."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def common(few: Ints, many: Ints) -> Ints:
    """Return what two lists have in common, both ascending and nothing twice in either.

    >>> common(np.array([2, 5]), np.array([1, 2, 3, 4])).tolist()
    [2]
    """
    places = np.minimum(np.searchsorted(many, few), len(many) - 1)
    return few[many[places] == few] if len(many) else few[:0]


def invert(held: Lists, words: int) -> Lists:
    """Return the rows of each word."""
    rows = np.repeat(np.arange(len(held.starts) - 1, dtype=np.int32), held.lengths)
    order = np.argsort(held.values, kind="stable")
    return Lists(starts_of(np.bincount(held.values, minlength=words)), rows[order])


#: How many products of the sparse matrix are in memory at a time: about half a gigabyte.
BLOCK = 30_000_000


def frequent_pairs(held: Lists, inverted: Lists, t: int, most: int) -> tuple[Longs, Ints, int]:
    """Return the keys of the frequent pairs in order, how frequent they are, and the new t."""
    keys, counts = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    for more_keys, more_counts in _products(held, inverted, t):
        frequent = more_counts >= t
        keys = np.concatenate([keys, more_keys[frequent]])
        counts = np.concatenate([counts, more_counts[frequent]])
        while len(keys) > most:
            t += 1
            keys, counts = keys[counts >= t], counts[counts >= t]
    order = np.argsort(keys, kind="stable")
    return keys[order], counts[order], t


def _products(held: Lists, inverted: Lists, t: int) -> Iterator[tuple[Longs, Ints]]:
    """Multiply the table of words and rows by itself, some words at a time."""
    size = len(inverted.starts) - 1
    frequent = np.flatnonzero(inverted.lengths >= max(t, 1))
    if not len(frequent):
        return
    ones = np.ones(len(held.values), dtype=np.int32)
    shape = (len(held.starts) - 1, size)
    table = sparse.csr_matrix((ones, held.values, held.starts), shape=shape)[:, frequent]
    turned = table.T.tocsr()
    effort = turned @ np.diff(table.indptr).astype(np.int64)
    blocks = np.cumsum(effort) // BLOCK
    edges = np.searchsorted(blocks, np.unique(blocks))
    for first, last in zip(edges, [*edges[1:], len(frequent)], strict=True):
        product = (turned[first:last] @ table).tocoo()
        left, right = frequent[product.row + first], frequent[product.col]
        upper = (left < right) & (product.data >= t)
        yield left[upper] * np.int64(size) + right[upper], product.data[upper]


def undominated(inverted: Lists, keys: Longs, counts: Ints, t: int) -> Ints:
    """Return the frequent words that no pair dominates: none is in the same rows."""
    size = max(len(inverted.starts) - 1, 1)
    best = np.zeros(size, dtype=np.int64)
    np.maximum.at(best, keys // size, counts)
    np.maximum.at(best, keys % size, counts)
    lengths = inverted.lengths
    return np.flatnonzero((lengths >= t) & (lengths > best[: len(lengths)])).astype(np.int32)


def places_of(starts: Longs, lengths: Longs) -> Longs:
    """Return the places starts[i], ..., starts[i] + lengths[i] - 1 for all i, one after another."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(
        starts - ends + lengths, lengths
    )


class Lexicon:
    """Words by number.

    held: the words of each row. inverted: the rows of each word.
    frequency: of each word: how many rows hold it.
    trait: of each word: twice the number of its column, one more where it has a digit.
    others: columns beside those that are named; their words come last in every row.
    named: how many columns are named; own: how many words of each row are of these.
    named_words: of each word: whether it stands in a named column.
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[str]],
        others: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        others = others or {}
        self.named = len(columns)
        documents = [" ".join(cells) for cells in zip(*columns.values(), strict=True)]
        more = [" ".join(cells) for cells in zip(*others.values(), strict=True)]
        columns = {**columns, **others}
        self.columns = list(columns)
        self.size = len(documents)
        self.words, self.held, self.own = read(documents, more)
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
        self.named_words = counts[: self.named].any(axis=0)
        self.trait = self._traits(counts)
        self._pairs, self._beside = np.unique(np.concatenate(pairs), return_counts=True)

    def of(self, row: int) -> Ints:
        """Return the words of a row."""
        return self.held.of(row)

    def own_of(self, row: int) -> Ints:
        """Return the words of a row that stand in named columns."""
        return self.held.of(row)[: self.own[row]]

    def is_other(self, word: int) -> bool:
        """Tell whether a word mostly stands in columns that were not named."""
        return int(self.trait[word]) >= 2 * self.named

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
