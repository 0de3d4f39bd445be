"""Tables that go together: columns with the same values (joins), and the same columns (unions)."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from filon.catalog import overlap
from filon.catalog.store import CatalogStore
from filon.catalog.words import fold
from filon.page.cells import number_of
from filon.profile.columns import SKETCH, Sketches

#: The least share of the values of a column that another must have to be called joinable.
LEAST_OVERLAP = 0.5
#: The least share of the columns of two tables that must be the same.
LEAST_SHARED = 0.75
#: Columns with so many values of the other are the same, and numbers with so much of their range.
_SAME_VALUES, _SAME_RANGE = 0.5, 0.5
#: Columns, and tables, that are compared in full.
_COMPARED_COLUMNS, _COMPARED_TABLES = 20_000, 5000
#: Columns that are compared for each that is told: those that share most come first.
_EACH_TOLD = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Joinable:
    """A column whose values another has, too.

    overlap: which share of them, about. back: which share of the other's are in this one.
    """

    overlap: float
    column: str
    id: str
    table: str
    other: str
    title: str
    back: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Unionable:
    """A table with the same columns.

    shared: which share of the columns of both. columns: its names for them.
    """

    id: str
    table: str
    shared: float
    columns: tuple[str, ...]
    title: str


def joinable(
    catalog: CatalogStore, file: int, most: int | None = 20, least: float = LEAST_OVERLAP
) -> list[Joinable]:
    """Return columns of other files that hold the values of a column of this one.

    Those that share most values come first; of equals, words before numbers and dates, and then
    the columns that are called the same.
    """
    found = []
    compared = _COMPARED_COLUMNS if most is None else min(_COMPARED_COLUMNS, _EACH_TOLD * most)
    for column in _columns(catalog, file):
        sharing = overlap.sharing(catalog.db, column["sketch"])
        common = [one for one, _ in sharing.most_common(compared)]
        found += _overlaps(column, overlap.sketches(catalog.db, common), least)
    return _told(catalog, file, found, most)


def pairs(catalog: CatalogStore, file: int, other: int) -> list[Joinable]:
    """Return the columns of the first table of another file that hold the values of this one's."""
    others = [one for one in _columns(catalog, other) if not one["of_file"]]
    mine = [one for one in _columns(catalog, file) if not one["of_file"]]
    return _told(
        catalog,
        file,
        [pair for one in mine for pair in _overlaps(one, others, LEAST_OVERLAP)],
        None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    overlap: float
    column: sqlite3.Row
    other: sqlite3.Row

    @property
    def order(self) -> tuple[float, bool, bool, int]:
        same = fold(self.column["name"]) == fold(self.other["name"])
        return -self.overlap, self.column["kind"] != "text", not same, self.other["table"]


def _overlaps(column: sqlite3.Row, others: Sequence[sqlite3.Row], least: float) -> list[_Pair]:
    others = [other for other in others if other["kind"] == column["kind"]]
    if not others:
        return []
    overlaps = Sketches([other["sketch"] for other in others]).containing(column["sketch"])
    return [
        _Pair(overlap=float(overlaps[place]), column=column, other=others[int(place)])
        for place in np.flatnonzero(overlaps >= least)
    ]


def _told(catalog: CatalogStore, file: int, found: list[_Pair], most: int | None) -> list[Joinable]:
    """Return pairs with where the others are; not those of the same file, and of its doubles."""
    joins: list[Joinable] = []
    for pair in sorted(found, key=lambda one: one.order):
        if most is not None and len(joins) == most:
            break
        row = _place(catalog, pair.other["table"])
        if row is None or row["file"] == file or row["same_as"] or row["newer"]:
            continue
        back = Sketches([pair.column["sketch"]]).containing(pair.other["sketch"])[0]
        joins.append(
            Joinable(
                overlap=pair.overlap,
                column=pair.column["name"],
                id=row["id"],
                table=row["name"],
                other=pair.other["name"],
                title=row["title"],
                back=float(back),
            )
        )
    return joins


def _place(catalog: CatalogStore, table: int) -> sqlite3.Row | None:
    """Return the file of a table."""
    row: sqlite3.Row | None = catalog.db.execute(
        "SELECT f.file, f.id, f.title, f.same_as, f.newer, t.name FROM tables t JOIN files f"
        ' USING (file) WHERE t."table" = ?',
        (table,),
    ).fetchone()
    return row


def _columns(catalog: CatalogStore, file: int) -> list[sqlite3.Row]:
    """Return the columns of a file by which tables can be joined."""
    kinds = ", ".join(f"'{kind}'" for kind in overlap.KINDS)
    return catalog.db.execute(
        'SELECT f.file, f.id, f.title, t.name AS "in", t.number AS of_file, c.* FROM columns c'
        ' JOIN tables t USING ("table") JOIN files f USING (file)'
        f' WHERE f.file = ? AND c."distinct" >= {overlap.FEW} AND c.kind IN ({kinds})'
        ' ORDER BY t."table", c.number',
        (file,),
    ).fetchall()


def unionable(
    catalog: CatalogStore, file: int, most: int | None = 20, least: float = LEAST_SHARED
) -> list[Unionable]:
    """Return tables of other files that have the columns of this one.

    Columns are the same where their kinds are, and their names or most of their values.
    """
    best: dict[str, Unionable] = {}
    for _, columns in catalog.tables(file):
        if len(columns) < 2:
            continue
        for one in _unions(catalog, file, columns, least):
            if one.id not in best or best[one.id].shared < one.shared:
                best[one.id] = one
    found = sorted(best.values(), key=lambda one: (-one.shared, one.id))
    return found[:most]


def _unions(
    catalog: CatalogStore, file: int, columns: Sequence[sqlite3.Row], least: float
) -> list[Unionable]:
    mine = [_Described(column) for column in columns]
    found = []
    for table in _candidates(catalog, columns, least):
        row = _place(catalog, table)
        if row is None or row["file"] == file or row["same_as"] or row["newer"]:
            continue
        others = [_Described(column) for column in catalog.columns(table)]
        if 2 * min(len(mine), len(others)) < least * (len(mine) + len(others)):
            continue
        both = _matched(mine, others)
        alike = sum(likeness for _, likeness in both.values())
        shared = 2 * alike / (len(columns) + len(others))
        if len(both) > 1 and shared >= least:
            facts = {"id": row["id"], "table": row["name"], "title": row["title"]}
            names = tuple(
                others[place].name for place in sorted(place for place, _ in both.values())
            )
            found.append(Unionable(**facts, shared=shared, columns=names))
    return found


def _candidates(catalog: CatalogStore, columns: Sequence[sqlite3.Row], least: float) -> list[int]:
    """Return tables that have names or values of columns, those with most of them first."""
    hits: Counter[int] = Counter()
    for column in columns:
        named = catalog.db.execute(
            'SELECT "table" FROM names WHERE name = ?',
            (overlap.name_key(column["name"], column["kind"]),),
        )
        tables = {row[0] for row in named}
        if column["kind"] in overlap.KINDS and column["distinct"] >= overlap.FEW:
            looked_up = min(len(column["sketch"]) // 4, overlap.LOOKED_UP)
            tables |= {
                overlap.parted(other)[0]
                for other, number in overlap.sharing(catalog.db, column["sketch"]).items()
                if number >= _SAME_VALUES * looked_up
            }
        hits.update(tables)
    hits.pop(columns[0]["table"], None)
    # Numbers under another name, and names that are only alike, lead nowhere here.
    enough = least * len(columns) / 3
    return [table for table, number in hits.most_common(_COMPARED_TABLES) if number >= enough]


class _Described:
    """A column as it is compared with others."""

    def __init__(self, row: sqlite3.Row) -> None:
        self.name, self.kind = row["name"], row["kind"]
        self.key = overlap.name_key(row["name"], row["kind"])
        self._row = row
        self._values: frozenset[int] | None = None

    def likeness(self, other: "_Described") -> float:
        """Return how much another column is like this one, by its name, or else by its values."""
        if self.key[0] != other.key[0]:
            return 0.0
        if alike := overlap.alike(self.name, other.name):
            return alike
        if "empty" in (self.kind, other.kind):
            return _SAME_VALUES if self.kind == other.kind else 0.0
        if self.kind != other.kind:
            return 0.0
        # Of numbers under another name a range that fits is a weak sign.
        return (
            self._same_range(other) * 0.75 if self.kind == "number" else self._shared_values(other)
        )

    def _shared_values(self, other: "_Described") -> float:
        """Return the share of the values of the column with fewer that the other has, about."""
        mine, theirs = self.values, other.values
        if len(mine) == SKETCH or len(theirs) == SKETCH:  # both know all up to the lesser end
            end = min(max(mine), max(theirs))
            mine = frozenset(hash for hash in mine if hash <= end)
            theirs = frozenset(hash for hash in theirs if hash <= end)
        shared = len(mine & theirs) / max(1, min(len(mine), len(theirs)))
        return shared if shared >= _SAME_VALUES else 0.0

    def _same_range(self, other: "_Described") -> float:
        """Return the share of the range of both columns that they have in common."""
        ends = [number_of(row[end]) for row in (self._row, other._row) for end in ("least", "most")]
        if None in ends:
            return 0.0
        least, most, other_least, other_most = (end or 0.0 for end in ends)
        whole = max(most, other_most) - min(least, other_least)
        shared = (min(most, other_most) - max(least, other_least)) / whole if whole else 1.0
        return shared if shared >= _SAME_RANGE else 0.0

    @property
    def values(self) -> frozenset[int]:
        if self._values is None:
            self._values = frozenset(np.frombuffer(self._row["sketch"], "<u4").tolist())
        return self._values


def _matched(
    columns: Sequence[_Described], others: Sequence[_Described]
) -> dict[int, tuple[int, float]]:
    """Return which columns of two tables are the same, each at most once: by places, with how sure.

    First those that are called the same, then the likest first.
    """
    places = {other.key: place for place, other in reversed(list(enumerate(others)))}
    taken: dict[int, tuple[int, float]] = {}
    for one, column in enumerate(columns):
        if (two := places.pop(column.key, None)) is not None:
            taken[one] = two, 1.0
    used = {place for place, _ in taken.values()}
    left = [place for place in range(len(others)) if place not in used]
    scores = [
        (likeness, -one, -two)
        for one, column in enumerate(columns)
        if one not in taken
        for two in left
        if (likeness := column.likeness(others[two]))
    ]
    for likeness, one, two in sorted(scores, reverse=True):
        if -one not in taken and -two not in used:
            taken[-one] = -two, likeness
            used.add(-two)
    return taken
