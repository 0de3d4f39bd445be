"""Rows of a table, a window at a time: of 100,000 rows those are read that are looked at.

It reads Parquet that Filon wrote (catalog.tables, answers to queries), never a stranger's file.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.core.extras import extra
from filon.profile.parquet import kinds
from filon.profile.typed import cells
from filon.run.text import plain

#: Rows of a page, and columns of it: a page stays small, whatever the table is.
ROWS, COLUMNS = 200, 20
#: Letters of all cells of a window together, and of one: the row's own page has all of it.
_LETTERS = 50_000
_LONGEST = (200, 80, 40, 20, 10)
#: A cell that is shown as a whole is at most so long.
_WHOLE = 20_000

#: A cell as text; None where there is nothing.
Cell = str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Some rows of some columns.

    first: the number of the first row, from 0 on. column: of the first column.
    names, kinds: of these columns. rows: their cells. total, width: rows and columns in all.
    """

    first: int
    column: int
    names: Sequence[str]
    kinds: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    total: int
    width: int

    @property
    def after(self) -> int:
        """The number of the row after the last."""
        return self.first + len(self.rows)


class Grid:
    """A table that is looked at. path: of Parquet that Filon wrote."""

    def __init__(self, path: Path) -> None:
        parquet = extra("parquet", "Rows on a page need pyarrow", "pyarrow.parquet", "pyarrow")
        self._file: Any = parquet.ParquetFile(path)
        self._schema = self._file.schema_arrow
        self.names: list[str] = list(self._schema.names)
        self.kinds: list[str] = list(kinds(self._schema))
        self.total: int = self._file.metadata.num_rows

    def window(self, first: int = 0, rows: int = ROWS, column: int = 0) -> Window:
        """Return rows from one on, as many as there are, of COLUMNS columns from one on."""
        first = max(0, min(first, self.total))
        column = max(0, min(column, len(self.names) - 1))
        chosen = list(range(column, min(column + COLUMNS, len(self.names))))
        columns = self._read(first, min(rows, ROWS), chosen)
        return Window(
            first=first,
            column=column,
            names=[plain(self.names[place], _LONGEST[0]) for place in chosen],
            kinds=[self.kinds[place] for place in chosen],
            rows=_cut(list(zip(*columns, strict=True))),
            total=self.total,
            width=len(self.names),
        )

    def row(self, number: int) -> list[tuple[str, Cell]]:
        """Return the names and cells of one row, as a whole."""
        if not 0 <= number < self.total:
            raise UserError(f"There is no row {number + 1}: the table has {self.total:,}.")
        columns = self._read(number, 1, list(range(len(self.names))))
        cells = [None if cell is None else plain(cell, _WHOLE) for (cell,) in columns]
        return list(zip((plain(name, _LONGEST[0]) for name in self.names), cells, strict=True))

    def _read(self, first: int, rows: int, columns: Sequence[int]) -> list[list[Cell]]:
        """Return the cells of columns, in rows from one on."""
        if not columns:
            return []
        groups: list[int] = []
        skip = begun = 0
        for number in range(self._file.num_row_groups):
            length = self._file.metadata.row_group(number).num_rows
            if begun + length > first and begun < first + rows:
                if not groups:
                    skip = first - begun
                groups.append(number)
            begun += length
        names = [self.names[place] for place in columns]
        table = self._file.read_row_groups(groups, columns=names).slice(skip, rows)
        return [[text(cell) for cell in cells(table.column(name))] for name in names]


def text(cell: Any) -> Cell:
    """Return a cell as it is shown; None where there is nothing.

    >>> [text(cell) for cell in (1.5, 2.0, True, None, float("nan"), "a")]
    ['1.5', '2', 'true', None, 'NaN', 'a']
    """
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return f"{cell:.15g}" if math.isfinite(cell) else str(cell).replace("nan", "NaN")
    return str(cell)


def _cut(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Return cells cut so that all together are not too long, and harmless to look at."""
    cells = [cell for row in rows for cell in row if cell]
    fitting = (most for most in _LONGEST if sum(_weight(one[:most]) for one in cells) <= _LETTERS)
    longest = next(fitting, _LONGEST[-1])
    return [[_short(cell, longest) for cell in row] for row in rows]


def _weight(cell: str) -> int:
    """Return how long a cell is on a page, where some letters are written in five."""
    return len(cell) + 4 * sum(map(cell.count, "<>&\"'"))


def _short(cell: Cell, longest: int) -> Cell:
    if cell is None:
        return None
    cut = cell if len(cell) <= longest else f"{cell[: longest - 1]}…"
    return plain(cut)
