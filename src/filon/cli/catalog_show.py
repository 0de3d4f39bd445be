"""One file of the catalog for a terminal and for programs: `filon catalog show`."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from typing import Any

from filon.catalog.address import find_table, names_table
from filon.catalog.duplicates import Member, like
from filon.catalog.store import CatalogStore
from filon.core import FilonError
from filon.run.text import count, counted, plain, size, span

_ROWS, _COLUMNS, _WIDEST = 5, 8, 24
_PLACES = 5
#: Columns that are told one by one.
_TOLD = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """All that is told of a file."""

    row: sqlite3.Row
    path: str
    seen: list[sqlite3.Row]
    versions: list[sqlite3.Row]
    like: list[Member]
    tables: list[tuple[sqlite3.Row, list[sqlite3.Row]]]
    sample: list[list[str]]

    def value(self) -> dict[str, Any]:
        """Return it for programs."""
        return {
            **_named(self.row),
            "path": self.path,
            "sightings": [_named(one) for one in self.seen],
            "versions": [_named(one) for one in self.versions],
            "duplicates": [asdict(one) for one in self.like],
            "sample": self.sample,
            "tables": [
                {
                    **{key: table[key] for key in ("name", "rows", "header_row", "since", "until")},
                    "columns": [_column(one) for one in columns],
                }
                for table, columns in self.tables
            ],
        }

    def lines(self) -> list[str]:
        """Return it for people."""
        row = self.row
        lines = [f"{row['id'][:12]}  {plain(row['title'])}"]
        written = f", {row['encoding']}" if row["encoding"] else ""
        where = self.path or "its bytes are gone"
        kind = f"{row['format'] or 'unknown'}{written}"
        lines.append(f"  {kind}, {size(row['size_bytes'])}, {plain(where)}")
        if row["problem"]:
            lines.append(f"  {row['problem']}: {plain(row['detail'])}")
        if row["newer"]:
            lines.append(
                f"  an older version: not shown in searches, as {row['newer'][:12]} is newer"
            )
        if row["gone"]:
            lines.append(f"  no longer there: nothing was at its address on {row['gone']}")
        if row["same_as"]:
            lines.append(f"  not shown in searches: it is like {row['same_as'][:12]}")
        for one in self.seen[:_PLACES]:
            lines.append(f"  from {plain(one['url'])} in {plain(one['run'])}")
            lines += [f"    linked from {plain(one['parent'])}"] if one["parent"] else []
        if len(self.seen) > _PLACES:
            lines.append(f"  and from {len(self.seen) - _PLACES} places more")
        for name in ("licence", "modified"):
            values = dict.fromkeys(plain(one[name]) for one in self.seen if one[name])
            lines += [f"  {name}: {', '.join(values)}"] if values else []
        for one in self.versions:
            lines.append(f"  another version at the same address: {one['id'][:12]} in {one['run']}")
        for twin in self.like:
            lines.append(f"  {twin.alike:.0%} the same values: {twin.id[:12]} {plain(twin.title)}")
        for table, columns in self.tables:
            lines += _table(table, columns)
        return [*lines, *_sample(self.sample)]


def shown(catalog: CatalogStore, id: str) -> Shown:
    """Return all that is known of a file, of its tables one where the id says which."""
    chosen = find_table(catalog, id)
    row, file = catalog.find(chosen.id), chosen.file
    tables = list(catalog.tables(file))
    if names_table(id):
        tables = [table for table in tables if table[0]["number"] == chosen.number - 1]
    seen = catalog.sightings(file)
    try:
        path = catalog.path(file)
    except FilonError:
        path = None
    versions = catalog.db.execute(
        "SELECT DISTINCT f.id, f.title, s.run, s.url, s.found_s FROM sightings s JOIN files f"
        " USING (file) WHERE s.url IN (SELECT url FROM sightings WHERE file = ?) AND s.file != ?"
        " ORDER BY s.found_s",
        (file, file),
    ).fetchall()
    sample: list[list[str]] = []
    if path and row["tables"]:
        sample = catalog.cache.sample(path, seen[0]["name"], chosen.number, _ROWS)
    return Shown(
        row=row,
        path=str(path or ""),
        seen=seen,
        versions=versions,
        like=like(catalog, file),
        tables=tables,
        sample=sample,
    )


def _table(table: sqlite3.Row, columns: list[sqlite3.Row]) -> list[str]:
    name = f"{plain(table['name'])}: " if table["name"] else ""
    covers = f", {span(table['since'], table['until'])}" if table["since"] else ""
    lines = [f"  {name}{counted(table['rows'], 'row')}, {counted(len(columns), 'column')}{covers}"]
    for one in columns[:_TOLD]:
        unit = f" in {plain(one['unit'])}" if one["unit"] else ""
        numbers = one["kind"] in ("integer", "number", "date", "datetime")
        ends = f", {span(plain(one['least']), plain(one['most']))}" if numbers else ""
        missing = f", {count(one['missing'])} missing" if one["missing"] else ""
        facts = f"{one['kind']}{unit}{ends}, {count(one['distinct'])} different{missing}"
        examples = ", ".join(json.loads(one["examples"])[:3])
        lines.append(f"    {plain(one['name'])}: {facts}: {plain(examples, 60)}")
    if len(columns) > _TOLD:
        lines.append(f"    and {counted(len(columns) - _TOLD, 'column')} more (--json has all)")
    return lines


def _sample(rows: list[list[str]]) -> list[str]:
    """Return the first rows of the first table as columns of text."""
    if not rows:
        return []
    cells = [
        [plain(row[n], _WIDEST) if n < len(row) else "" for n in range(min(len(rows[0]), _COLUMNS))]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  " + "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def _named(row: sqlite3.Row) -> dict[str, Any]:
    return {key: row[key] for key in row.keys() if key != "file"}  # noqa: SIM118


def _column(one: sqlite3.Row) -> dict[str, Any]:
    value = {key: one[key] for key in one.keys() if key not in ("table", "sketch", "number")}  # noqa: SIM118
    value["examples"] = json.loads(value["examples"])
    return value
