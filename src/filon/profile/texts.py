"""A table of a file written anew as text, its cells as they stand in the file.

It is done once by the worker, for whoever wants a table as text and goes on with that. Nothing is
guessed of where it stands in its sheet: the first row that is not empty is its first.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from filon.profile.formats import format_of
from filon.profile.opening import open_file
from filon.profile.packed import STREAMS, inner_name, unpacked, zip_members
from filon.profile.rows import laid_out
from filon.profile.source import MOST_BYTES, MOST_TABLES, Sheet, UnreadableError

_HEAD = 1 << 16
#: Notes on how a file was read that are handed on.
_NOTES = 3
_TABS = frozenset({".tsv", ".tab"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """What became of a file.

    parts: the names of its tables.
    part: the one that was written; "" where none was, as several are there or none has this name.
    file: what the copy is called. is_as_packed: it is text, and as it was packed, byte for byte.
    is_named: the file itself names the columns, and no row of them.
    """

    parts: tuple[str, ...]
    part: str = ""
    file: str = ""
    is_as_packed: bool = False
    is_named: bool = False
    notes: tuple[str, ...] = ()


def copy_as_text(path: Path, wanted: str, out: Path) -> Copied:
    """Write a table of a file into a folder; return what there is.

    A text is written as it was packed, all else as CSV in UTF-8 with each cell in quotes.

    wanted: the table's name; "" for the only one.
    UnreadableError where the file cannot be read, or not all of its rows.
    """
    opened = open_file(path, path.name)
    parts: list[str] = []
    chosen: Sheet | None = None
    with opened.held:
        for sheet in _tables(opened.sheets):
            parts.append(sheet.name)
            if wanted in ("", sheet.name):
                chosen = chosen or sheet
    if not parts and opened.problem:
        raise UnreadableError(opened.problem, " ".join(opened.notes), opened.format)
    if chosen is None or (len(parts) > 1 and not wanted):
        return Copied(parts=tuple(parts))
    copied = Copied(parts=tuple(parts), part=chosen.name, notes=tuple(opened.notes[:_NOTES]))
    for name, body in _packed(path):
        if format_of(body[:_HEAD], name) == "text" and name in (chosen.name, inner_name(path.name)):
            file = "table.tsv" if PurePosixPath(name).suffix.lower() in _TABS else "table.csv"
            (out / file).write_bytes(body)
            return replace(copied, file=file, is_as_packed=True)
    _write(chosen, out / "table.csv")
    return replace(copied, file="table.csv", is_named=bool(chosen.names))


def _tables(sheets: Iterable[Sheet]) -> Iterator[Sheet]:
    """Yield the tables with all their rows, each with a name of its own."""
    known: set[str] = set()
    for sheet in islice(sheets, MOST_TABLES):
        held = replace(sheet, rows=list(sheet.rows))
        if laid_out(held) is None:
            continue
        fresh = sheet.name if sheet.name not in known else ""
        known.add(fresh or f"table {len(known) + 1}")
        yield replace(held, name=fresh or f"table {len(known)}")


def _packed(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what is packed in a file, one level deep."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        found = format_of(head, path.name)
        if found in STREAMS:
            yield inner_name(path.name), unpacked(head + file.read(MOST_BYTES), found)
    for name, body in zip_members(path) if found == "zip" else ():
        if isinstance(body, bytes) and len(body) <= MOST_BYTES:
            yield name, body


def _write(sheet: Sheet, out: Path) -> None:
    rows = list(sheet.rows)
    if sheet.total > len(rows):
        raise UnreadableError("too large", f"Of its {sheet.total:,} rows {len(rows):,} are read.")
    # Of a file that names its columns, a record of nothing is a record.
    held = [list(sheet.names), *rows] if sheet.names else _without_empty_ends(rows)
    width = max(map(len, held), default=0)
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows(_filled(row, width) for row in held)


def _without_empty_ends(rows: list[list[str]]) -> list[list[str]]:
    said = [n for n, row in enumerate(rows) if any(cell.strip() for cell in row)]
    return rows[said[0] : said[-1] + 1] if said else []


def _filled(cells: Sequence[str], width: int) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]
