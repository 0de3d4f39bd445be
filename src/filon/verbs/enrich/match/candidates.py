"""All pairs of a row and a record that could match, and how alike they are.

Which rows a record could be: those that share its rarest words. Never all pairs.
"""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from copy import copy
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from filon.core.service import Record
from filon.verbs.enrich.match.align import Alignment, Pairing
from filon.verbs.enrich.match.identifiers import is_whole
from filon.verbs.enrich.match.kinds import Text, Value
from filon.verbs.enrich.match.scorer import Scorer, learn, start
from filon.verbs.enrich.match.similarity import Comparison, Flags, Floats, Ints, Values

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
        rows, shared = _summed(found, weights)
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


def _summed(
    found: Sequence[NDArray[np.int32]], weights: Sequence[int]
) -> tuple[NDArray[np.int32], Ints]:
    """Return the different rows of some lists, and what the lists weigh together that hold each.

    As `numpy.unique` and `bincount` do, in half the time: it is done for every record.
    """
    if len(found) == 1:
        return found[0], np.full(len(found[0]), weights[0])
    rows = np.concatenate(found)
    held = np.repeat(weights, [len(part) for part in found])
    order = rows.argsort(kind="stable")
    rows, held = rows[order], held[order]
    first = np.flatnonzero(rows[1:] != rows[:-1]) + 1
    first = np.concatenate([[0], first])
    return rows[first], np.add.reduceat(held, first)


def _weigh(size: int, count: int) -> int:
    """Whole numbers: their sum does not depend on the order of the words."""
    return int(256 * math.log(1 + size / (1 + count)))


#: Rows of the table that are paired with each other to learn how alike strangers are.
DECOY_ROWS = 3000
#: Decoys of a row.
DECOYS = 3
#: The part of a text column's values that must be different, or else it holds labels.
DIFFERENT = 0.5
#: The part of a column's codes that must be identifiers, and different ones.
WHOLE = 0.8


class Table:
    """The user's table, indexed, and what it says about strangers before any record is seen.

    decoys: similarities of pairs of different rows, drawn from `decoys_of` rows; decoy_rows says
        from which of these.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]], alignment: Alignment) -> None:
        self.comparison = Comparison(columns, alignment)
        self.index = Index(map(self.comparison.keys, self.comparison.rows))
        self.kinds = tuple(self._kind(at) for at in range(len(alignment.pairings)))
        #: Of each pairing: whether it holds identifiers, which tell one thing from all others.
        self.identify = tuple(self._identifies(at) for at in range(len(alignment.pairings)))
        self._pairs = self._pair_rows()
        self.decoys = self._compare_decoys()
        self.decoy_rows = np.array([nth for nth, _, _ in self._pairs], dtype=np.int64)
        size = len(self.comparison.rows)
        self.decoys_of = len(range(0, size, max(1, size // DECOY_ROWS)))

    @cached_property
    def start(self) -> Scorer:
        """The scorer before any record is seen."""
        return start(self.kinds, self.decoys)

    def fits(self, alignment: Alignment) -> bool:
        """Say whether it would be the same with another alignment: records make one surer."""
        return [_compared(pair) for pair in self.comparison.pairings] == [
            _compared(pair) for pair in alignment.pairings
        ]

    def near(self, values: Values, keep: int = KEEP) -> list[int]:
        """Return the rows that a record with these values could be; an equal one is the first."""
        found: list[int] = self.index.near(self.comparison.keys(values), keep).tolist()
        equal = self.comparison.equal(values)
        if equal is None:
            return found
        return [equal, *(row for row in found if row != equal)]

    def _kind(self, at: int) -> str:
        kind = self.comparison.pairings[at].kind
        if kind != "text":
            return kind
        held = [row[at] for row in self.comparison.rows]
        lines = [value.line for value in held if isinstance(value, Text)]
        return "text" if len(set(lines)) >= DIFFERENT * len(lines) else "label"

    def _identifies(self, at: int) -> bool:
        if self.comparison.pairings[at].kind != "code":
            return False
        held = [row[at] for row in self.comparison.rows]
        codes = [value for value in held if isinstance(value, str)]
        whole = sum(is_whole(code) for value in codes for code in value.split(" ")[:1])
        return whole >= WHOLE * len(codes) and len(set(codes)) >= WHOLE * len(codes)

    def by_words(self, values: Sequence[Values], near: bool) -> Self:
        """Return one that compares texts by their rare words; values: where these are rare."""
        made = copy(self)
        texts = [at for at, kind in enumerate(self.kinds) if kind == "text"]
        made.comparison = self.comparison.by_words(texts, values, near)
        made.decoys = made._compare_decoys()
        made.__dict__.pop("start", None)
        return made

    def _pair_rows(self) -> list[tuple[int, int, int]]:
        """Pairs of different rows, each with the number of the first among those drawn.

        By their words: rows of one year would say that years tell nothing apart.
        """
        rows = self.comparison.rows
        return [
            (nth, at, other)
            for nth, at in enumerate(range(0, len(rows), max(1, len(rows) // DECOY_ROWS)))
            for other in self.index.near(self.comparison.words(rows[at]), DECOYS + 1).tolist()
            if other != at
        ]

    def _compare_decoys(self) -> Floats:
        rows = self.comparison.rows
        ours = [rows[at] for _, at, _ in self._pairs]
        return self.comparison.compare(ours, [rows[other] for _, _, other in self._pairs])


class Candidates:
    """The pairs that blocking leaves, each with its similarities.

    rows, records: of each pair; rows are those of the comparison, where equal rows are one.
    equal: whether row and record say the very same.
    bare: of each pair, which of its texts are the same but for brackets behind and articles.
    table: of the same columns, if there is one already: a large one takes its time.
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[str]],
        records: Iterable[Record],
        alignment: Alignment,
        table: Table | None = None,
    ) -> None:
        self.table = table if table and table.fits(alignment) else Table(columns, alignment)
        self.pool = list({record.id: record for record in records}.values())
        self.values = [self.table.comparison.values(record) for record in self.pool]
        near = [self.table.near(values) for values in self.values]
        self.rows: Ints = np.array([row for rows in near for row in rows], dtype=np.int64)
        counts = np.array([len(rows) for rows in near], dtype=np.int64)
        self.records: Ints = np.repeat(np.arange(len(near)), counts)
        self.equal = self._equal(near)
        self.bare = self._bare()
        self.similarities = self._compare()

    @property
    def possible(self) -> int:
        """How many rows could have a match, at most: as many as there are rows, or records."""
        return min(len(self.table.comparison.rows), len(self.pool))

    def by_words(self, *, near: bool) -> Self:
        """Return the same pairs, with texts compared by their rare words alone.

        near: whether words that are spelt nearly alike count, and not equal ones alone.
        """
        rows = [self.table.comparison.rows[row] for row in np.unique(self.rows).tolist()]
        made = copy(self)
        made.table = self.table.by_words([*rows, *self.values], near)
        made.similarities = made._compare()
        return made

    def scorer(self) -> Scorer:
        """Return the scorer learnt from these pairs, without labels."""
        return learn(self.table.kinds, self.table.decoys, self.similarities, self.records)

    def logits(self, scorer: Scorer) -> Floats:
        """Return the log odds of each pair."""
        found = scorer.logits(self.similarities)
        return found + scorer.leads(found, self.nexts(found)) if scorer.lead else found

    def nexts(self, logits: Floats) -> Floats:
        """Return for each pair the best log odds of its row's other records; -inf where none is.

        A record that says the same as the row's best is no other one.
        """
        if not len(logits):
            return logits
        first = np.zeros(len(self.table.comparison.rows), dtype=np.int64)
        order = np.argsort(logits, kind="stable")
        first[self.rows[order]] = order  # the last one written is the best
        best = first[self.rows]
        is_best = self.saying[self.records] == self.saying[self.records[best]]
        second = np.full(len(first), -np.inf)
        np.maximum.at(second, self.rows[~is_best], logits[~is_best])
        return np.where(is_best, second[self.rows], logits[best])

    @cached_property
    def saying(self) -> Ints:
        """Of each record a number; those that say the very same have the same."""
        known: dict[Values, int] = {}
        found = [known.setdefault(values, len(known)) for values in self.values]
        return np.array(found, dtype=np.int64)

    def _equal(self, near: Sequence[Sequence[int]]) -> Flags:
        rows = self.table.comparison.rows
        first = np.cumsum([0, *map(len, near)])[:-1]
        found = np.zeros(len(self.rows), dtype=np.bool_)
        held = [at for at, each in enumerate(near) if each and rows[each[0]] == self.values[at]]
        found[first[held]] = True
        return found

    def _bare(self) -> Flags:
        rows = self.table.comparison.rows
        found = np.zeros((len(self.rows), len(self.table.kinds)), dtype=np.bool_)
        for at, kind in enumerate(self.table.kinds):
            if kind == "text":
                theirs = [_bare(values[at]) for values in self.values]
                ours = {row: _bare(rows[row][at]) for row in np.unique(self.rows).tolist()}
                both = zip(self.rows.tolist(), self.records.tolist(), strict=True)
                found[:, at] = [bool(ours[a]) and ours[a] == theirs[b] for a, b in both]
        return found

    def _compare(self) -> Floats:
        ours = [self.table.comparison.rows[row] for row in self.rows.tolist()]
        theirs = [self.values[record] for record in self.records.tolist()]
        return self.table.comparison.compare(ours, theirs)


def _bare(value: Value | None) -> str:
    return value.bare if isinstance(value, Text) else ""


def _compared(pairing: Pairing) -> tuple[str, str, str]:
    return pairing.column, pairing.field, pairing.kind
