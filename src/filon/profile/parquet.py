"""The tables of a file written anew as Parquet, typed, with names that no two columns have.

It is done once by the worker: whoever asks for rows reads this in place of a stranger's bytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from filon.core.extras import extra
from filon.profile.rows import Rows, tables
from filon.profile.source import MOST_TABLES, UnreadableError
from filon.profile.values import Values, values

#: A table with more is not written: an answer from some of its rows would be a wrong one.
MOST_CELLS = 20_000_000
#: What all tables of a file may take on the disk.
MOST_BYTES = 1 << 30
#: Rows of a group: who looks at some rows in the middle reads one or two of these.
ROWS_AT_ONCE = 10_000
_TYPES = {
    "integer": "int64",
    "number": "float64",
    "boolean": "bool_",
    "date": "date32",
    "datetime": "timestamp",
    "text": "string",
}
_KINDS = {
    "int64": "integer",
    "double": "number",
    "bool": "boolean",
    "date32[day]": "date",
    "timestamp[us]": "datetime",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A table of a file. rows: that fit. total: rows in all; more than fit: it is not written."""

    name: str
    rows: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether all its rows were written."""
        return self.rows == self.total


def convert(path: Path, name: str, out: Path) -> list[Written]:
    """Write the tables of a file into a folder, as 1.parquet and so on; return what they are.

    name: what the web calls the file. UnreadableError where it cannot be read.
    """
    parquet = extra("tables", "Tables as Parquet need pyarrow", "pyarrow.parquet", "pyarrow")
    found, left_bytes = [], MOST_BYTES
    for number, table in enumerate(islice(tables(path, name, MOST_CELLS), MOST_TABLES), start=1):
        rows, total = len(table.rows), table.total
        if table.cut or total > rows:
            found.append(Written(name=table.name, rows=rows, total=max(total, rows + 1)))
            continue
        target = out / place(number)
        parquet.write_table(arrow(table), target, compression="zstd", row_group_size=ROWS_AT_ONCE)
        left_bytes -= target.stat().st_size
        if left_bytes < 0:
            raise UnreadableError("too large", "Its tables take more room than there is for them.")
        found.append(Written(name=table.name, rows=rows, total=rows))
    return found


def place(number: int) -> str:
    """Return how the file of a table is called, from 1 on."""
    return f"{number}.parquet"


def arrow(table: Rows) -> Any:
    """Return a table as Arrow: see `values`."""
    return as_arrow(values(table))


def as_arrow(columns: Iterable[Values]) -> Any:
    """Return columns as a table of Arrow."""
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    names, arrays = [], []
    for one in columns:
        more = ("us",) if one.kind == "datetime" else ()
        names.append(one.name)
        arrays.append(pyarrow.array(one.cells, getattr(pyarrow, _TYPES[one.kind])(*more)))
    return pyarrow.Table.from_arrays(arrays, names=names)


def kinds(schema: Any) -> Sequence[str]:
    """Return the kinds of the columns of a table of Arrow that `as_arrow` made."""
    return [_KINDS.get(str(kind), "text") for kind in schema.types]
