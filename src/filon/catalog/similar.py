"""Tables that go together: columns with the same values (joins), and the same columns (unions)."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import log

import numpy as np

from filon.catalog import overlap
from filon.catalog.address import TableAddress
from filon.catalog.align import MANY, SAME_OF_FEW, SAME_OF_MANY, described, matched
from filon.catalog.duplicates import apart, like
from filon.catalog.store import CatalogStore
from filon.catalog.words import fold, words
from filon.profile.columns import Sketches

#: The least share of the values of a column that another must have to be called joinable, and of
#: the columns of two tables that must be the same.
LEAST_OVERLAP, LEAST_SHARED = 0.5, 0.75
#: Columns, and tables, that are compared in full.
_COMPARED_COLUMNS, _COMPARED_TABLES = 20_000, 5000
#: Columns that are compared for each that is told: those that share most come first.
_EACH_TOLD = 50
#: So many times as many joins are looked for as are told: some are with doubles.
_SEVERAL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Joinable:
    """A column whose values another has, too.

    overlap: which share of them, about. back: which share of the other's are in this one.
    of, number: which table of its file either is in, from 1 on. tables: how many the other's has.
    """

    overlap: float
    column: str
    id: str
    table: str
    other: str
    title: str
    of: int
    number: int
    tables: int
    back: float

    @property
    def address(self) -> str:
        """Which table it is, as `union` and `join` know it: the number where there are several."""
        return _address(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unionable:
    """A table with the same columns.

    shared: which share of the columns of both. columns: its names for them: `union` puts them
    together. of, number: which table of its file either is, from 1 on. tables: how many its
    file has.
    """

    id: str
    table: str
    shared: float
    columns: tuple[str, ...]
    title: str
    of: int
    number: int
    tables: int

    @property
    def address(self) -> str:
        """Which table it is, as for `Joinable`."""
        return _address(self)


def _address(found: Joinable | Unionable) -> str:
    return found.id[:12] + (f"#{found.number}" if found.tables > 1 else "")


def joinable(
    catalog: CatalogStore,
    file: int,
    most: int | None = 20,
    *,
    table: int | None = None,
    least: float = LEAST_OVERLAP,
) -> list[Joinable]:
    """Return columns of other files that hold the values of a column of this one.

    table: the one that is meant, from 1 on; by default all of the file are.
    Those that share most values come first; of equals, words before numbers and dates, and then
    the columns that are called the same.
    """
    found = []
    compared = _COMPARED_COLUMNS if most is None else min(_COMPARED_COLUMNS, _EACH_TOLD * most)
    for column in _columns(catalog, file, table):
        sharing = overlap.sharing(catalog.db, column["sketch"])
        common = [one for one, _ in sharing.most_common(compared)]
        found += _overlaps(column, overlap.sketches(catalog.db, common), least)
    return _told(catalog, file, found, most)


def pairs(catalog: CatalogStore, one: TableAddress, other: TableAddress) -> list[Joinable]:
    """Return the columns of a table that hold the values of another's."""
    mine, others = (_columns(catalog, table.file, table.number) for table in (one, other))
    found = [pair for column in mine for pair in _overlaps(column, others, LEAST_OVERLAP)]
    return _told(catalog, None, found, None)


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


def _told(
    catalog: CatalogStore, file: int | None, found: list[_Pair], most: int | None
) -> list[Joinable]:
    """Return pairs with where the others are; not those of this file, and of doubles."""
    joins: list[Joinable] = []
    for pair in sorted(found, key=lambda one: one.order):
        if most is not None and len(joins) == most:
            break
        row = _place(catalog, pair.other["table"])
        if row is None or (file and (row["file"] == file or row["same_as"] or row["newer"])):
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
                of=pair.column["of_file"] + 1,
                number=row["number"] + 1,
                tables=row["tables"],
            )
        )
    return joins


def _place(catalog: CatalogStore, table: int) -> sqlite3.Row | None:
    """Return the file of a table."""
    row: sqlite3.Row | None = catalog.db.execute(
        "SELECT f.file, f.id, f.title, f.same_as, f.newer, f.tables, t.name, t.number"
        " FROM tables t JOIN files f"
        ' USING (file) WHERE t."table" = ?',
        (table,),
    ).fetchone()
    return row


def _columns(catalog: CatalogStore, file: int, table: int | None) -> list[sqlite3.Row]:
    """Return the columns of a file, or of a table of it, by which tables can be joined."""
    kinds = ", ".join(f"'{kind}'" for kind in overlap.KINDS)
    return catalog.db.execute(
        'SELECT f.file, f.id, f.title, t.name AS "in", t.number AS of_file, c.* FROM columns c'
        ' JOIN tables t USING ("table") JOIN files f USING (file)'
        f' WHERE f.file = ?1 AND c."distinct" >= {overlap.FEW} AND c.kind IN ({kinds})'
        ' AND (?2 IS NULL OR t.number = ?2 - 1) ORDER BY t."table", c.number',
        (file, table),
    ).fetchall()


def unionable(
    catalog: CatalogStore,
    file: int,
    most: int | None = 20,
    least: float = LEAST_SHARED,
    *,
    table: int | None = None,
) -> list[Unionable]:
    """Return tables of other files that have the columns of this one.

    table: the one that is meant, from 1 on; by default all of the file are.
    Columns are the same where `align` says so: those that `union` puts together.
    """
    best: dict[str, Unionable] = {}
    for mine, columns in catalog.tables(file):
        if len(columns) < 2 or table not in (None, mine["number"] + 1):
            continue
        for one in _unions(catalog, file, mine["number"], columns, least):
            if one.id not in best or best[one.id].shared < one.shared:
                best[one.id] = one
    found = sorted(best.values(), key=lambda one: (-one.shared, one.id))
    return found[:most]


def advised(
    catalog: CatalogStore, file: int, most: int = 20, *, table: int | None = None
) -> tuple[list[Unionable], list[Joinable]]:
    """Return what to put below a file, or a table of it, and what to join: none of its doubles.

    table: from 1 on; by default all of the file are meant.
    Of tables with as many columns in common those come first whose title is nearest, and of
    doubles there is one: a table as CSV and as a workbook has the same rows.
    """
    title = catalog.db.execute("SELECT title FROM files WHERE file = ?", (file,)).fetchone()[0]
    unions = unionable(catalog, file, None, table=table)
    unions.sort(key=lambda one: (-one.shared, -_same_words(title, one.title), one.id))
    chosen = set(islice(apart(catalog, file, (one.id for one in unions)), most))
    joins = joinable(catalog, file, _SEVERAL * most, table=table)
    doubles = {one.id for one in like(catalog, file)}
    return (
        [one for one in unions if one.id in chosen],
        [one for one in joins if one.id not in doubles][:most],
    )


def _same_words(one: str, other: str) -> float:
    """Return the share of the words of two titles that are in both; years say nothing here."""
    mine, theirs = ({word for word in words(title) if word.isalpha()} for title in (one, other))
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


def _unions(
    catalog: CatalogStore, file: int, of: int, columns: Sequence[sqlite3.Row], least: float
) -> list[Unionable]:
    mine = described(columns)
    found = []
    for table in _candidates(catalog, columns, least):
        row = _place(catalog, table)
        if row is None or row["file"] == file or row["same_as"] or row["newer"]:
            continue
        others = described(catalog.columns(table))
        if 2 * min(len(mine), len(others)) < least * (len(mine) + len(others)):
            continue
        both = matched(others, mine).both  # as in a union of the two
        shared = 2 * len(both) / (len(mine) + len(others))
        if len(both) > 1 and shared >= least:
            facts = {"id": row["id"], "table": row["name"], "title": row["title"]}
            numbers = {"of": of + 1, "number": row["number"] + 1, "tables": row["tables"]}
            names = tuple(others[place].name for place in sorted(both))
            found.append(Unionable(**facts, **numbers, shared=shared, columns=names))
    return found


def _candidates(catalog: CatalogStore, columns: Sequence[sqlite3.Row], least: float) -> list[int]:
    """Return tables that have names or values of columns.

    Those with most of them first, and one that few tables have counts for more: half of all tables
    may have a Year and a Value.
    """
    every = catalog.db.execute("SELECT COUNT(*) FROM tables").fetchone()[0]
    hits: Counter[int] = Counter()
    weights: Counter[int] = Counter()
    for column in columns:
        named = catalog.db.execute(
            'SELECT "table" FROM names WHERE name = ?',
            (overlap.name_key(column["name"], column["kind"]),),
        )
        tables = {row[0] for row in named}
        if column["kind"] in overlap.KINDS and column["distinct"] >= overlap.FEW:
            looked_up = min(len(column["sketch"]) // 4, overlap.LOOKED_UP)
            enough = (SAME_OF_MANY if looked_up >= MANY else SAME_OF_FEW) * looked_up
            tables |= {
                overlap.parted(other)[0]
                for other, number in overlap.sharing(catalog.db, column["sketch"]).items()
                if number >= enough
            }
        hits.update(tables)
        weight = 1 + int(1000 * log(1 + every / max(1, len(tables))))
        weights.update(dict.fromkeys(tables, weight))
    weights.pop(columns[0]["table"], None)
    # Numbers under another name lead nowhere here.
    enough = least * len(columns) / 3
    best = (table for table, _ in weights.most_common() if hits[table] >= enough)
    return list(islice(best, _COMPARED_TABLES))
