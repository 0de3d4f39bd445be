"""Workbooks: Excel, old and new, and OpenDocument, by calamine."""

from collections.abc import Iterator
from pathlib import Path

from filon.core.extras import extra
from filon.profile.cells import shown
from filon.profile.source import MOST_CELLS, MOST_TABLES, Opened, Sheet, UnreadableError


def open_book(path: Path, format: str) -> Opened:
    """Open a workbook; sheets that hold nothing are left out."""
    calamine = extra("tables", "Workbooks need python-calamine", "python_calamine")
    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
    except calamine.PasswordError as error:
        raise UnreadableError("encrypted", "It has a password.", format) from error
    except (calamine.CalamineError, OSError) as error:
        raise UnreadableError("damaged", f"It is no whole workbook: {error}.", format) from error
    opened = Opened(format=format)
    opened.sheets = _sheets(book, calamine, opened)
    return opened


def _sheets(book: object, calamine: object, opened: Opened) -> Iterator[Sheet]:
    for name in book.sheet_names[:MOST_TABLES]:  # type: ignore[attr-defined]
        try:
            sheet = book.get_sheet_by_name(name)  # type: ignore[attr-defined]
        except calamine.CalamineError as error:  # type: ignore[attr-defined]
            opened.notes.append(f"The sheet {name!r} cannot be read: {error}.")
            continue
        if sheet.height and sheet.width:
            most = max(1, MOST_CELLS // max(1, sheet.width))
            rows = ([shown(cell) for cell in row] for row in sheet.iter_rows())
            # iter_rows begins at the top whatever is filled: numbers of rows are those of Excel.
            yield Sheet(name=name, rows=_first(rows, most), total=sheet.total_height)


def _first(rows: Iterator[list[str]], most: int) -> Iterator[list[str]]:
    for number, row in enumerate(rows):
        if number >= most:
            return
        yield row
