"""Where a table stands among the rows of a sheet: titles above it, its header, notes below it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from filon.page.cells import YEAR, is_missing, kind_of

Row = Sequence[str]
#: Rows that are looked at to find where the table begins.
LOOK = 60
#: A header of more rows than this is none.
_MOST_HEADER = 4
_TEXTS = ("text", "boolean")
_LONG_LINE = 60
_LONGEST_UNIT = 20


@dataclass(frozen=True, slots=True)
class Layout:
    """names: of the columns. header: rows that name them; 0: none does. begin: the first of data.

    Rows are counted from 0 on; header_row from 1 on, as people do.
    """

    names: tuple[str, ...]
    header_row: int
    begin: int


def layout(rows: Sequence[Row]) -> Layout | None:
    """Return where the table stands; None where the rows hold none.

    >>> layout([["Population by region"], [], ["Region", "2019"], ["North", "12"], ["South", "3"]])
    Layout(names=('Region', '2019'), header_row=3, begin=3)
    >>> layout([["North", "12"], ["South", "3"], ["East", "4"]])
    Layout(names=('column 1', 'column 2'), header_row=0, begin=0)
    """
    looked = [_trimmed(row) for row in rows[:LOOK]]
    width = _width(looked)
    if not width:
        return None
    first = next((n for n, row in enumerate(looked) if _filled(row) >= _enough(width)), None)
    if first is None:
        return None
    begin = _begin(looked, first, width)
    if width == 1 and _is_prose(looked[first:]):
        return None
    top = first
    while begin > first and top > 0 and begin - top < _MOST_HEADER and _spans(looked, top):
        top -= 1
    header = looked[top:begin]
    # A delimiter at the end of each row, or a sheet as wide as its widest row: what is empty in
    # the rows looked at may be filled further on.
    wide = max([width, *map(len, header), _usual([len(row) for row in rows[first:LOOK]])])
    if not header:
        return Layout(tuple(f"column {n + 1}" for n in range(wide)), 0, begin)
    units = len(header) > 1 and _is_last_of_units(header, looked[begin:])
    return Layout(_names(header, wide, units=units), begin, begin)


def is_note(row: Row, width: int) -> bool:
    """Say whether a row below the table is a note: one cell, in a table of several columns."""
    return width > 2 and _filled(row[1:]) == 0


def _trimmed(row: Row) -> Row:
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return row[:end]


def _filled(row: Row) -> int:
    return sum(1 for cell in row if cell.strip())


def _enough(width: int) -> int:
    """Cells that a row of the table has at the least; titles have one or two."""
    return 1 if width == 1 else max(2, -(-3 * width // 5))


def _width(rows: Sequence[Row]) -> int:
    """Return how wide most rows are; of equals the widest."""
    widths = Counter(len(row) for row in rows if len(row))
    if not widths:
        return 0
    if len(widths) > 1 and widths[1] < sum(widths.values()):
        del widths[1]  # titles and notes
    return max(widths.items(), key=lambda pair: (pair[1], pair[0]))[0]


def _spans(rows: Sequence[Row], top: int) -> bool:
    """Say whether the row above names groups of columns, whose own names come again and again."""
    names = [cell.strip() for cell in rows[top] if cell.strip()]
    above = [cell.strip() for cell in rows[top - 1] if cell.strip()]
    if len(set(names)) == len(names) or len(above) < 2:
        return False
    return all(kind_of(cell) in _TEXTS or _is_year(cell) for cell in above)


def _usual(lengths: Sequence[int]) -> int:
    length, times = Counter(lengths).most_common(1)[0]
    return length if times * 2 > len(lengths) else 0


def _is_prose(rows: Sequence[Row]) -> bool:
    """Say whether a single column is text to be read: sentences, and no values."""
    cells = [row[0].strip() for row in rows if row]
    return sum(len(cell) > _LONG_LINE or ". " in cell for cell in cells) * 3 > len(cells)


def _begin(rows: Sequence[Row], first: int, width: int) -> int:
    """Return the first row of data: `first` where there is no header."""
    body = [row for row in rows[first + 1 :] if _filled(row) >= _enough(width)]
    if not body:  # a header alone, or one row: names, unless most of it are values
        kinds = [kind_of(cell.strip()) for cell in rows[first] if cell.strip()]
        values = sum(kind != "text" for kind in kinds) - sum(map(_is_year, rows[first]))
        return first if values * 2 > len(kinds) else first + 1
    if not _is_header(rows[first], body):
        return first
    begin = first + 1
    while (
        begin < len(rows) - 1
        and begin - first < _MOST_HEADER
        and _goes_on(rows[begin], rows[first:begin], rows[begin + 1 :])
    ):
        begin += 1
    return begin


def _is_header(row: Row, body: Sequence[Row]) -> bool:
    """Say whether a row names columns: it is unlike what stands below it."""
    cells = [cell.strip() for cell in row if cell.strip()]
    kinds = [kind_of(cell) for cell in cells]
    if not cells:
        return False
    texts = sum(kind in _TEXTS for kind in kinds)
    if texts == 0:
        return False  # years alone would be names of nothing
    unlike = like = 0
    for place, cell in enumerate(row):
        below = [line[place].strip() for line in body if place < len(line)]
        below = [other for other in below if other and not is_missing(other)]
        if not cell.strip() or not below:
            continue
        numbers = sum(kind_of(other) not in _TEXTS for other in below)
        here = kind_of(cell.strip())
        if numbers * 2 > len(below):
            if here in _TEXTS or (_is_year(cell) and not _years(below)):
                unlike += 1
            else:
                like += 1
        elif (here not in _TEXTS and not _is_year(cell)) or cell.strip() in below:
            like += 1
    if unlike or like:
        return unlike > like
    # All is text: names are short, different from each other, and have no sentence in them.
    return (len(set(cells)) == len(cells) or _comes_again(cells)) and all(
        len(cell) <= 80 for cell in cells
    )


def _comes_again(cells: Sequence[str]) -> bool:
    """Say whether the same names stand side by side: a table that goes on beside itself."""
    half = len(cells) // 2
    return any(cells[n:] == cells[:-n] and len(set(cells[:n])) == n for n in range(2, half + 1))


def _is_year(cell: str) -> bool:
    return YEAR.fullmatch(cell.strip()) is not None


def _years(cells: Sequence[str]) -> bool:
    return sum(map(_is_year, cells)) * 2 > len(cells)


def _goes_on(row: Row, above: Sequence[Row], below: Sequence[Row]) -> bool:
    """Say whether a row is one more of the header: it names what the first leaves unnamed."""
    gaps = [n for n, cell in enumerate(row) if cell.strip() and not _named(above, n)]
    if not gaps:
        return _is_units(row, below)
    kinds = [kind_of(cell.strip()) for cell in row if cell.strip()]
    texts = sum(kind in _TEXTS for kind in kinds) + sum(_is_year(cell) for cell in row)
    numbers = sum(
        kind_of(line[n].strip()) not in _TEXTS
        for line in below[:10]
        for n in gaps
        if n < len(line) and line[n].strip()
    )
    return texts == len(kinds) and numbers > 0


def _is_units(row: Row, below: Sequence[Row]) -> bool:
    """Say whether a row tells units: short words, above numbers, and no name of a row itself."""
    units = {n: cell.strip() for n, cell in enumerate(row) if cell.strip()}
    if 0 in units or any(
        len(unit) > _LONGEST_UNIT or kind_of(unit) not in _TEXTS for unit in units.values()
    ):
        return False
    numbers = 0
    for n, unit in units.items():
        cells = [line[n].strip() for line in below if n < len(line) and line[n].strip()]
        if unit in cells:
            return False  # a value that comes again
        numbers += sum(kind_of(cell) not in _TEXTS for cell in cells) * 2 > len(cells)
    return numbers * 2 > len(units)


def _is_last_of_units(header: Sequence[Row], below: Sequence[Row]) -> bool:
    named = all(_named(header[:-1], n) for n, cell in enumerate(header[-1]) if cell.strip())
    return named and _is_units(header[-1], below)


def _named(above: Sequence[Row], place: int) -> bool:
    return any(place < len(row) and row[place].strip() for row in above)


def _names(header: Sequence[Row], width: int, *, units: bool = False) -> tuple[str, ...]:
    """Return a name a column: the rows of the header joined, a merged cell over all it covers.

    units: the last row tells them; they stand in brackets.
    """
    lines: list[list[str]] = []
    for number, row in enumerate(header):
        line, last = [], ""
        for place in range(width):
            cell = " ".join(row[place].split()) if place < len(row) else ""
            last = cell or (last if number < len(header) - 1 else "")
            line.append(last)
        lines.append(line)
    if units:
        lines[-1] = [f"({cell})" if cell and cell[0] not in "([" else cell for cell in lines[-1]]
    names: list[str] = []
    seen: Counter[str] = Counter()
    for place in range(width):
        parts = list(dict.fromkeys(line[place] for line in lines if line[place]))
        name = " ".join(parts) or f"column {place + 1}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)
