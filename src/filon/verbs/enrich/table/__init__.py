"""The user's table, whatever file it is in: read as text, written back as it was with more columns.

A format is a class with the methods of `Table`; which one a file needs is told by its first
bytes. Only the columns that are asked for are held in memory.
"""

import codecs
import datetime as dt
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from filon.core import UserError
from filon.core.extras import extra
from filon.core.plugins import Lazy
from filon.profile.formats import format_of
from filon.run.text import cell

#: What a file may begin with, and where: the kind of table that it holds.
_MAGIC = (
    (0, b"PAR1", "parquet"),
    (0, b"PK\x03\x04", "zip"),
    (0, b"SQLite format 3\0", "sqlite"),
    (8, b"DUCK", "lake"),
)
_KNOWN = "CSV, TSV, Parquet, Excel, ODS, JSON, a SQLite or a DuckDB file, packed or not"
#: Files that people name by mistake, and what they begin with.
_OTHER = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"{": "JSON",
    b"[": "JSON",
}
#: Formats that are read and not written, by `format_of`; of text, what it must begin with.
_COPIED = frozenset({"gzip", "bzip2", "xz", "zstd", "tar", "ole", "arrow", "dbf"}) | {
    *("sav", "zsav", "por", "dta", "xpt", "sas7bdat")
}
_TREES: Mapping[str, tuple[bytes, ...]] = {
    "json": (b"{", b"["),
    "ndjson": (b"{", b"["),
    "xml": (b"<?xml",),
    "html": (b"<!doctype", b"<html"),
}
#: What only the workbooks of Excel hold that are not written in XML.
_OLD_WORKBOOK = "xl/workbook.bin"
_HEAD_BYTES = 4096
#: Endings of copies that hold their table by its name.
_IN_PARTS = frozenset({".xlsx", ".sqlite", ".duckdb"})
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?%?")


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """What is written beside the user's own cells.

    added: whole columns by name, a text a row; they stand behind the table's own.
    filled: texts by row for columns that the table has, where its cell is empty.
    """

    added: Mapping[str, Sequence[str]] = field(default_factory=dict)
    filled: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


class Table(Protocol):
    """A table in a file. Rows are counted from 0, the header is none of them.

    names: the columns; where two have the same name, the later one is called "name (2)".
    notes: sentences on what a person should know about how it was read.
    """

    names: tuple[str, ...]
    size: int
    notes: list[str]

    @property
    def ending(self) -> str:
        """How the name of such a file ends."""

    def read(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return columns as text; nothing in a cell is the empty text."""

    def save(self, out: Path) -> None:
        """Write a copy that opens by itself as the same table."""

    def write(self, out: Path, new: New) -> list[str]:
        """Write the table with what is new; return sentences on what did not fit."""


_KINDS: Lazy[Callable[..., Table]] = Lazy(
    {
        "delimited": f"{__name__}.delimited:Delimited",
        "parquet": f"{__name__}.parquet:Parquet",
        "sheet": f"{__name__}.sheet:Sheet",
        "sqlite": f"{__name__}.sqlite:Sqlite",
        "lake": f"{__name__}.lake:Lake",
        "copied": f"{__name__}.copied:Copied",
    }
)


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
    kind = next((kind for at, magic, kind in _MAGIC if head[at : at + len(magic)] == magic), "")
    if kind == "zip":
        kind = "sheet" if _is_workbook(file) else "copied"
    elif not kind and _is_copied(file, head):
        kind = "copied"
    if kind == "copied":
        return _KINDS[kind](file, name, header, encoding)
    if kind:
        return _KINDS[kind](file, name, header)
    _refuse_other(file, head, encoding)
    if name:
        raise UserError(f"{file} is one table: it has no part {name!r}.")
    return _KINDS["delimited"](file, header=header, encoding=encoding)


def open_copy(path: Path, *, name: str, header: bool, encoding: str) -> Table:
    """Open what `save` or `write` made of a table.

    name: of the part that it was in the user's file; in a copy as text there is no other.
    """
    held = name if path.suffix in _IN_PARTS else ""
    return open_table(path, name=held, header=header, encoding=encoding)


def _split(path: Path, name: str) -> tuple[Path, str]:
    """Tell FILE:NAME from a file whose name has a colon; a part's name may have one, too."""
    start, end = str(path), ""
    while not path.exists() and ":" in start:
        start, _, last = start.rpartition(":")
        end = f"{last}:{end}" if end else last
        if Path(start).is_file():
            return Path(start), name or end
    return path, name


def _is_workbook(path: Path) -> bool:
    """Say whether a ZIP is what Excel writes today; of one that is broken its name says it."""
    try:
        with ZipFile(path) as archive:
            names = {*archive.namelist()}
    except (BadZipFile, OSError):
        return path.suffix.lower().startswith(".xls")
    return "[Content_Types].xml" in names and _OLD_WORKBOOK not in names


def _is_copied(path: Path, head: bytes) -> bool:
    """Say whether a file is of a format that is read and not written.

    Text is a table of lines wherever it does not begin as JSON, as XML or as a page.
    """
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if _is_plain(head) and start[:1] not in (b"{", b"[", b"<") and path.suffix.lower() != ".por":
        return False  # as nearly all are
    found = format_of(head, path.name)
    if found in _TREES:
        return start.startswith(_TREES[found])
    return found in _COPIED


def _is_plain(head: bytes) -> bool:
    """Say whether a file begins as text in UTF-8, and nothing else does."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return not _CONTROL.search(head)


def _refuse_other(path: Path, head: bytes, encoding: str) -> None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        raise UserError(f"The table {path} is empty.")
    for magic, what in _OTHER.items():
        if start.startswith(magic.lower()):
            raise UserError(f"{path} is {what}; Filon reads {_KNOWN}.")
    # In UTF-16 every other byte of English is 0; without a mark at its start only a person knows.
    if b"\0" in head and not encoding and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError(f"{path} is not a table that Filon reads: {_KNOWN}.")


# What the formats share.


def text(value: object) -> str:
    """Return a cell's value as people write it.

    >>> text(None), text(2005.0), text(True), text(dt.datetime(2024, 5, 1))
    ('', '2005', 'true', '2024-05-01')
    """
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case dt.datetime() if value.time() == dt.time():
            return value.date().isoformat()
        case dt.date() | dt.time():
            return value.isoformat()
        case bytes():
            return value.decode("utf-8", "replace")
    return str(value)


def harmless(value: str) -> str:
    """Return text that a spreadsheet shows and does not compute; a number stays one.

    >>> harmless("-12.5"), harmless("=1+1")
    ('-12.5', "'=1+1")
    """
    if not value or value[0].isalnum():
        return value  # nearly every cell of a million
    return value if _NUMBER.fullmatch(value) else cell(value)


def distinct(header: Sequence[str]) -> tuple[str, ...]:
    """Return names by which each column can be told from the others.

    >>> distinct(["id", "name", "name", ""])
    ('id', 'name', 'name (2)', 'column 4')
    """
    names: dict[str, None] = {}
    for number, name in enumerate(header, start=1):
        name = name.strip() or f"column {number}"
        copy, chosen = 2, name
        while chosen in names:
            chosen, copy = f"{name} ({copy})", copy + 1
        names[chosen] = None
    return tuple(names)


class WhichPartError(UserError):
    """A file holds several tables, and none is named. parts: the names of all."""

    def __init__(self, sentence: str, parts: Sequence[str]) -> None:
        super().__init__(sentence)
        self.parts = tuple(parts)


def choose(path: Path, what: str, known: Sequence[str], wanted: str) -> str:
    """Return which of several tables is meant; a UserError that lists them where none is."""
    if wanted in known:
        return wanted
    if not wanted and len(known) == 1:
        return known[0]
    listed = ", ".join(known[:10]) + (" …" if len(known) > 10 else "")
    if not known:
        raise UserError(f"{path} holds no {what}.")
    if not wanted:
        sentence = f"{path} holds several {what}s: name one as {path}:NAME of {listed}."
        raise WhichPartError(sentence, known)
    raise UserError(f"{path} has no {what} {wanted!r}: there are {listed}.")


def library(path: Path, *modules: str) -> Any:
    """Return the module that reads a kind of table; the extra may not be installed."""
    return extra("tables", f"{path} needs {' and '.join(modules)}", *modules)


class Distinct:
    """The different rows of some columns.

    columns: the cells of the different rows; rows without any text are none of them.
    of: for each row of the table, the number of its different row; -1 where it has no text.

    >>> Distinct({"name": ["a", "b", "a", " "]}).of.tolist()
    [0, 1, 0, -1]
    """

    def __init__(self, columns: Mapping[str, Sequence[str]]) -> None:
        first: dict[bytes, int] = {}
        kept: dict[str, list[str]] = {name: [] for name in columns}
        numbers = []
        for cells in zip(*columns.values(), strict=True):
            line = "\x1f".join(cell.strip() for cell in cells)
            if not line.strip("\x1f"):
                numbers.append(-1)
                continue
            # A digest, as a million rows of text are held once already.
            digest = hashlib.blake2b(line.encode("utf-8", "replace"), digest_size=16).digest()
            number = first.setdefault(digest, len(first))
            numbers.append(number)
            if number == len(kept[next(iter(kept))]):
                for name, cell in zip(kept, cells, strict=True):
                    kept[name].append(cell)
        self.columns = kept
        self.of: NDArray[np.int64] = np.array(numbers, dtype=np.int64)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def rows(self) -> list[list[int]]:
        """Return, for each different row, the rows of the table that are like it."""
        found: list[list[int]] = [[] for _ in range(len(self))]
        for row, number in enumerate(self.of.tolist()):
            if number >= 0:
                found[number].append(row)
        return found
