"""Tables in files of databases and of maps: SQLite, GeoPackage, dBASE, shapefiles."""

import io
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from filon.page.cells import shown
from filon.page.delimited import encoding
from filon.profile.shape import Kind
from filon.profile.source import (
    MOST_BYTES,
    MOST_TABLES,
    Box,
    Opened,
    Sheet,
    UnreadableError,
    most_rows,
)

#: A cell of a database that is longer is cut: it is a text or a picture, not a value.
_LONGEST = 10_000
#: Of dBASE, by the letter of a field.
_DBF_KINDS: dict[str, Kind] = {"D": "date", "L": "boolean", "I": "integer", "F": "number"}
_SHAPES = {1: "point", 3: "line", 5: "polygon", 8: "points"}


def open_sqlite(path: Path) -> Opened:
    """Open a database of SQLite, or a GeoPackage; each table in it is one."""
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        database.text_factory = lambda value: value.decode("utf-8", "replace")
        database.execute("PRAGMA trusted_schema = OFF")
        names = [
            str(name)
            for name, made in database.execute(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            )
            if made and not str(made).lower().startswith("create virtual")
        ]
    except sqlite3.Error as error:
        database.close()
        raise UnreadableError("damaged", f"It is no whole database: {error}.", "sqlite") from error
    boxes = _boxes(database) if "gpkg_contents" in names else None
    if boxes is not None:
        names = [name for name in names if name in boxes]
    format = "sqlite" if boxes is None else "gpkg"
    own = [name for name in names if not name.startswith("sqlite_")]
    opened = Opened(format=format)
    opened.held.callback(database.close)
    opened.sheets = _tables(database, own[:MOST_TABLES], boxes or {}, opened)
    return opened


def _boxes(database: sqlite3.Connection) -> dict[str, Box | None]:
    """Return the tables of a GeoPackage, with the boxes that it gives them."""
    try:
        rows = database.execute(
            "SELECT table_name, min_x, min_y, max_x, max_y FROM gpkg_contents"
        ).fetchall()
    except sqlite3.Error as error:
        raise UnreadableError("damaged", f"It is no whole GeoPackage: {error}.", "gpkg") from error
    return {str(name): _box(*corners) for name, *corners in rows}


def _box(*corners: Any) -> Box | None:
    numbers = [float(c) for c in corners if isinstance(c, (int, float))]
    return (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else None


def _tables(
    database: sqlite3.Connection, names: list[str], boxes: dict[str, Box | None], opened: Opened
) -> Iterator[Sheet]:
    for name in names:
        quoted = '"' + name.replace('"', '""') + '"'
        try:
            rows = database.execute(f"SELECT * FROM {quoted}")  # noqa: S608
            columns = tuple(str(column[0]) for column in rows.description)
            (total,) = database.execute(f"SELECT count(*) FROM {quoted}").fetchone()  # noqa: S608
        except sqlite3.Error as error:
            opened.notes.append(f"The table {name!r} cannot be read: {error}.")
            continue
        most = most_rows(len(columns))
        yield Sheet(
            name=name,
            rows=_stored(rows, most, opened),
            names=columns,
            total=total,
            box=boxes.get(name),
        )


def _stored(rows: sqlite3.Cursor, most: int, opened: Opened) -> Iterator[list[str]]:
    try:
        for _, row in zip(range(most), rows, strict=False):
            yield [_cell(value) for value in row]
    except sqlite3.Error as error:
        opened.notes.append(f"The database is damaged: {error}.")


def _cell(value: object) -> str:
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    return shown(value)[:_LONGEST]


def open_dbf(body: bytes, codec: str = "", name: str = "", box: Box | None = None) -> Opened:
    """Open a table of dBASE."""
    sheet, codec = _dbf(body, codec, name, box)
    return Opened(format="dbf", encoding=codec, sheets=[sheet])


def _dbf(body: bytes, codec: str, name: str, box: Box | None) -> tuple[Sheet, str]:
    if len(body) < 33:
        raise UnreadableError("damaged", "It is no whole table of dBASE.", "dbf")
    total, head_bytes, row_bytes = struct.unpack_from("<IHH", body, 4)
    fields = []
    for at in range(32, min(head_bytes, len(body)) - 32 + 1, 32):
        if body[at] == 0x0D:
            break
        raw, letter, length, decimals = struct.unpack_from("<11sc4xBB", body, at)
        fields.append((raw.partition(b"\0")[0], letter.decode("latin-1"), length, decimals))
    lengths = sum(length for _, _, length, _ in fields)
    if not fields or row_bytes < lengths + 1 or len(body) < head_bytes:
        raise UnreadableError("damaged", "It is no whole table of dBASE.", "dbf")
    codec = codec or encoding(body[head_bytes:])
    names = tuple(raw.decode(codec, "replace") for raw, *_ in fields)
    there = (len(body) - head_bytes) // row_bytes
    if there < total:
        raise UnreadableError("damaged", f"It has {there:,} of {total:,} rows.", "dbf")
    most = min(total, most_rows(len(fields)))
    starts = range(head_bytes, head_bytes + most * row_bytes, row_bytes)
    rows = (_dbf_row(body[at + 1 : at + row_bytes], fields, codec) for at in starts)
    kinds = tuple(_dbf_kind(letter, decimals) for _, letter, _, decimals in fields)
    return Sheet(name=name, rows=rows, names=names, kinds=kinds, total=total, box=box), codec


def _dbf_kind(letter: str, decimals: int) -> Kind:
    if letter == "N":
        return "number" if decimals else "integer"
    return _DBF_KINDS.get(letter, "text")


def _dbf_row(row: bytes, fields: list[tuple[bytes, str, int, int]], codec: str) -> list[str]:
    cells, at = [], 0
    for _, letter, length, _ in fields:
        raw, at = row[at : at + length], at + length
        if letter == "I" and len(raw) == 4:
            cells.append(str(int.from_bytes(raw, "little", signed=True)))
            continue
        cell = raw.decode(codec, "replace").strip(" \0")
        if letter == "D" and len(cell) == 8:
            cell = f"{cell[:4]}-{cell[4:6]}-{cell[6:]}"
        cells.append("" if set(cell) <= {"*"} or (letter == "L" and cell == "?") else cell)
    return cells


def open_shapefiles(path: Path) -> Opened:
    """Open the tables of the shapefiles in a zip archive; of the shapes, what their heads say."""
    opened = Opened(format="shapefile")
    opened.sheets = _layers(path, opened)
    return opened


def _layers(path: Path, opened: Opened) -> Iterator[Sheet]:
    with zipfile.ZipFile(path) as archive:
        members = {name.lower(): name for name in archive.namelist()}
        for lower in sorted(members):
            if not lower.endswith(".shp"):
                continue
            stem, name = lower[:-4], PurePosixPath(members[lower]).stem
            if f"{stem}.dbf" not in members:
                opened.notes.append(f"{name} has shapes without a table.")
                continue
            try:
                head = _read(archive, members[lower], 100)
                codec = ""
                if f"{stem}.cpg" in members:
                    codec = _codec(_read(archive, members[f"{stem}.cpg"], 100))
                body = _read(archive, members[f"{stem}.dbf"], MOST_BYTES)
                sheet, opened.encoding = _dbf(body, codec, name, _shape_box(head))
            except UnreadableError as error:
                opened.notes.append(f"{name}: {error}")
                continue
            opened.notes.append(f"The shapes of {name} are of the kind {_shape(head)}.")
            yield sheet


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    try:
        with archive.open(name) as file:
            return file.read(most)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError) as error:
        raise UnreadableError("damaged", f"It cannot be read: {error}.", "shapefile") from error


def _codec(raw: bytes) -> str:
    name = raw.decode("ascii", "replace").strip().lower()
    name = f"cp{name[5:]}" if name.startswith("ansi ") else name
    name = f"cp{name}" if name.isdigit() and len(name) in (3, 4) else name
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=name)
    except LookupError:
        return ""
    return name


def _shape(head: bytes) -> str:
    number = struct.unpack_from("<i", head, 32)[0] if len(head) >= 36 else 0
    return _SHAPES.get(number % 10, "unknown")


def _shape_box(head: bytes) -> Box | None:
    return struct.unpack_from("<4d", head, 36) if len(head) >= 68 else None
