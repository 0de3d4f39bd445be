"""What is known of a file without reading it: its profile, where it was seen, its versions."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from filon.catalog.address import file_and_table
from filon.catalog.data import quoted
from filon.catalog.similar import Joinable, Unionable, advised
from filon.catalog.store import CatalogStore
from filon.catalog.versions import versions_of
from filon.core import FilonError
from filon.profile.shape import Column
from filon.profile.values import distinct
from filon.run.chain import chain
from filon.run.text import span

#: Columns and places that a page tells one by one.
MOST_COLUMNS, MOST_PLACES = 50, 10
#: Steps of a path that are shown at either end.
_ENDS = 12
#: Kinds whose range says something; of texts it is the order of their letters.
_RANGED = ("integer", "number", "date", "datetime")


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A column, as a page tells it.

    range: "" where it says nothing. values: the address of a question that counts its values.
    """

    column: Column
    range: str
    values: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a file. number: from 1 on. sql: its name in a query."""

    number: int
    name: str
    rows: int
    span: str
    places: str
    box: str
    columns: Sequence[Described]
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What was at an address of a file, since when."""

    id: str
    size_bytes: int
    rows: int
    since: str
    is_this: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A file. file: its row in the catalog. path: None where its bytes are gone.

    table: the one that is looked at; None where it has none. tables: number and name of each.
    """

    file: sqlite3.Row
    path: Path | None
    table: Table | None
    tables: Sequence[tuple[int, str]]
    sightings: Sequence[sqlite3.Row]
    versions: Sequence[Version]

    @property
    def id(self) -> str:
        """The id as a whole."""
        return str(self.file["id"])

    @property
    def number(self) -> int:
        """The number of the table that is looked at; 1 where it has none."""
        return self.table.number if self.table else 1

    @property
    def all_columns(self) -> str:
        """The address of the question what all columns of the file are."""
        query = (
            "SELECT t.number + 1 AS in_table, c.name, c.kind, c.unit, c.least, c.most,"
            ' c."distinct", c.missing\nFROM columns c JOIN tables t USING ("table")'
            f" JOIN files f USING (file)\nWHERE f.id = '{self.id}' ORDER BY t.number, c.number"
        )
        return f"/catalog/sql?{urlencode({'q': query})}"

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"/catalog/files/{self.id[:12]}"

    def facts(self, name: str) -> list[str]:
        """Return the different values that were seen of one thing, as its licence."""
        return list(dict.fromkeys(one[name] for one in self.sightings if one[name]))[:MOST_PLACES]


def about(store: CatalogStore, id: str, number: int = 1) -> About:
    """Return what is known of a file, and of one of its tables: that of ID#2, else by number."""
    chosen = file_and_table(store, id, number)
    row, file, number = store.find(chosen.id), chosen.file, chosen.number
    tables = store.db.execute(
        'SELECT number, name, "table" FROM tables WHERE file = ? ORDER BY number', (file,)
    ).fetchall()
    try:
        path = store.path(file)
    except FilonError:
        path = None
    return About(
        file=row,
        path=path,
        table=_table(store, row, number) if tables else None,
        tables=[(one["number"] + 1, one["name"]) for one in tables],
        sightings=store.sightings(file),
        versions=[_version(one, row["id"]) for one in versions_of(store.db, file)],
    )


def _table(store: CatalogStore, file: sqlite3.Row, number: int) -> Table:
    row = store.db.execute(
        "SELECT * FROM tables WHERE file = ? AND number = ?", (file["file"], number - 1)
    ).fetchone()
    sql = f"f_{file['id'][:12]}" + (f"_{number}" if number > 1 else "")
    columns = store.columns(row["table"])
    names = distinct([one["name"] for one in columns])  # as a query has them
    return Table(
        number=number,
        name=row["name"],
        rows=row["rows"],
        span=span(row["since"], row["until"]) if row["since"] else "",
        places=row["places"],
        box=row["box"],
        columns=[
            _described(one, _counting(sql, name)) for one, name in zip(columns, names, strict=True)
        ],
        sql=sql,
    )


def _counting(table: str, column: str) -> str:
    """Return the address of the question how often each value of a column is there."""
    query = f"SELECT {quoted(column)}, count(*) AS n\nFROM {table} GROUP BY 1 ORDER BY n DESC"
    return f"/catalog/sql?{urlencode({'q': query})}"


def _described(row: sqlite3.Row, values: str) -> Described:
    names = ("name", "label", "kind", "unit", "filled", "missing", "distinct", "least", "most")
    examples = tuple(json.loads(row["examples"]))
    column = Column(**{name: row[name] for name in names}, examples=examples)
    ranged = span(column.least, column.most) if column.kind in _RANGED and column.least else ""
    return Described(column=column, range=ranged, values=values)


def _version(row: sqlite3.Row, this: str) -> Version:
    return Version(
        id=row["id"],
        size_bytes=row["size_bytes"],
        rows=row["rows"],
        since=day(row["first_s"]),
        is_this=row["id"] == this,
    )


def day(at_s: float) -> str:
    """Return a day as text, of seconds since 1970."""
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a run came to a file. steps: from its start on. left_out: steps after the first ones."""

    run: str
    url: str
    steps: Sequence[dict[str, Any]]
    left_out: int = 0
    problem: str = ""


def ways(folder: Path, found: About) -> list[Way]:
    """Return the paths of pages that led to a file, in each run that has it."""
    seen = {one["run"]: one["url"] for one in reversed(found.sightings)}
    return [_way(folder, run, url) for run, url in list(seen.items())[::-1][:MOST_PLACES]]


def _way(folder: Path, run: str, url: str) -> Way:
    try:
        steps = chain(folder / run, url)
    except FilonError as error:
        return Way(run=run, url=url, steps=(), problem=str(error))
    left_out = max(0, len(steps) - 2 * _ENDS)
    shown = steps if not left_out else [*steps[:_ENDS], *steps[-_ENDS:]]
    return Way(run=run, url=url, steps=shown, left_out=left_out)


def similar(
    store: CatalogStore, id: str, table: int | None = None
) -> tuple[list[Unionable], list[Joinable]]:
    """Return what to put below a file, or a table of it, and what to join with it."""
    return advised(store, store.find(id)["file"], 10, table=table)
