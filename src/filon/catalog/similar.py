"""Tables that go together: columns with the same values (joins), and the same columns (unions)."""

import sqlite3
from dataclasses import dataclass

import numpy as np
from rapidfuzz.fuzz import ratio

from filon.catalog.store import CatalogStore
from filon.profile.columns import Sketches

#: A column of fewer different values joins with anything.
_FEW = 3
_LEAST = 0.5
_ALIKE = 90.0
_MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Joinable:
    """A column whose values another has, too. overlap: which share of them, about."""

    overlap: float
    column: str
    id: str
    table: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unionable:
    """A table with the same columns. shared: which share of the columns of both."""

    id: str
    table: str
    shared: float
    columns: tuple[str, ...]


def joinable(catalog: CatalogStore, file: int) -> list[Joinable]:
    """Return columns of other files that hold the values of a column of this one."""
    return _overlaps(catalog, file, _columns(catalog, "f.file != ?", file))[:_MOST]


def pairs(catalog: CatalogStore, file: int, other: int) -> list[Joinable]:
    """Return the columns of another file that hold the values of a column of this one."""
    return _overlaps(catalog, file, _columns(catalog, "f.file = ? AND t.number = 0", other))


def _overlaps(catalog: CatalogStore, file: int, others: list[sqlite3.Row]) -> list[Joinable]:
    if not others:
        return []
    sketches = Sketches([other["sketch"] for other in others])
    kinds = np.array([other["kind"] for other in others])
    found = []
    for column in _columns(catalog, "f.file = ?", file):
        overlaps = sketches.containing(column["sketch"])
        for place in np.flatnonzero((overlaps >= _LEAST) & (kinds == column["kind"])):
            other = others[int(place)]
            found.append(
                Joinable(
                    column=column["name"],
                    id=other["id"],
                    table=other["in"],
                    other=other["name"],
                    overlap=float(overlaps[place]),
                )
            )
    found.sort(key=lambda one: (-one.overlap, one.id, one.other))
    return found


def _columns(catalog: CatalogStore, condition: str, file: int) -> list[sqlite3.Row]:
    """Return the columns of some files by which tables can be joined."""
    return catalog.db.execute(
        'SELECT f.id, t.name AS "in", c.* FROM columns c JOIN tables t USING ("table")'
        f' JOIN files f USING (file) WHERE {condition} AND c."distinct" >= {_FEW}'
        " AND c.kind NOT IN ('number', 'empty', 'boolean')",
        (file,),
    ).fetchall()


def unionable(catalog: CatalogStore, file: int) -> list[Unionable]:
    """Return tables of other files that have the columns of this one: the same names and kinds."""
    found = []
    for _, columns in catalog.tables(file):
        mine = {_key(column) for column in columns}
        if len(mine) < 2:
            continue
        rows = catalog.db.execute(
            'SELECT f.id, t.name AS "in", t."table", c.name, c.kind FROM tables t'
            ' JOIN columns c USING ("table") JOIN files f USING (file) WHERE f.file != ?'
            ' ORDER BY t."table", c.number',
            (file,),
        )
        others: dict[int, tuple[str, str, list[tuple[str, str]]]] = {}
        for row in rows:
            entry = others.setdefault(row["table"], (row["id"], row["in"], []))
            entry[2].append(_key(row))
        for id, name, keys in others.values():
            shared = [key for key in keys if _has(mine, key)]
            share = 2 * len(shared) / (len(mine) + len(keys))
            if share >= _LEAST and len(shared) > 1:
                names = tuple(key[0] for key in shared)
                found.append(Unionable(id=id, table=name, shared=share, columns=names))
    found.sort(key=lambda one: (-one.shared, one.id))
    return found[:_MOST]


def _key(column: sqlite3.Row) -> tuple[str, str]:
    kind = "number" if column["kind"] in ("integer", "number", "empty") else column["kind"]
    return " ".join(column["name"].lower().split()), kind


def _has(mine: set[tuple[str, str]], key: tuple[str, str]) -> bool:
    if key in mine:
        return True
    return any(kind == key[1] and ratio(name, key[0]) >= _ALIKE for name, kind in mine)
