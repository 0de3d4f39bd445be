"""Tables as text: CSV, TSV and the like, in the encoding and with the delimiter that they have.

A row that is longer than the header is kept whole: its further cells get columns of their own.
"""

import codecs
import csv
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from filon.core import UserError
from filon.page.delimited import HEAD, dialect
from filon.run.text import counted
from filon.verbs.enrich.table import New, distinct, harmless

_UTF_16, _MARK = "utf-16", "\ufeff"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, _UTF_16),
    (codecs.BOM_UTF16_BE, _UTF_16),
)
#: The second is what Windows writes in western Europe; the third takes any bytes.
_GUESSES = ("utf-8", "cp1252", "latin-1")
_CHUNK = 1 << 20
#: A cell may hold a whole article.
_LONGEST_CELL = 1 << 30


class Delimited:
    """A text file with a row a line."""

    def __init__(self, path: Path, *, header: bool = True, encoding: str = "") -> None:
        self.path = path
        self.notes: list[str] = []
        csv.field_size_limit(_LONGEST_CELL)
        self.encoding = encoding or _encoding(path)
        self._has_header = header
        self._delimiter, self._quoted, self._break = self._look()
        self._header, self.size = self._measure()
        self.names = distinct(self._header)

    @property
    def ending(self) -> str:
        """As the file's own name, where that says anything."""
        return self.path.suffix or (".tsv" if self._delimiter == "\t" else ".csv")

    def read(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return columns as text."""
        places = {name: self.names.index(name) for name in names}
        columns: dict[str, list[str]] = {name: [] for name in places}
        for row in self._rows():
            for name, place in places.items():
                columns[name].append(row[place] if place < len(row) else "")
        return columns

    def save(self, out: Path) -> None:
        """Copy the file as it is."""
        shutil.copyfile(self.path, out)

    def write(self, out: Path, new: New) -> list[str]:
        """Write the table with what is new, in its own encoding if that has all letters."""
        notes, encoding = [], self.encoding
        if not _fits(new, encoding):
            encoding = "utf-8-sig"
            notes.append(
                f"The new values have letters that {self.encoding} lacks: {out.name} is in UTF-8."
            )
        mark = ""
        if encoding == _UTF_16 and _is_big_endian(self.path):  # else it would be turned round
            encoding, mark = "utf-16-be", _MARK
        with out.open("w", encoding=encoding, newline="") as file:
            file.write(mark)
            writer = csv.writer(
                file,
                delimiter=self._delimiter,
                quoting=csv.QUOTE_ALL if self._quoted else csv.QUOTE_MINIMAL,
                lineterminator=self._break,
            )
            if self._has_header:
                writer.writerow([*self._header, *new.added])
            writer.writerows(self._widened(new))
        return notes

    def _widened(self, new: New) -> Iterator[list[str]]:
        width = len(self.names)
        filled = [(self.names.index(name), cells) for name, cells in new.filled.items()]
        for number, row in enumerate(self._rows()):
            row += [""] * (width - len(row))
            for place, cells in filled:
                if number in cells:
                    row[place] = harmless(cells[number])
            yield row + [harmless(column[number]) for column in new.added.values()]

    def _open(self) -> TextIO:
        try:
            return self.path.open(encoding=self.encoding, newline="")
        except LookupError:
            raise UserError(f"There is no encoding {self.encoding!r}.") from None

    def _rows(self, *, skip_header: bool = True) -> Iterator[list[str]]:
        """Yield the rows; a line with nothing on it is one only where there is one column."""
        with self._open() as file:
            rows = csv.reader(file, delimiter=self._delimiter)
            try:
                if skip_header and self._has_header:
                    next((row for row in rows if row), None)
                for row in rows:
                    if row:
                        yield row
                    elif len(self.names) == 1:
                        yield [""]
            except UnicodeDecodeError as error:
                raise UserError(f"{self.path} is not {self.encoding}: {error.reason}.") from error
            except csv.Error as error:
                line = rows.line_num
                raise UserError(f"{self.path} is not CSV at line {line}: {error}.") from error

    def _look(self) -> tuple[str, bool, str]:
        """Return the delimiter, whether each cell is in quotes, and the line break."""
        with self._open() as file:
            try:
                start = file.read(_CHUNK)
            except UnicodeDecodeError as error:
                raise UserError(f"{self.path} is not {self.encoding}: {error.reason}.") from error
        line = start.split("\n", 1)[0]
        end = "\r\n" if line.endswith("\r") else "\n" if "\n" in start else "\r"
        named = self.path.suffix.lower() if self.path.suffix.lower() in (".tsv", ".tab") else ".csv"
        found = dialect(start[:HEAD], named)
        delimiter = (found and found.delimiter) or ("," if named == ".csv" else "\t")
        cells = line.strip("\r\n").split(delimiter)
        quoted = all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)
        return delimiter, quoted, end

    def _measure(self) -> tuple[list[str], int]:
        self.names = ()
        header: list[str] = []
        widths: Counter[int] = Counter()
        blank = 0
        for row in self._rows(skip_header=False):
            if not header:
                header = row
                if self._has_header:
                    continue
            widths[len(row)] += 1
        if len(header) == 1:
            self.names = ("",)
            blank = sum(1 for _ in self._rows()) - sum(widths.values())
        if not widths:
            raise UserError(f"The table {self.path} has no rows.")
        if not self._has_header:
            header = [""] * len(header)
        return self._fit(header, widths), sum(widths.values()) + blank

    def _fit(self, header: list[str], widths: Counter[int]) -> list[str]:
        """Return the header, as wide as the widest row."""
        width = len(header)
        short = sum(number for wide, number in widths.items() if wide < width)
        if short:
            self.notes.append(f"Shorter than the table's header: {counted(short, 'row')}.")
        if (widest := max(widths)) > width:
            long = sum(number for wide, number in widths.items() if wide > width)
            self.notes.append(
                f"Longer than the table's header: {counted(long, 'row')}; "
                f"the further cells are kept in columns without a name."
            )
            header = [*header, *[""] * (widest - width)]
        return header


def _encoding(path: Path) -> str:
    """Return the first encoding in which the whole file makes sense."""
    with path.open("rb") as file:
        start = file.read(4)
    for bom, encoding in _BOMS:
        if start.startswith(bom):
            return encoding
    return next(encoding for encoding in _GUESSES if _decodes(path, encoding))


def _is_big_endian(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == codecs.BOM_UTF16_BE


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _fits(new: New, encoding: str) -> bool:
    if encoding.lower().startswith(("utf-8", "utf-16")):
        return True
    texts: list[Iterable[str]] = [*new.added.values(), *(c.values() for c in new.filled.values())]
    names: Sequence[str] = list(new.added)
    try:
        for column in (names, *texts):
            for cell in column:
                if not cell.isascii():
                    cell.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
