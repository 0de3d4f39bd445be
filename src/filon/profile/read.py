"""From a file to its profile: its format, its sheets, their layout, their columns."""

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath

from filon.core import UserError
from filon.profile import books, trees, typed
from filon.profile.columns import column, years
from filon.profile.formats import BOOKS, format_of, zip_format
from filon.profile.layout import LOOK, is_note, layout
from filon.profile.places import places
from filon.profile.shape import Kind, Profile, Table
from filon.profile.source import (
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_TABLES,
    Opened,
    Sheet,
    UnreadableError,
)
from filon.profile.text import dialect, encoding, rows_of

_HEAD = 1 << 16
#: Bytes of a text, a tree or a member of an archive that are read.
MOST_BYTES = 256 << 20
#: A member that grows beyond this many times its size, and is long, is a bomb.
_RATIO, _LONG = 200, 64 << 20
_MOST_MEMBERS = 10_000
_NO_TABLES = {
    "pdf": "A PDF: its tables are counted, not read.",
    "html": "A web page.",
    "docx": "A text document.",
    "odt": "A text document.",
    "rtf": "A text document.",
    "pptx": "A presentation.",
    "binary": "Bytes of no format that is known.",
    "7z": "An archive of a kind that is not opened.",
    "rar": "An archive of a kind that is not opened.",
    "bzip2": "An archive of a kind that is not opened.",
    "xz": "An archive of a kind that is not opened.",
    "zstd": "An archive of a kind that is not opened.",
    "notebook": "A notebook.",
    "sqlite": "A database of SQLite: open it with `sqlite3` or Datasette.",
    "shapefile": "A map: its shapes are not read.",
}


def profile(path: Path, name: str = "") -> Profile:
    """Return the profile of a file without its hash; what is wrong with it stands there too.

    name: what the web called it; a hint where the bytes do not tell.
    """
    size_bytes = path.stat().st_size
    opened = Opened(format="")
    problem = detail = ""
    tables: list[Table] = []
    try:
        opened = _open(path, name or path.name)
        for sheet in opened.sheets:
            if (table := _table(sheet)) is not None:
                tables.append(table)
            if len(tables) >= MOST_TABLES:
                opened.notes.append(f"Only the first {MOST_TABLES} tables are told.")
                break
        if not tables:
            problem, detail = "no table", _NO_TABLES.get(opened.format, "It holds no table.")
    except UnreadableError as error:
        problem, detail, opened.format = error.problem, str(error), error.format or opened.format
    return Profile(
        size_bytes=size_bytes,
        format=opened.format,
        encoding=opened.encoding,
        delimiter=opened.delimiter,
        quote=opened.quote,
        tables=tuple(tables),
        problem=problem,
        detail=detail or " ".join(opened.notes),
    )


def _open(path: Path, name: str) -> Opened:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise UnreadableError("empty", "It has no bytes.")
    found = format_of(head, name)
    if found == "zip":
        return _open_zip(path, name)
    if found in BOOKS:
        return books.open_book(path, found)
    if found == "parquet":
        return typed.open_parquet(path)
    if found in typed.STATISTICS:
        return typed.open_statistics(path, found)
    if found in _NO_TABLES:
        return Opened(format=found)
    with path.open("rb") as file:
        body = file.read(MOST_BYTES + 1)
    if found == "gzip":
        return _open_gzip(body, name)
    return _open_body(body, found, name)


def _open_body(body: bytes, found: str, name: str) -> Opened:
    """Open a text or a tree that is in memory."""
    if len(body) > MOST_BYTES:
        if found != "text":
            raise UnreadableError("too long", "It is longer than what is read of a tree.", found)
        body = body[:MOST_BYTES]
    if found == "json":
        return trees.open_json(body)
    if found == "ndjson":
        return trees.open_lines(body)
    if found == "xml":
        return trees.open_xml(body)
    if found != "text":
        return Opened(format=found)
    return _open_text(body, name)


def _open_text(body: bytes, name: str) -> Opened:
    codec = encoding(body)
    text = body.decode(codec, "replace")
    found = dialect(text[: 1 << 18], name)
    if found is None:
        return Opened(format="text", encoding=codec)
    kind = {"\t": "tsv", "": "fixed width" if found.fixed else "csv"}.get(found.delimiter, "csv")
    return Opened(
        format=kind,
        encoding=codec,
        delimiter=found.delimiter,
        quote=found.quote if found.quote and found.quote in text[: 1 << 18] else "",
        sheets=[Sheet(rows=rows_of(text, found))],
    )


def _open_gzip(body: bytes, name: str) -> Opened:
    try:
        with gzip.open(io.BytesIO(body)) as file:
            inner = file.read(min(MOST_BYTES, max(_LONG, _RATIO * len(body))) + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError("damaged", f"It is no whole gzip: {error}.", "gzip") from error
    if len(inner) > max(_LONG, _RATIO * len(body)):
        raise UnreadableError("bomb", "It grows beyond all measure.", "gzip")
    inner_name = name.removesuffix(".gz")
    found = format_of(inner[:_HEAD], inner_name)
    if found in ("zip", "gzip", *BOOKS, "parquet", *typed.STATISTICS):
        raise UnreadableError("nested", f"A gzip with a {found} in it is not opened.", "gzip")
    opened = _open_body(inner, found, inner_name)
    opened.format = f"{opened.format} in gzip"
    return opened


def _open_zip(path: Path, name: str) -> Opened:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise UnreadableError("damaged", f"It is no whole zip: {error}.", "zip") from error
    with archive:
        members = archive.infolist()
        if len(members) > _MOST_MEMBERS:
            raise UnreadableError("bomb", f"It has {len(members):,} members.", "zip")
        names = frozenset(member.filename for member in members)
        mimetype = ""
        if members and members[0].filename == "mimetype" and members[0].file_size < 200:
            mimetype = archive.read(members[0]).decode("ascii", "replace")
        found = zip_format(names, mimetype)
    _check_growth(members, found)
    if found in BOOKS:
        return books.open_book(path, found)
    if found != "zip":
        return Opened(format=found)
    opened = Opened(format="zip")
    opened.sheets = _members(path, opened)
    return opened


def _check_growth(members: Sequence[zipfile.ZipInfo], found: str) -> None:
    grown, packed = sum(m.file_size for m in members), sum(m.compress_size for m in members)
    if grown > max(_LONG, _RATIO * max(1, packed)) or grown > 16 * MOST_BYTES:
        raise UnreadableError("bomb", f"It would grow to {grown:,} bytes.", found)


def _members(path: Path, opened: Opened) -> Iterator[Sheet]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir() or PurePath(member.filename).name.startswith("."):
                continue
            if member.flag_bits & 1:
                raise UnreadableError("encrypted", "Its members have a password.", "zip")
            try:
                with archive.open(member) as file:
                    body = file.read(MOST_BYTES + 1)
                inner = _open_body(body, format_of(body[:_HEAD], member.filename), member.filename)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
                opened.notes.append(f"{member.filename} cannot be read: {error}.")
                continue
            except UnreadableError as error:
                opened.notes.append(f"{member.filename}: {error}")
                continue
            opened.encoding = opened.encoding or inner.encoding
            opened.delimiter = opened.delimiter or inner.delimiter
            for sheet in inner.sheets:
                label = f"{member.filename}: {sheet.name}" if sheet.name else member.filename
                yield Sheet(
                    name=label,
                    rows=sheet.rows,
                    names=sheet.names,
                    labels=sheet.labels,
                    kinds=sheet.kinds,
                    total=sheet.total,
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A table of a file with its rows, as far as they are read.

    total: rows in all. cut: not all of them are here.
    """

    name: str
    names: tuple[str, ...]
    labels: tuple[str, ...]
    kinds: tuple[Kind | None, ...]
    header_row: int
    rows: list[list[str]]
    total: int
    cut: bool

    def column(self, place: int) -> list[str]:
        """Return the cells of a column; a row that is shorter has an empty one."""
        return [row[place] if place < len(row) else "" for row in self.rows]


def tables(path: Path, name: str = "") -> Iterator[Rows]:
    """Yield the tables of a file; UserError where it cannot be read."""
    try:
        for sheet in _open(path, name or path.name).sheets:
            if (found := _laid_out(sheet)) is not None:
                yield found
    except UnreadableError as error:
        raise UserError(f"{name or path.name} cannot be read: {error}") from error


def _laid_out(sheet: Sheet) -> Rows | None:
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
    most = max(1, MOST_CELLS // max(1, width))
    body = [row for row in begun if any(cell.strip() for cell in row)]
    total = len(body)
    for row in rows:
        if any(cell.strip() for cell in row):
            total += 1
            if len(body) < most:
                body.append(row)
    cut = total > len(body)
    while body and not cut and not sheet.names and is_note(body[-1], width):
        body.pop()
        total -= 1
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
        cut=cut,
    )


def _table(sheet: Sheet) -> Table | None:
    found = _laid_out(sheet)
    if found is None:
        return None
    width, notes = min(len(found.names), MOST_COLUMNS), []
    if len(found.names) > width:
        notes.append(f"Of {len(found.names):,} columns only the first {width:,} are told.")
    wide = sum(len(row) > width and any(cell.strip() for cell in row[width:]) for row in found.rows)
    if wide:
        notes.append(f"{wide:,} rows are longer than the header.")
    if found.cut:
        notes.append(f"The columns are told from the first {len(found.rows):,} rows.")
    cells = [found.column(place) for place in range(width)]
    columns = [
        column(found.names[n], cells[n], label=found.labels[n], kind=found.kinds[n])
        for n in range(width)
    ]
    since, until = years(columns, cells)
    return Table(
        name=found.name,
        header_row=found.header_row,
        rows=found.total,
        columns=tuple(columns),
        since=since,
        until=until,
        places=places(columns, cells),
        notes=tuple(notes),
    )
