"""Rows of a run as a table that pandas, Polars and Arrow take; nothing is read before it is used.

A frame knows its columns and how to read its rows again, so it may be longer than memory as long
as it is iterated over.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.core.extras import extra
from filon.run import html
from filon.run.text import count, counted, plain

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: What a cell may be: text, whole numbers, numbers, yes or no, moments (UTC), lists of texts.
KINDS = (str, int, float, bool, datetime, tuple)
#: Rows that are turned into Arrow at a time.
_BATCH = 20_000
#: What a notebook shows of it.
_SHOWN_ROWS, _SHOWN_COLUMNS, _SHOWN_CHARS = 10, 12, 60


class Frame:
    """A table: iterate over it for its rows, or hand it to a library for data frames.

    kinds: the columns with what their cells are, one of KINDS; a cell may also be None.
    read: reads the rows, each with a cell a column.
    size: counts them, where that is quicker than reading them.
    path: the file that holds the same, where there is one.

    >>> frame = Frame({"name": str, "year": int}, lambda: [("Quartz", 1783), ("Topaz", None)])
    >>> len(frame), frame.columns
    (2, ('name', 'year'))
    >>> list(frame)[1]
    {'name': 'Topaz', 'year': None}
    """

    def __init__(
        self,
        kinds: Mapping[str, type],
        read: Callable[[], Iterable[Sequence[Any]]],
        *,
        size: Callable[[], int] | None = None,
        path: Path | None = None,
    ) -> None:
        self.kinds = dict(kinds)
        self.path = path
        self._read = read
        self._size = size

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.kinds)

    def __len__(self) -> int:
        return self._size() if self._size else sum(1 for _ in self._read())

    def __bool__(self) -> bool:
        return any(True for _ in self._read())

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = self.columns
        return (dict(zip(names, row, strict=True)) for row in self._read())

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a data frame of pandas, in its types that know a missing value."""
        pandas: Any = extra("pandas", "This needs pandas", "pandas")
        types = {str: "string", int: "Int64", float: "float64", bool: "boolean", tuple: "object"}
        series = {
            name: pandas.Series(pandas.to_datetime(cells, utc=True))
            if kind is datetime
            else pandas.Series(cells, dtype=types[kind])
            for (name, kind), cells in zip(self.kinds.items(), self._cells(), strict=True)
        }
        return pandas.DataFrame(series, columns=list(series))

    def to_polars(self) -> "polars.DataFrame":
        """Return a data frame of Polars."""
        library: Any = extra("polars", "This needs polars", "polars")
        types = {
            str: library.String,
            int: library.Int64,
            float: library.Float64,
            bool: library.Boolean,
            datetime: library.Datetime("us", "UTC"),
            tuple: library.List(library.String),
        }
        schema = {name: types[kind] for name, kind in self.kinds.items()}
        cells = dict(zip(schema, self._cells(), strict=True))
        made: polars.DataFrame = library.DataFrame(cells, schema=schema)
        return made

    def to_arrow(self) -> "pyarrow.Table":
        """Return a table of Arrow."""
        arrow: Any = extra("parquet", "This needs pyarrow", "pyarrow")
        return arrow.Table.from_batches(self.batches(), schema=self.schema())

    def schema(self) -> "pyarrow.Schema":
        """Return the columns as Arrow knows them."""
        arrow: Any = extra("parquet", "This needs pyarrow", "pyarrow")
        types = {
            str: arrow.string(),
            int: arrow.int64(),
            float: arrow.float64(),
            bool: arrow.bool_(),
            datetime: arrow.timestamp("us", tz="UTC"),
            tuple: arrow.list_(arrow.string()),
        }
        made: pyarrow.Schema = arrow.schema([(name, types[k]) for name, k in self.kinds.items()])
        return made

    def batches(self) -> "Iterator[pyarrow.RecordBatch]":
        """Yield the rows as batches of Arrow, so that a table may be longer than memory."""
        arrow: Any = extra("parquet", "This needs pyarrow", "pyarrow")
        schema, rows = self.schema(), iter(self._read())
        while group := list(islice(rows, _BATCH)):
            cells = zip(*group, strict=True)
            arrays = [arrow.array(c, field.type) for c, field in zip(cells, schema, strict=True)]
            yield arrow.record_batch(arrays, schema=schema)

    def _cells(self) -> list[list[Any]]:
        """Return the columns, each as its cells."""
        cells: list[list[Any]] = [[] for _ in self.kinds]
        for row in self._read():
            for column, cell in zip(cells, row, strict=True):
                column.append(cell)
        return cells

    def __repr__(self) -> str:
        return f"<Frame of {counted(len(self), 'row')}: {', '.join(map(plain, self.columns))}>"

    def _repr_html_(self) -> str:
        """Return the first rows, for a notebook: all text is only text."""
        names = self.columns[:_SHOWN_COLUMNS]
        first = list(islice(self._read(), _SHOWN_ROWS))
        body = [[_shown(cell) for cell in row[: len(names)]] for row in first]
        head = [f" {html.text(name, _SHOWN_CHARS)}" for name in names]
        more = f"{counted(len(self), 'row')}, {count(len(self.kinds))} columns"
        return f"{html.table(head, body, 'Rows')}<p>{more}</p>"


def _shown(cell: object) -> str:
    if isinstance(cell, list | tuple):
        cell = ", ".join(map(str, cell))
    return "" if cell is None else html.text(cell, _SHOWN_CHARS)
