"""Rows of a run as a table that pandas, Polars and Arrow take; nothing is read before it is used.

A frame knows its columns and how to read its rows again, so it may be longer than memory as long
as it is iterated over. Every run has two: its finds, and its steps: what was asked for and why, and
what came back.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.core import Find
from filon.core.extras import extra
from filon.run import html, readonly
from filon.run.schema import CONTEXT
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
_FINDS = {
    "find": int,
    "kind": str,
    "url": str,
    "name": str,
    "mime": str,
    "parent": str,
    "size_bytes": int,
    "sha256": str,
    "found_at": datetime,
    "step": int,
    "path": str,
    **dict.fromkeys(CONTEXT, str),
}
#: Names are those of schema.py. What serves the store alone, as the place of a record in the
#: archive, is left to those who ask the ledger in SQL.
_REQUESTS = {
    "step": int,
    "answer": int,
    "sends": int,
    "method": str,
    "url": str,
    "parent": str,
    "kind": str,
    "arm": str,
    "score": float,
    "expected": float,
    "why": str,
    "status": int,
    "error": str,
    "detail": str,
    "cut": str,
    "mime": str,
    "location": str,
    "size_bytes": int,
    "wire_bytes": int,
    "answered_at": datetime,
    "took_s": float,
    "run_s": float,
    "sha256": str,
}
_STORED = {"answered_at": "at_s", "took_s": "CASE WHEN took_s >= 0 THEN took_s END"}
_COLUMNS = ", ".join(_STORED.get(name, name) for name in _REQUESTS)
_ALL_REQUESTS = f"SELECT {_COLUMNS} FROM steps ORDER BY step"  # noqa: S608, our own names
_AT = list(_REQUESTS).index("answered_at")


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
        library: Any = extra("pandas", "This needs pandas", "pandas")
        types = {str: "string", int: "Int64", float: "float64", bool: "boolean", tuple: "object"}
        series = {
            name: library.Series(library.to_datetime(cells, utc=True))
            if kind is datetime
            else library.Series(cells, dtype=types[kind])
            for (name, kind), cells in zip(self.kinds.items(), self._cells(), strict=True)
        }
        made: pandas.DataFrame = library.DataFrame(series, columns=list(series))
        return made

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


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFind(Find):
    """A find as the run holds it; `path` is its file, None where it has none.

    Example:

        tables = [pandas.read_csv(find.path) for find in run if find.mime == "text/csv"]
    """

    size_bytes: int
    sha256: str
    path: Path | None


def stored_find(run_path: Path, row: sqlite3.Row) -> StoredFind:
    """Return the find that a row of the ledger tells of."""
    sha256 = row["sha256"] or ""
    known = [name for name in CONTEXT if name in row.keys()]  # noqa: SIM118, else it is values
    columns = {key: row[key] for key in ("kind", "url", "name", "mime", "parent", *known)}
    path = readonly.stored(run_path, sha256) if sha256 else None
    return StoredFind(**columns, size_bytes=row["size_bytes"], sha256=sha256, path=path)


def stored_finds(run_path: Path) -> Iterator[StoredFind]:
    """Yield the finds of a run in the order in which they came."""
    with readonly.reading(run_path) as ledger:
        rows = ledger.execute(readonly.all_finds(ledger)).fetchall()
    return (stored_find(run_path, row) for row in rows)


def find_frame(run_path: Path) -> Frame:
    """Return the finds of a run as a table."""

    def read() -> Iterable[tuple[Any, ...]]:
        with readonly.reading(run_path) as ledger:
            for row in ledger.execute(readonly.all_finds(ledger)):
                path = str(readonly.stored(run_path, row["sha256"])) if row["sha256"] else None
                own = {"found_at": datetime.fromtimestamp(row["at_s"], UTC), "path": path}
                yield tuple(own[name] if name in own else row[name] for name in _FINDS)

    return Frame(_FINDS, read, size=lambda: readonly.number(run_path, "finds"))


def request_frame(run_path: Path) -> Frame:
    """Return the steps of a run; those in flight have no answer."""

    def read() -> Iterable[tuple[Any, ...]]:
        with readonly.reading(run_path) as ledger:
            for row in ledger.execute(_ALL_REQUESTS):
                at_s = row[_AT]
                moment = None if at_s is None else datetime.fromtimestamp(at_s, UTC)
                yield (*row[:_AT], moment, *row[_AT + 1 :])

    return Frame(_REQUESTS, read, size=lambda: readonly.number(run_path, "steps"))
