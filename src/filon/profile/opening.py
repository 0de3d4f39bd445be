"""From a file to its sheets: which reader opens it, and what is packed in what."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path, PurePosixPath

from filon.page.charset import charset
from filon.page.delimited import encoding
from filon.profile import books, databases, documents, packed, papers, trees, typed
from filon.profile.formats import BOOKS, format_of
from filon.profile.ole import ole_format
from filon.profile.source import MOST_BYTES, Opened, Sheet, UnreadableError
from filon.profile.text import open_text

_HEAD = 1 << 16
#: Archives in archives that are opened.
_DEPTH = 3
#: Formats whose readers take a path.
_BY_PATH = frozenset({*BOOKS, *typed.STATISTICS, "ole", "parquet", "arrow", "sqlite", "pdf", "zip"})


def open_file(path: Path, name: str, depth: int = 0) -> Opened:
    """Open a file; UnreadableError where that cannot be done.

    name: what the web called it; a hint where the bytes do not tell.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if not head:
            raise UnreadableError("empty", "It has no bytes.")
        found = format_of(head, name)
        if found in _BY_PATH or found in packed.CLOSED:
            return _open_path(path, found, name, depth)
        body = head + file.read(MOST_BYTES + 1 - len(head))
    return _open_bytes(body, found, name, depth)


def _open_path(path: Path, found: str, name: str, depth: int) -> Opened:
    if found in packed.CLOSED:
        return Opened(format=found)
    if found == "zip":
        return _open_zip(path, name, depth)
    if found == "ole":
        found = ole_format(path)
        if found == "encrypted":
            raise UnreadableError("encrypted", "It has a password.", "xlsx")
    if found in BOOKS:
        return books.open_book(path, found)
    if found == "parquet":
        return typed.open_parquet(path)
    if found == "arrow":
        return typed.open_arrow(path)
    if found in typed.STATISTICS:
        return typed.open_statistics(path, found)
    if found == "sqlite":
        return databases.open_sqlite(path)
    if found == "pdf":
        return papers.open_pdf(path)
    return Opened(format=found)


def _open_bytes(body: bytes, found: str, name: str, depth: int) -> Opened:
    """Open what is in memory."""
    if len(body) > MOST_BYTES:
        if found != "text":
            raise UnreadableError("too long", "It is longer than what is read of a tree.", found)
        body = body[:MOST_BYTES]
    if found in packed.STREAMS:
        inner = packed.unpacked(body, found)
        opened = _open_inner(inner, packed.inner_name(name), depth)
        opened.format = f"{opened.format} in {found}"
        return opened
    if found == "tar":
        return _open_members(packed.tar_members(body), "tar", depth)
    if found in trees.READERS:
        opened = trees.READERS[found](body)
        opened.encoding = charset(body) if found == "xml" else encoding(body)
        return opened
    if found == "html":
        return documents.open_page(body)
    if found == "dbf":
        return databases.open_dbf(body)
    if found == "text":
        return trees.open_padded(body) or open_text(body, name)
    return Opened(format=found)


def _open_inner(body: bytes, name: str, depth: int) -> Opened:
    """Open what was packed in something else."""
    if not body:
        raise UnreadableError("empty", "It has no bytes.")
    found = format_of(body[:_HEAD], name)
    is_packed = found in packed.STREAMS or found in ("zip", "tar")
    if is_packed and depth >= _DEPTH:
        raise UnreadableError("nested", "It is packed too deep to be opened.", found)
    if found not in _BY_PATH:
        return _open_bytes(body, found, name, depth + 1)
    with ExitStack() as held:
        path = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="filon-"))) / "member"
        path.write_bytes(body)
        opened = _open_path(path, found, name, depth + 1)
        opened.held.push(held.pop_all())
    return opened


def _open_zip(path: Path, name: str, depth: int) -> Opened:
    found, notes = packed.zip_kind(path)
    if found in BOOKS:
        opened = books.open_book(path, found)
    elif found == "shapefile":
        opened = databases.open_shapefiles(path)
    elif found in documents.READERS:
        opened = documents.READERS[found](path)
    elif found in ("zip", "kmz"):
        opened = _open_members(packed.zip_members(path), found, depth)
    else:
        opened = Opened(format=found)
    opened.notes += notes
    return opened


def _open_members(members: Iterator[packed.Member], format: str, depth: int) -> Opened:
    opened = Opened(format=format)
    opened.sheets = _sheets(members, opened, depth)
    return opened


def _sheets(members: Iterator[packed.Member], opened: Opened, depth: int) -> Iterator[Sheet]:
    for name, body in members:
        try:
            if isinstance(body, UnreadableError):
                raise body
            inner = _open_inner(body, PurePosixPath(name).name, depth)
            with inner.held:
                for sheet in inner.sheets:
                    label = f"{name}: {sheet.name}" if sheet.name else name
                    yield replace(sheet, name=label)
            opened.encoding = opened.encoding or inner.encoding
            opened.delimiter = opened.delimiter or inner.delimiter
            opened.quote = opened.quote or inner.quote
            opened.counted += inner.counted
            opened.problem = opened.problem or inner.problem
            opened.notes += [f"{name}: {note}" for note in inner.notes]
        except UnreadableError as error:
            opened.problem = opened.problem or error.problem
            opened.notes.append(f"{name}: {error}")
