"""A file as rows: what each format's reader hands on, and what goes wrong on the way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from filon.profile.shape import Kind

#: Cells of a table that are read; beyond, its profile is one of the beginning.
MOST_CELLS = 2_000_000
#: Sheets, members and lists of a file that are read.
MOST_TABLES = 200
MOST_COLUMNS = 16_384
#: Bytes of a text, a tree or a member of an archive that are read.
MOST_BYTES = 256 << 20
#: West, south, east, north.
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows of cells, as text.

    names, labels, kinds: of the columns, where the file itself says them.
    total: rows in all, where it says so and not all are here.
    box: of the shapes, where there are any.
    """

    name: str = ""
    rows: Iterable[list[str]]
    names: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    kinds: tuple[Kind | None, ...] = ()
    total: int = 0
    box: Box | None = None


@dataclass(slots=True, kw_only=True)
class Opened:
    """What a reader made of a file.

    counted: tables that are seen and not read. held: let go when the rows are read.
    problem: of the first of its members that could not be read.
    """

    format: str
    sheets: Iterable[Sheet] = ()
    encoding: str = ""
    delimiter: str = ""
    quote: str = ""
    counted: int = 0
    problem: str = ""
    notes: list[str] = field(default_factory=list)
    held: ExitStack = field(default_factory=ExitStack)


def most_rows(columns: int, most_cells: int = MOST_CELLS) -> int:
    """Return how many rows of a table are read, by its columns: one at the least."""
    return max(1, most_cells // max(1, columns))


def of_records(
    name: str,
    records: Sequence[Mapping[str, Any]],
    shown: Callable[[Any], str],
    box: Box | None = None,
) -> Sheet:
    """Return records as a sheet, with a column for each key that one has.

    shown: makes a cell of a value; None: the record has none.
    """
    columns = tuple(dict.fromkeys(key for one in records for key in one))[:MOST_COLUMNS]
    first = records[: most_rows(len(columns))]
    rows = ([shown(one.get(key)) for key in columns] for one in first)
    return Sheet(name=name, rows=rows, names=columns, total=len(records), box=box)


class UnreadableError(Exception):
    """A file that is no table or cannot be read. problem: one word or two; the text says why."""

    def __init__(self, problem: str, detail: str, format: str = "") -> None:
        super().__init__(detail)
        self.problem = problem
        self.format = format
