"""Tables in documents: in web pages, in text documents of Word and of OpenDocument."""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.page.charset import charset
from filon.profile.source import MOST_BYTES, MOST_TABLES, Opened, Sheet, UnreadableError

#: Cells that one cell may cover; browsers have such bounds too.
_MOST_SPAN = 1000
_MOST_ROWS = 100_000
_LONGEST = 10_000
#: Parts of a page by which a table in it is one of layout, or of a form.
_NO_DATA = "form, input, iframe, video, nav"
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ODF = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def open_page(body: bytes) -> Opened:
    """Open the tables of a web page that hold data: two rows and two columns at the least."""
    codec = charset(body)
    tree = LexborHTMLParser(body.decode(codec, "replace"))
    opened = Opened(format="html", encoding=codec)
    sheets = []
    for table in tree.css("table")[: 10 * MOST_TABLES]:
        layout = table.attributes.get("role") in ("presentation", "none")
        if layout or len(table.css("table")) > 1 or table.css_first(_NO_DATA):
            continue
        if rows := _data(list(_page_rows(table))):
            caption = table.css_first("caption")
            name = " ".join(caption.text().split())[:200] if caption else ""
            sheets.append(Sheet(name=name, rows=rows))
    opened.sheets = sheets
    return opened


def _data(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows, none where they are no table of data."""
    filled = [row for row in rows if sum(1 for cell in row if cell) >= 2]
    return rows if len(filled) >= 2 else []


def _page_rows(table: LexborNode) -> Iterator[list[str]]:
    below: dict[int, tuple[int, str]] = {}  # column: rows that a cell still covers, and its text
    for number, row in enumerate(table.css("tr")):
        if number >= _MOST_ROWS:
            return
        cells: list[str] = []
        for cell in row.css("td, th"):
            _covered(cells, below)
            text = " ".join(cell.text(separator=" ").split())[:_LONGEST]
            wide, high = _span(cell, "colspan"), _span(cell, "rowspan")
            for place in range(wide):
                if high > 1:  # a name stands once, as in a workbook; a value is that of each row
                    again = text if place == 0 and cell.tag == "td" else ""
                    below[len(cells)] = (high - 1, again)
                cells.append(text if place == 0 else "")
        _covered(cells, below)
        yield cells


def _covered(cells: list[str], below: dict[int, tuple[int, str]]) -> None:
    """Put in what cells of the rows above cover."""
    while len(cells) in below:
        left, text = below.pop(len(cells))
        if left > 1:
            below[len(cells)] = (left - 1, text)
        cells.append(text)


def _span(cell: LexborNode, name: str) -> int:
    value = (cell.attributes.get(name) or "").strip()
    return min(int(value), _MOST_SPAN) if value.isdecimal() and len(value) < 6 and int(value) else 1


def open_docx(path: Path) -> Opened:
    """Open the tables of a document of Word."""
    root = _part(path, "word/document.xml", "docx")
    tables = root.iter(f"{_WORD}tbl")
    sheets = _sheets(tables, f"{_WORD}tr", (f"{_WORD}tc",), "")
    return Opened(format="docx", sheets=sheets)


def open_odt(path: Path) -> Opened:
    """Open the tables of a text document of OpenDocument."""
    root = _part(path, "content.xml", "odt")
    tables = root.iter(f"{_ODF}table")
    cells = (f"{_ODF}table-cell", f"{_ODF}covered-table-cell")
    return Opened(format="odt", sheets=_sheets(tables, f"{_ODF}table-row", cells, f"{_ODF}name"))


READERS: dict[str, Callable[[Path], Opened]] = {"docx": open_docx, "odt": open_odt}


def _part(path: Path, name: str, format: str) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        with zipfile.ZipFile(path) as archive, archive.open(name) as file:
            return etree.fromstring(file.read(MOST_BYTES), parser)
    except (KeyError, RuntimeError, etree.XMLSyntaxError, ValueError, OSError) as error:
        problem = "encrypted" if isinstance(error, RuntimeError) else "damaged"
        raise UnreadableError(problem, f"It is no whole document: {error}.", format) from error
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise UnreadableError("damaged", f"It is no whole document: {error}.", format) from error


def _sheets(tables: Any, row_tag: str, cell_tags: tuple[str, ...], name: str) -> list[Sheet]:
    sheets = []
    for _, table in zip(range(MOST_TABLES), tables, strict=False):
        rows = [
            [" ".join("".join(cell.itertext()).split())[:_LONGEST] for cell in row.iter(*cell_tags)]
            for _, row in zip(range(_MOST_ROWS), table.iter(row_tag), strict=False)
        ]
        if data := _data(rows):
            sheets.append(Sheet(name=table.get(name, "") if name else "", rows=data))
    return sheets
