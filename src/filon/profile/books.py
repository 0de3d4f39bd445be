"""Workbooks: Excel, old and new, and OpenDocument, by calamine."""

import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filon.core.extras import extra
from filon.page.cells import shown
from filon.profile.source import MOST_TABLES, Opened, Sheet, UnreadableError, most_rows

_CELL = re.compile(rb'<(?:\w+:)?c\b[^>]*?\br="([A-Z]{1,3})(\d{1,7})"')
#: Parts of a workbook up to this size are looked at for cells that are far apart.
_SMALL_BYTES = 4 << 20
#: A reader lays out all cells between the first and the last, empty ones, too: so many at the most,
#: unless one in so many is filled.
_MOST_LAID_OUT, _FILLED = 20_000_000, 100


def open_book(path: Path, format: str) -> Opened:
    """Open a workbook; sheets that hold nothing are left out."""
    calamine = extra("tables", "Workbooks need python-calamine", "python_calamine")
    if format == "xlsx":
        _check_extent(path)
    try:
        with _no_panic(format):
            book = _book(path, format, calamine)
    except calamine.PasswordError as error:
        raise UnreadableError("encrypted", "It has a password.", format) from error
    except (calamine.CalamineError, OSError) as error:
        raise UnreadableError("damaged", f"It is no whole workbook: {error}.", format) from error
    opened = Opened(format=format)
    opened.sheets = _sheets(book, calamine, opened)
    return opened


@contextmanager
def _no_panic(format: str) -> Iterator[None]:
    """Make a file that is damaged of what ends a process otherwise: a panic of Rust's."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # it has no module to import it from
            raise
        raise UnreadableError("damaged", "It is no whole workbook.", format) from error


def _book(path: Path, format: str, calamine: Any) -> Any:
    """Return the workbook: by its bytes, as a name may lie."""
    try:
        with path.open("rb") as file:
            return calamine.CalamineWorkbook.from_filelike(file)
    except calamine.CalamineError:
        # It tries all formats and says that none fits; with the right name it says what is wrong.
        with tempfile.TemporaryDirectory(prefix="filon-") as folder:
            named = Path(folder) / f"book.{format}"
            shutil.copyfile(path, named)
            return calamine.CalamineWorkbook.from_path(str(named))


def _sheets(book: Any, calamine: Any, opened: Opened) -> Iterator[Sheet]:
    if len(book.sheet_names) > MOST_TABLES:
        opened.notes.append(f"Of {len(book.sheet_names):,} sheets {MOST_TABLES} are read.")
    for name in book.sheet_names[:MOST_TABLES]:
        try:
            with _no_panic(opened.format):
                sheet = book.get_sheet_by_name(name)
        except (calamine.CalamineError, OSError) as error:
            opened.notes.append(f"The sheet {name!r} cannot be read: {error}.")
            continue
        if sheet.height and sheet.width:
            most = most_rows(sheet.width)
            rows = ([shown(cell) for cell in row] for row in sheet.iter_rows())
            # iter_rows begins at the top whatever is filled: numbers of rows are those of Excel.
            yield Sheet(name=name, rows=_first(rows, most), total=sheet.total_height)


def _first(rows: Iterator[list[str]], most: int) -> Iterator[list[str]]:
    for number, row in enumerate(rows):
        if number >= most:
            return
        yield row


def _check_extent(path: Path) -> None:
    """Raise where a few cells lie so far apart that what is between them takes all memory."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            is_sheet = member.filename.startswith("xl/worksheets/")
            if not is_sheet or not 0 < member.file_size <= _SMALL_BYTES:
                continue
            try:
                with archive.open(member) as file:
                    found = _CELL.findall(file.read(_SMALL_BYTES))
            except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError):
                continue  # the workbook's reader says what is wrong
            wide = max((_place(letters) for letters, _ in found), default=0)
            high = max((int(number) for _, number in found), default=0)
            if wide * high > max(_MOST_LAID_OUT, _FILLED * len(found)):
                raise UnreadableError(
                    "too large", f"It spreads over {wide * high:,} cells.", "xlsx"
                )


def _place(letters: bytes) -> int:
    """Return the number of a column.

    >>> _place(b"A"), _place(b"XFD")
    (1, 16384)
    """
    place = 0
    for letter in letters:
        place = 26 * place + letter - 64
    return place
