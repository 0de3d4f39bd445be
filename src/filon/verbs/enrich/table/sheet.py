"""Tables as Excel workbooks (.xlsx): one sheet, its first row the header. Needs the extra."""

import re
import shutil
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from filon.core import UserError
from filon.verbs.enrich.table import New, choose, distinct, library, text

#: A number as Excel may hold it: of no more digits than it keeps.
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,9})?")
#: Control characters, which a workbook cannot hold.
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class Sheet:
    """A sheet of a workbook."""

    ending = ".xlsx"

    def __init__(self, path: Path, name: str = "", header: bool = True) -> None:
        self._load = library(path, "openpyxl").load_workbook
        self.path, self.notes = path, list[str]()
        self._has_header = header
        try:
            book = self._book(read_only=True, data_only=True)
        except (BadZipFile, KeyError, ValueError, OSError) as error:
            raise UserError(f"{path} is not an Excel workbook.") from error
        self.name = choose(path, "sheet", book.sheetnames, name or _only(book))
        self.parts = tuple(book.sheetnames)
        book.close()
        self._header, self.size = self._measure()
        self.names = distinct(self._header)

    def read(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return columns as text."""
        places = {name: self.names.index(name) for name in names}
        columns: dict[str, list[str]] = {name: [] for name in places}
        for row in self._rows():
            for name, place in places.items():
                columns[name].append(text(row[place]) if place < len(row) else "")
        return columns

    def save(self, out: Path) -> None:
        """Copy the workbook as it is; `Sheet` needs the sheet's name again."""
        shutil.copyfile(self.path, out)

    def write(self, out: Path, new: New) -> list[str]:
        """Write the workbook, with its formats and other sheets, and what is new."""
        book = self._book()
        sheet = book[self.name]
        first, width = (2 if self._has_header else 1), len(self.names)
        for place, (name, column) in enumerate(new.added.items(), start=width + 1):
            if self._has_header:
                _put(sheet, 1, place, name)
            for row, cell in enumerate(column, start=first):
                if cell:
                    _put(sheet, row, place, cell)
        for name, cells in new.filled.items():
            place = self.names.index(name) + 1
            numeric = _is_numeric(sheet, place, first)
            for row, cell in cells.items():
                _put(sheet, row + first, place, cell, numeric=numeric)
        book.save(out)
        return []

    def _book(self, **how: bool) -> Any:
        """Open the workbook, whatever the file is called: the library goes by its ending."""
        return self._load(BytesIO(self.path.read_bytes()), **how)

    def _rows(self, *, skip_header: bool = True) -> Iterator[tuple[Any, ...]]:
        book = self._book(read_only=True, data_only=True)
        try:
            sheet = book[self.name]
            sheet.reset_dimensions()  # some programs write that a sheet has one cell
            first = 2 if skip_header and self._has_header else 1
            yield from sheet.iter_rows(min_row=first, values_only=True)
        finally:
            book.close()

    def _measure(self) -> tuple[list[str], int]:
        rows = self._rows(skip_header=False)
        first = next(rows, ())
        size, width = int(not self._has_header), len(first)
        for row in rows:
            size += 1
            width = max(width, len(row))
        if not size or not width:
            raise UserError(f"The sheet {self.name} of {self.path} has no rows.")
        cells = [text(cell) for cell in first] if self._has_header else []
        return [*cells, *[""] * (width - len(cells))], size


def _only(book: Any) -> str:
    """Return the sheet that is meant where none is named: the one that opens."""
    return str(book.active.title) if book.active is not None else ""


def _is_numeric(sheet: Any, place: int, first: int) -> bool:
    """Say whether a column holds numbers: what is filled in beside them is one too."""
    cells = sheet.iter_rows(min_row=first, min_col=place, max_col=place, values_only=True)
    held = [type(value) for (value,) in cells if value is not None]
    return bool(held) and all(kind in (int, float) for kind in held)


def _put(sheet: Any, row: int, place: int, value: str, *, numeric: bool = False) -> None:
    """Write text as text: what begins with = is no formula of the user's."""
    cell = sheet.cell(row=row, column=place)
    if numeric and _NUMBER.fullmatch(value):
        cell.value = float(value) if "." in value else int(value)
        return
    cell.value = _UNWRITABLE.sub(" ", value)
    cell.data_type = "s"
