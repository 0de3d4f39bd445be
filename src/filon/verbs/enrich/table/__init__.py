"""The user's table, whatever file it is in: read as text, written back as it was with more columns.

A format is a class with the methods of `Table`; which one a file needs is told by its first
bytes. Only the columns that are asked for are held in memory.
"""

from collections.abc import Callable
from pathlib import Path

from filon.core import UserError
from filon.verbs.enrich.table.delimited import Delimited
from filon.verbs.enrich.table.form import New, Table
from filon.verbs.enrich.table.lake import Lake
from filon.verbs.enrich.table.parquet import Parquet
from filon.verbs.enrich.table.sheet import Sheet
from filon.verbs.enrich.table.sqlite import Sqlite

__all__ = ["New", "Table", "open_table"]

#: What a file may begin with, and where: the kind of table that it holds.
_MAGIC: tuple[tuple[int, bytes, Callable[[Path, str, bool], Table]], ...] = (
    (0, b"PAR1", Parquet),
    (0, b"PK\x03\x04", Sheet),
    (0, b"SQLite format 3\0", Sqlite),
    (8, b"DUCK", Lake),
)
_KNOWN = "CSV, TSV, Parquet, Excel (.xlsx), a SQLite or a DuckDB file"
#: Files that people name by mistake, and what they begin with.
_OTHER = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "compressed: unpack it first",
    b"\xd0\xcf\x11\xe0": "an old Excel file: save it as .xlsx",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"{": "JSON",
    b"[": "JSON",
}
_HEAD_BYTES = 4096


def open_table(
    path: str | Path, *, name: str = "", header: bool = True, encoding: str = ""
) -> Table:
    """Open a table; a UserError where there is none.

    path: a file, or FILE:NAME for a table of a database or a sheet of a workbook.
    name: the same name, given apart.
    header: whether the first row names the columns (of text and Excel).
    encoding: of a text file; detected where it is not given.
    """
    file, name = _split(Path(path), name)
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise UserError(f"The table {file} cannot be read: {error.strerror}.") from error
    for offset, magic, kind in _MAGIC:
        if head[offset : offset + len(magic)] == magic:
            return kind(file, name, header)
    _refuse_other(file, head)
    if name:
        raise UserError(f"{file} is one table: it has no part {name!r}.")
    return Delimited(file, header=header, encoding=encoding)


def _split(path: Path, name: str) -> tuple[Path, str]:
    """Tell FILE:NAME from a file whose name has a colon."""
    start, colon, end = str(path).rpartition(":")
    if path.exists() or not colon or not Path(start).is_file():
        return path, name
    return Path(start), name or end


def _refuse_other(path: Path, head: bytes) -> None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        raise UserError(f"The table {path} is empty.")
    for magic, what in _OTHER.items():
        if start.startswith(magic.lower()):
            raise UserError(f"{path} is {what}; Filon reads {_KNOWN}.")
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError(f"{path} is not a table that Filon reads: {_KNOWN}.")
