"""The table and the records, normalised so that they can be laid beside each other."""

from collections.abc import Mapping, Sequence

import numpy as np

from filon.core.service import Record
from filon.verbs.enrich.match.align import Alignment
from filon.verbs.enrich.match.kinds import Text, Value, normalise
from filon.verbs.enrich.match.similarity import Floats, Rarity, similarities

#: The values of a row or a record, one for each pairing of the alignment.
Values = tuple[Value | None, ...]


#: How alike a code and a text that holds it are: nearly as good as two equal codes.
ELSEWHERE = 0.9
#: Characters of a cell that are compared: what tells a thing from others stands at its start, and
#: a whole book in a cell must not take hours.
LOOK_AT = 5000
#: Codes shorter than this stand in texts by chance.
LONG = 4


class Lens:
    """Compares rows of a table with records, pairing by pairing.

    rows: the table's values; equal rows are held once, `spots` says where each stands.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]], alignment: Alignment) -> None:
        self.pairings = alignment.pairings
        cells = zip(*(columns[pairing.column] for pairing in self.pairings), strict=True)
        self.spots: dict[Values, list[int]] = {}
        for row, texts in enumerate(cells):
            self.spots.setdefault(self._values(texts), []).append(row)
        self.rows = list(self.spots)
        self._rarities = [self._rarity(at) for at in range(len(self.pairings))]

    def values(self, record: Record) -> Values:
        """Return the values of a record."""
        return self._values(tuple(record.fields.get(pair.field, "") for pair in self.pairings))

    def compare(self, ours: Sequence[Values], theirs: Sequence[Values]) -> Floats:
        """Return a line for each pair of values, with a similarity for each pairing."""
        table = np.empty((len(ours), len(self.pairings)))
        for at, pairing in enumerate(self.pairings):
            pairs = [(a[at], b[at]) for a, b in zip(ours, theirs, strict=True)]
            table[:, at] = similarities(pairing.kind, pairs, self._rarities[at])
            if pairing.kind == "code":
                self._look_elsewhere(table[:, at], at, ours, theirs)
        return table

    def _look_elsewhere(
        self, found: Floats, at: int, ours: Sequence[Values], theirs: Sequence[Values]
    ) -> None:
        """A code that one side lacks, or has another of, often stands in the other's text."""
        for pair in np.flatnonzero(~(found >= ELSEWHERE)).tolist():
            a, b = ours[pair], theirs[pair]
            if _within(a[at], b) or _within(b[at], a):
                found[pair] = ELSEWHERE

    def words(self, values: Values) -> frozenset[str]:
        """Return the words by which a row or a record can be found."""
        found: set[str] = set()
        for value in values:
            if isinstance(value, Text):
                found.update(value.words)
            elif isinstance(value, str):
                found.add(value)
            elif isinstance(value, tuple) and value and not isinstance(value[0], int):
                found.update(person.family for person in value)
        return frozenset(found)

    def _values(self, texts: tuple[str, ...]) -> Values:
        return tuple(
            normalise(pairing.kind, text[:LOOK_AT])
            for pairing, text in zip(self.pairings, texts, strict=True)
        )

    def _rarity(self, at: int) -> Rarity:
        held = (row[at] for row in self.rows)
        return Rarity([value for value in held if isinstance(value, Text)])


def _within(code: Value | None, values: Values) -> bool:
    if not isinstance(code, str) or len(code) < LONG:
        return False
    return any(isinstance(value, Text) and code in value.line.replace(" ", "") for value in values)
