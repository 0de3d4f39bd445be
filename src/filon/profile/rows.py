"""The tables of a file with their rows: where each stands in its sheet, and what is in it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from filon.profile.formats import BOOKS
from filon.profile.layout import LOOK, is_note, layout
from filon.profile.opening import open_file
from filon.profile.shape import Kind
from filon.profile.source import MOST_CELLS, MOST_COLUMNS, Box, Opened, Sheet, most_rows

#: Formats that have numbers; in others these are texts.
_TREES = frozenset(("json", "ndjson", "geojson", "topojson", "json-stat"))
_TYPED = frozenset(("parquet", "arrow", "sav", "zsav", "por", "dta", "sas7bdat", "xpt"))
_PLAIN = BOOKS | _TREES | _TYPED | {"dbf", "sqlite", "gpkg", "shapefile"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A table of a file with its rows, as far as they are read.

    total: rows in all. cut: not all of them are here.
    plain: numbers are written as programs do it, and not as people do in their country.
    """

    name: str
    names: tuple[str, ...]
    labels: tuple[str, ...]
    kinds: tuple[Kind | None, ...]
    header_row: int
    rows: list[list[str]]
    total: int
    cut: bool
    box: Box | None = None
    plain: bool = False

    def column(self, place: int) -> list[str]:
        """Return the cells of a column; a row that is shorter has an empty one."""
        return [row[place] if place < len(row) else "" for row in self.rows]


def tables(path: Path, name: str = "", most_cells: int = MOST_CELLS) -> Iterator[Rows]:
    """Yield the tables of a file; UnreadableError where it cannot be read.

    It is a stranger's file: to be called in the worker's process alone.
    most_cells: of a text that are read of each table; other formats have their own bounds.
    """
    opened = open_file(path, name or path.name)
    with opened.held:
        for sheet in opened.sheets:
            if (found := laid_out(sheet, most_cells)) is not None:
                yield replace(found, plain=is_plain(opened))


def sample(path: Path, name: str, number: int, rows: int) -> list[list[str]]:
    """Return the names of the columns of a table and its first rows, as they stand in the file.

    number: of the table, from 1 on; nothing where there is no such.
    """
    found = next(islice(tables(path, name), number - 1, None), None)
    return [list(found.names), *found.rows[:rows]] if found else []


def laid_out(sheet: Sheet, most_cells: int = MOST_CELLS) -> Rows | None:
    """Return where the table of a sheet stands, and its rows."""
    rows = iter(sheet.rows)
    names, header_row, begun = sheet.names, 0, list[list[str]]()
    if not names:
        head = list(islice(rows, LOOK))
        found = layout(head)
        if found is None:
            return None
        names, header_row, begun = found.names, found.header_row, head[found.begin :]
    width = min(len(names), MOST_COLUMNS)
    most = most_rows(width, most_cells)
    body = [row for row in begun if any(cell.strip() for cell in row)]
    total = len(body)
    for row in rows:
        # Of a file that names its columns, a record of nothing is a record.
        if sheet.names or any(cell.strip() for cell in row):
            total += 1
            if len(body) < most:
                body.append(row)
    cut = total > len(body)
    while body and not cut and not sheet.names and is_note(body[-1], width):
        body.pop()
        total -= 1
    if not sheet.names:
        names = _without_empty_ends(names, body)
    if not body and not any(name and not name.startswith("column ") for name in names):
        return None
    return Rows(
        name=sheet.name,
        names=names,
        labels=sheet.labels or ("",) * len(names),
        kinds=sheet.kinds or (None,) * len(names),
        header_row=header_row,
        rows=body,
        total=max(total, sheet.total) if sheet.names else total,
        cut=cut or (bool(sheet.names) and sheet.total > total),
        box=sheet.box,
    )


def _without_empty_ends(names: tuple[str, ...], rows: list[list[str]]) -> tuple[str, ...]:
    """Return the names without columns at the end that have neither a name nor a value."""
    width = len(names)
    while width > 1 and names[width - 1] == f"column {width}":
        if any(len(row) >= width and row[width - 1].strip() for row in rows):
            break
        width -= 1
    return names[:width]


def is_plain(opened: Opened) -> bool:
    """Say whether a file has numbers, and not texts that stand for them."""
    return opened.format.partition(" ")[0] in _PLAIN
