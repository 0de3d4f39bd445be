"""Tables in PDF: counted, not read. Lines of cells that stand under each other, with numbers."""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from filon.core.extras import extra
from filon.page.cells import is_missing, kind_of
from filon.profile.source import Opened, UnreadableError

#: Pages that are looked at, and pieces of text on one: what is longer is told from its beginning.
_MOST_PAGES = 200
_MOST_PIECES = 5_000
#: Rows that make a table, of which so many cells but the first of each are numbers.
_LEAST_ROWS, _NUMBERS = 3, 0.4
#: Lines without a row's shape (a heading, a wrapped label) that do not end a table.
_GAP_LINES = 2
#: Cells are apart by this many heights of a letter at the least.
_APART = 0.8
#: Points by which edges of cells in one column differ at the most.
_EDGE = 4.0
_END_BYTES = 4096
_PASSWORD = 4  # FPDF_ERR_PASSWORD


class _Piece(NamedTuple):
    left: float
    right: float
    bottom: float
    top: float
    text: str


Line = list[_Piece]


def open_pdf(path: Path) -> Opened:
    """Open a PDF; `counted` is how many tables with numbers its pages show."""
    pdfium = extra("tables", "PDF needs pypdfium2", "pypdfium2")
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise UnreadableError("encrypted", "It has a password.", "pdf") from error
        raise UnreadableError("damaged", "It is no whole PDF.", "pdf") from error
    opened = Opened(format="pdf")
    pages = len(document)
    try:
        for number in range(min(pages, _MOST_PAGES)):
            opened.counted += _tables_on(document, number, pdfium)
    finally:
        document.close()
    if not opened.counted and not _ends(path):
        raise UnreadableError("damaged", "It is no whole PDF.", "pdf")
    if pages > _MOST_PAGES:
        opened.notes.append(f"Of {pages:,} pages the first {_MOST_PAGES:,} were looked at.")
    return opened


def _ends(path: Path) -> bool:
    """Say whether a PDF ends as one does: readers make up for what is cut off."""
    with path.open("rb") as file:
        file.seek(-min(_END_BYTES, path.stat().st_size), 2)
        return b"%%EOF" in file.read()


def _tables_on(document: Any, number: int, pdfium: Any) -> int:
    try:
        page = document[number]
        texts = page.get_textpage()
    except pdfium.PdfiumError:
        return 0  # a page that is damaged shows none
    pieces = list(_pieces(texts))
    texts.close()
    page.close()
    return count(pieces)


def _pieces(texts: Any) -> Iterator[_Piece]:
    for place in range(min(texts.count_rects(), _MOST_PIECES)):
        left, bottom, right, top = texts.get_rect(place)
        text = texts.get_text_bounded(left, bottom, right, top).strip()
        if text:
            yield _Piece(left, right, bottom, top, text)


def count(pieces: Sequence[_Piece]) -> int:
    """Return how many tables pieces of text on a page make."""
    tables, rows, gap = 0, list[Line](), 0
    for line in [*_lines(pieces), None, None, None]:
        cells = _cells(line) if line else []
        if _is_row(cells):
            if rows and not _aligned(cells, rows):
                tables += _is_table(rows)
                rows = []
            rows.append(cells)
            gap = 0
            continue
        gap += 1
        if gap > _GAP_LINES:
            tables += _is_table(rows)
            rows = []
    return tables


def _lines(pieces: Sequence[_Piece]) -> list[Line]:
    """Return the pieces line by line, from the top: those whose middles are about as high."""
    lines: list[tuple[float, Line]] = []
    for piece in sorted(pieces, key=lambda one: -(one.bottom + one.top)):
        middle = (piece.bottom + piece.top) / 2
        if lines and lines[-1][0] - middle < (piece.top - piece.bottom) * 0.5:
            lines[-1][1].append(piece)
        else:
            lines.append((middle, [piece]))
    return [sorted(line) for _, line in lines]


def _cells(line: Line) -> Line:
    """Return the cells of a line: pieces that stand close together are one."""
    cells: Line = []
    for piece in line:
        height = piece.top - piece.bottom
        if cells and piece.left - cells[-1].right < _APART * height:
            last = cells.pop()
            text = f"{last.text} {piece.text}"
            bottom, top = min(last.bottom, piece.bottom), max(last.top, piece.top)
            piece = _Piece(last.left, max(last.right, piece.right), bottom, top, text)
        cells.append(piece)
    return cells


def _is_row(cells: Line) -> bool:
    return len(cells) > 1 and any(map(_is_number, cells))


def _is_number(cell: _Piece) -> bool:
    """Say whether a cell is a number or a date; "3." begins an item of a list."""
    text = cell.text.strip("()*†‡ ")
    if is_missing(text):
        return bool(text)
    return kind_of(text) not in ("text", "boolean") and not text.endswith(".")


def _aligned(cells: Line, rows: list[Line]) -> bool:
    """Say whether half of the cells stand under cells of the rows above, by any edge."""
    edges: list[float] = []
    for row in rows[-4:]:
        for cell in row:
            for edge in _edges(cell):
                insort(edges, edge)
    under = sum(any(_near(edge, edges) for edge in _edges(cell)) for cell in cells)
    return under * 2 >= len(cells)


def _edges(cell: _Piece) -> tuple[float, float, float]:
    return cell.left, cell.right, (cell.left + cell.right) / 2


def _near(edge: float, edges: list[float]) -> bool:
    place = bisect_left(edges, edge - _EDGE)
    return place < len(edges) and edges[place] <= edge + _EDGE


def _is_table(rows: list[Line]) -> bool:
    """Say whether rows are a table: enough of them, and most cells beyond the first numbers."""
    if len(rows) < _LEAST_ROWS:
        return False
    cells = [cell for row in rows for cell in row[1:]]
    return sum(map(_is_number, cells)) >= _NUMBERS * len(cells) and not _is_contents(rows)


def _is_contents(rows: list[Line]) -> bool:
    """Say whether rows are a list of contents: headings, and pages that only go up."""
    pages = [row[-1].text for row in rows]
    if not all(page.isdecimal() and len(page) < 6 for page in pages):
        return False
    numbers = list(map(int, pages))
    words = all(any(map(str.isalpha, cell.text)) for row in rows for cell in row[-2:-1])
    return words and numbers == sorted(numbers)
