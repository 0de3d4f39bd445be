"""All pairs of a row and a record that could match, and how alike they are."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from filon.core.service import Record
from filon.verbs.enrich.match.align import Alignment, Pairing
from filon.verbs.enrich.match.blocking import KEEP, Index, Ints
from filon.verbs.enrich.match.kinds import Text
from filon.verbs.enrich.match.lens import Lens, Values
from filon.verbs.enrich.match.scorer import Scorer, learn, start
from filon.verbs.enrich.match.similarity import Floats

#: Rows of the table that are paired with each other to learn how alike strangers are.
DECOY_ROWS = 3000
#: Decoys of a row.
DECOYS = 3
#: The part of a text column's values that must be different, or else it holds labels.
DIFFERENT = 0.5


class Table:
    """The user's table, indexed, and what it says about strangers before any record is seen.

    decoys: similarities of pairs of different rows, drawn from `decoys_of` rows; decoy_rows says
        from which of these.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]], alignment: Alignment) -> None:
        self.lens = Lens(columns, alignment)
        self.index = Index(map(self.lens.words, self.lens.rows))
        self.kinds = tuple(self._kind(at) for at in range(len(alignment.pairings)))
        self.decoys, self.decoy_rows, self.decoys_of = self._decoys()

    @property
    def start(self) -> Scorer:
        """The scorer before any record is seen."""
        return start(self.kinds, self.decoys)

    def fits(self, alignment: Alignment) -> bool:
        """Say whether it would be the same with another alignment: records make one surer."""
        return [_compared(pair) for pair in self.lens.pairings] == [
            _compared(pair) for pair in alignment.pairings
        ]

    def near(self, values: Values, keep: int = KEEP) -> list[int]:
        """Return the rows that a record with these values could be."""
        found: list[int] = self.index.near(self.lens.words(values), keep).tolist()
        return found

    def _kind(self, at: int) -> str:
        kind = self.lens.pairings[at].kind
        if kind != "text":
            return kind
        held = [row[at] for row in self.lens.rows]
        lines = [value.line for value in held if isinstance(value, Text)]
        return "text" if len(set(lines)) >= DIFFERENT * len(lines) else "label"

    def _decoys(self) -> tuple[Floats, Ints, int]:
        rows = self.lens.rows
        sampled = range(0, len(rows), max(1, len(rows) // DECOY_ROWS))
        pairs = [
            (nth, rows[at], rows[other])
            for nth, at in enumerate(sampled)
            for other in self.index.near(self.lens.words(rows[at]), DECOYS + 1).tolist()
            if other != at
        ]
        alike = self.lens.compare([a for _, a, _ in pairs], [b for _, _, b in pairs])
        return alike, np.array([nth for nth, _, _ in pairs], dtype=np.int64), len(sampled)


class Candidates:
    """The pairs that blocking leaves, each with its similarities.

    rows, records: of each pair; rows are those of the lens, where equal rows are one.
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
        self.values = [self.table.lens.values(record) for record in self.pool]
        near = [self.table.near(values) for values in self.values]
        self.rows: Ints = np.array([row for rows in near for row in rows], dtype=np.int64)
        counts = np.array([len(rows) for rows in near], dtype=np.int64)
        self.records: Ints = np.repeat(np.arange(len(near)), counts)
        self.similarities = self._compare()

    def scorer(self) -> Scorer:
        """Return the scorer learnt from these pairs, without labels."""
        return learn(self.table.kinds, self.table.decoys, self.similarities, self.records)

    def _compare(self) -> Floats:
        ours = [self.table.lens.rows[row] for row in self.rows.tolist()]
        theirs = [self.values[record] for record in self.records.tolist()]
        return self.table.lens.compare(ours, theirs)


def _compared(pairing: Pairing) -> tuple[str, str, str]:
    return pairing.column, pairing.field, pairing.kind
