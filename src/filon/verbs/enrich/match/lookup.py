"""Which of many records a name and some facts mean: matching the other way round, one at a time.

An enrichment has a table and waits for records; here the records are at hand and a question comes.
They are indexed and compared as a table is, with the weights that a run begins with: nothing is
learnt, so that an answer does not depend on the questions before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from filon.core.service import Record
from filon.page.words import words
from filon.verbs.enrich.match.align import Alignment, Pairing
from filon.verbs.enrich.match.calibrate import PRECISION
from filon.verbs.enrich.match.candidates import Table
from filon.verbs.enrich.match.kinds import Text, Value, guess, normalise
from filon.verbs.enrich.match.matcher import EQUAL, IDENTICAL
from filon.verbs.enrich.match.scorer import logistic
from filon.verbs.enrich.match.similarity import Floats, Values

#: Records with words in common that are compared with a question.
COMPARED = 50
#: Records that are nearest by their letters, and how alike of 100.
MISSPELT, ALIKE = 5, 60
#: A name that is as like as this was found by its words; so many names are looked through else.
LIKE, FEW = 0.75, 20_000
#: Sets of fields that are kept indexed: a client asks by the same ones, row after row.
KEPT = 4
#: How alike a field must be where a fact is required.
REQUIRED = 0.85
#: Two values that are this much alike are the same.
EXACT = 1 - 1e-9
#: How the values of a fact go together.
QUANTIFIERS = ("any", "all", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is known of a field. how: whether "any", "all" or "none" of the values are its own."""

    field: str
    values: tuple[str, ...]
    how: str = "any"
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A record that may be meant.

    score: the probability, of 1. alike: how alike each compared field is, of 1.
    sure: it is probable enough, and no other is nearly as probable.
    """

    record: Record
    score: float
    alike: Mapping[str, float]
    sure: bool = False


class Lookup:
    """Finds records by a name and facts.

    name_field: the field that holds what a record is called.

    >>> books = [Record(id="1", fields={"title": "War and Peace", "by": "Tolstoy, Leo"}),
    ...          Record(id="2", fields={"title": "The Art of War", "by": "Sun Tzu"})]
    >>> asked = Fact(field="title", values=("War & Peace, and Peace",))
    >>> [(near.record.id, near.sure) for near in Lookup(books, "title").near([asked])]
    [('1', False), ('2', False)]
    """

    def __init__(self, records: Sequence[Record], name_field: str) -> None:
        self._records, self._name = records, name_field
        self.fields = list(dict.fromkeys(name for each in records for name in each.fields))
        names = (record.fields.get(name_field, "") for record in records)
        self._spelt = {at: " ".join(words(name)) for at, name in enumerate(names) if name.strip()}
        self._indexed = lru_cache(maxsize=KEPT)(self._index)

    def near(self, facts: Sequence[Fact]) -> list[Near]:
        """Return the records that may be meant, the most probable first.

        facts: what is known, the name too; what is said of fields that no record has is left out.
        """
        asked = [fact for fact in facts if fact.field in self.fields and any(fact.values)]
        if not asked:
            return []
        table = self._indexed(tuple(dict.fromkeys(fact.field for fact in asked)))
        rows = self._rows(table, asked)
        alike = self._compared(table, rows, asked)
        if more := self._misspelt(table, asked, rows, alike):
            rows += more
            alike = self._compared(table, rows, asked)
        keep = [at for at in range(len(rows)) if _holds(table, alike[at], asked)]
        return self._told(table, [rows[at] for at in keep], alike[keep])

    def _index(self, fields: tuple[str, ...]) -> Table:
        columns = {name: [each.fields.get(name, "") for each in self._records] for name in fields}
        pairings = [
            Pairing(column=name, field=name, kind=guess(cells, name), given=True)
            for name, cells in columns.items()
        ]
        return Table(columns, Alignment(pairings=tuple(pairings)))

    def _rows(self, table: Table, asked: Sequence[Fact]) -> list[int]:
        """Return the different rows that share words with a question."""
        found: dict[int, None] = {}
        for at in range(max(len(fact.values) for fact in asked)):
            values = table.comparison.values(_question(asked, at))
            found |= dict.fromkeys(table.near(values, COMPARED))
        return list(found)

    def _misspelt(
        self, table: Table, asked: Sequence[Fact], rows: Sequence[int], alike: Floats
    ) -> list[int]:
        """Return other rows with like letters in the name, where no name is like it by its words.

        Of many records all names are looked through only where nothing else was found.
        """
        line = next((" ".join(words(f.values[0])) for f in asked if f.field == self._name), "")
        names = [pairing.field for pairing in table.comparison.pairings]
        if not line or (rows and len(self._spelt) > FEW):
            return []
        if rows and np.nanmax(alike[:, names.index(self._name)], initial=0.0) >= LIKE:
            return []
        spelt = process.extract(line, self._spelt, limit=MISSPELT, score_cutoff=ALIKE)
        spots = list(table.comparison.spots.values())
        of_record = {spot: row for row, held in enumerate(spots) for spot in held}
        found = dict.fromkeys(of_record[at] for _, _, at in spelt)
        return [row for row in found if row not in rows]

    def _compared(self, table: Table, rows: Sequence[int], asked: Sequence[Fact]) -> Floats:
        """Return a line for each row: how alike each field is, by all the values of its fact."""
        comparison = table.comparison
        ours = [comparison.rows[row] for row in rows]
        most = max(len(fact.values) for fact in asked)
        each = [
            comparison.compare(ours, [comparison.values(_question(asked, at))] * len(ours))
            for at in range(most)
        ]
        alike = each[0].copy()
        for at, pairing in enumerate(comparison.pairings):
            fact = next(fact for fact in asked if fact.field == pairing.field)
            held = np.stack([one[:, at] for one in each[: len(fact.values)]])
            held = np.maximum(held, self._spelling(table, ours, at, fact))  # or none, as before
            alike[:, at] = np.min(held, axis=0) if fact.how == "all" else np.fmax.reduce(held)
            if fact.how == "none":
                alike[:, at] = 1 - alike[:, at]
        return alike

    @staticmethod
    def _spelling(table: Table, ours: Sequence[Values], at: int, fact: Fact) -> Floats:
        """Return by value and row how alike texts are, letter by letter.

        Whole tables are compared by their words, which tell titles apart; of a name that a person
        has typed, one letter may be wrong, and the name be a single word.
        """
        theirs = [normalise(table.comparison.pairings[at].kind, value) for value in fact.values]
        lines = [[_spelt_alike(row[at], value) for row in ours] for value in theirs]
        return np.array(lines, dtype=np.float64).reshape(len(theirs), len(ours))

    def _told(self, table: Table, rows: Sequence[int], alike: Floats) -> list[Near]:
        logits = table.start.logits(alike)
        same = np.asarray(((alike >= EXACT) | np.isnan(alike)).all(axis=1))
        logits[same] = np.maximum(logits[same], IDENTICAL)
        spots = list(table.comparison.spots.values())
        names = [pairing.field for pairing in table.comparison.pairings]
        order = np.argsort(-logits, kind="stable").tolist()
        found = [(logits[at], self._records[spot], at) for at in order for spot in spots[rows[at]]]
        scores = logistic(np.array([each[0] for each in found]))
        lead = len(found) == 1 or (len(found) > 1 and found[0][0] - found[1][0] > EQUAL)
        return [
            Near(
                record=record,
                score=float(scores[nth]),
                alike={
                    name: float(value)
                    for name, value in zip(names, alike[at].tolist(), strict=True)
                    if value == value
                },
                sure=bool(nth == 0 and lead and scores[0] >= PRECISION),
            )
            for nth, (_, record, at) in enumerate(found)
        ]


def _spelt_alike(ours: Value | None, theirs: Value | None) -> float:
    """Return 1 for texts that are the same but for brackets behind and articles.

    >>> spelt = [Text("mauritius"), Text("malta"), Text("the mauritius")]
    >>> [round(_spelt_alike(text, Text("mauritus")), 2) for text in spelt]
    [0.89, 0.21, 0.89]
    """
    if not isinstance(ours, Text) or not isinstance(theirs, Text):
        return 0.0
    return float(Indel.normalized_similarity(ours.bare, theirs.bare)) ** 2


def _question(asked: Sequence[Fact], at: int) -> Record:
    """Return a question as a record; of each fact the value of that number, or its last."""
    values = {fact.field: fact.values[min(at, len(fact.values) - 1)] for fact in reversed(asked)}
    return Record(id="", fields=values)


def _holds(table: Table, alike: Floats, asked: Sequence[Fact]) -> bool:
    """Say whether a record has all that is required of it."""
    fields = [pairing.field for pairing in table.comparison.pairings]
    return all(alike[fields.index(fact.field)] >= REQUIRED for fact in asked if fact.required)
