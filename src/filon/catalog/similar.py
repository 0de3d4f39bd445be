"""Tables that go together: columns with the same values (joins), and the same columns (unions)."""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.fuzz import ratio

from filon.catalog import overlap
from filon.catalog.store import CatalogStore
from filon.catalog.words import fold
from filon.profile.columns import Sketches

#: The least share of the values of a column that another must have to be called joinable.
LEAST_OVERLAP = 0.5
#: The least share of the columns of two tables that must be the same.
LEAST_SHARED = 0.65
#: Names of columns that are as alike as this are the same; so are columns with so many
#: values of the other.
_ALIKE, _SAME_VALUES = 0.88, 0.4
#: Columns, and tables, that are compared in full.
_COMPARED_COLUMNS, _COMPARED_TABLES = 2000, 1000


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


def joinable(catalog: CatalogStore, file: int, most: int | None = 20) -> list[Joinable]:
    """Return columns of other files that hold the values of a column of this one.

    Those that share most values come first; of equals, words before numbers and dates, and then
    the columns that are called the same.
    """
    found = []
    for column in _columns(catalog, file):
        sharing = overlap.sharing(catalog.db, column["sketch"])
        common = [one for one, _ in sharing.most_common(_COMPARED_COLUMNS)]
        found += _overlaps(column, overlap.sketches(catalog.db, common))
    return _told(catalog, file, found, most)


def pairs(catalog: CatalogStore, file: int, other: int) -> list[Joinable]:
    """Return the columns of the first table of another file that hold the values of this one's."""
    others = [one for one in _columns(catalog, other) if not one["of_file"]]
    mine = [one for one in _columns(catalog, file) if not one["of_file"]]
    return _told(catalog, file, [pair for one in mine for pair in _overlaps(one, others)], None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    overlap: float
    column: sqlite3.Row
    other: sqlite3.Row

    @property
    def order(self) -> tuple[float, bool, bool, int]:
        same = fold(self.column["name"]) == fold(self.other["name"])
        return -self.overlap, self.column["kind"] != "text", not same, self.other["table"]


def _overlaps(column: sqlite3.Row, others: Sequence[sqlite3.Row]) -> list[_Pair]:
    others = [other for other in others if other["kind"] == column["kind"]]
    if not others:
        return []
    overlaps = Sketches([other["sketch"] for other in others]).containing(column["sketch"])
    return [
        _Pair(overlap=float(overlaps[place]), column=column, other=others[int(place)])
        for place in np.flatnonzero(overlaps >= LEAST_OVERLAP)
    ]


def _told(catalog: CatalogStore, file: int, found: list[_Pair], most: int | None) -> list[Joinable]:
    """Return pairs with where the others are; not those of the same file, and of its doubles."""
    joins: list[Joinable] = []
    for pair in sorted(found, key=lambda one: one.order):
        if most is not None and len(joins) == most:
            break
        row = _place(catalog, pair.other["table"])
        if row is None or row["file"] == file or row["same_as"]:
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
        "SELECT f.file, f.id, f.title, f.same_as, t.name FROM tables t JOIN files f"
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


def unionable(catalog: CatalogStore, file: int, most: int | None = 20) -> list[Unionable]:
    """Return tables of other files that have the columns of this one.

    Columns are the same where their kinds are, and their names or most of their values.
    """
    best: dict[str, Unionable] = {}
    for _, columns in catalog.tables(file):
        if len(columns) < 2:
            continue
        for one in _unions(catalog, file, columns):
            if one.id not in best or best[one.id].shared < one.shared:
                best[one.id] = one
    found = sorted(best.values(), key=lambda one: (-one.shared, one.id))
    return found[:most]


def _unions(catalog: CatalogStore, file: int, columns: Sequence[sqlite3.Row]) -> list[Unionable]:
    values = [_sharing(catalog, column) for column in columns]
    found = []
    for table in _candidates(catalog, columns, values):
        row = _place(catalog, table)
        if row is None or row["file"] == file or row["same_as"]:
            continue
        others = catalog.columns(table)
        both = _matched(columns, others, values)
        shared = 2 * len(both) / (len(columns) + len(others))
        if len(both) > 1 and shared >= LEAST_SHARED:
            facts = {"id": row["id"], "table": row["name"], "title": row["title"]}
            names = tuple(others[place]["name"] for place in sorted(both.values()))
            found.append(Unionable(**facts, shared=shared, columns=names))
    return found


def _sharing(catalog: CatalogStore, column: sqlite3.Row) -> dict[int, float]:
    """Return the columns that hold most values of one, with the share of them, about."""
    if column["kind"] not in overlap.KINDS or column["distinct"] < overlap.FEW:
        return {}
    looked_up = min(len(column["sketch"]) // 4, overlap.LOOKED_UP)
    return {
        other: number / looked_up
        for other, number in overlap.sharing(catalog.db, column["sketch"]).items()
        if number >= _SAME_VALUES * looked_up
    }


def _candidates(
    catalog: CatalogStore, columns: Sequence[sqlite3.Row], values: Sequence[Mapping[int, float]]
) -> list[int]:
    """Return tables that have names or values of columns, those with most of them first."""
    hits: Counter[int] = Counter()
    for column, sharing in zip(columns, values, strict=True):
        named = catalog.db.execute(
            'SELECT "table" FROM names WHERE name = ?',
            (overlap.name_key(column["name"], column["kind"]),),
        )
        tables = {row[0] for row in named}
        tables.update(overlap.parted(other)[0] for other in sharing)
        hits.update(tables)
    hits.pop(columns[0]["table"], None)
    # Names that are only alike lead nowhere here: half of what is needed must be found so.
    enough = LEAST_SHARED * len(columns) / 4
    return [table for table, number in hits.most_common(_COMPARED_TABLES) if number >= enough]


def _matched(
    columns: Sequence[sqlite3.Row],
    others: Sequence[sqlite3.Row],
    values: Sequence[Mapping[int, float]],
) -> dict[int, int]:
    """Return which columns of two tables are the same, each at most once: by places.

    First those that are called the same, then those with names that are alike, or with most values
    of the other, the likest first.
    """
    mine = [overlap.name_key(one["name"], one["kind"]) for one in columns]
    theirs = [overlap.name_key(one["name"], one["kind"]) for one in others]
    places = {key: place for place, key in reversed(list(enumerate(theirs)))}
    taken: dict[int, int] = {}
    for one, key in enumerate(mine):
        if (two := places.pop(key, None)) is not None:
            taken[one] = two
    left = [place for place in range(len(others)) if place not in {*taken.values()}]
    scores = []
    for one in range(len(columns)):
        for two in left if one not in taken else ():
            if mine[one][0] == theirs[two][0]:
                likeness = ratio(mine[one], theirs[two]) / 100
                if likeness < _ALIKE:
                    place = overlap.key(others[two]["table"], others[two]["number"])
                    likeness = values[one].get(place, 0.0)
                scores.append((likeness, -one, -two))
    for likeness, one, two in sorted(scores, reverse=True):
        if likeness and -one not in taken and -two not in taken.values():
            taken[-one] = -two
    return taken
