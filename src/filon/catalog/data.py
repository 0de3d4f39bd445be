"""The rows of a table in the catalog, typed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filon.catalog.store import CatalogStore
from filon.catalog.values import Values, values
from filon.core import UserError
from filon.core.extras import extra
from filon.profile.read import Rows, tables

#: DuckDB takes no extension from the network: those that are used come with its package.
ALONE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
#: A table with more is refused: an answer from some of its rows would be a wrong one.
MOST_CELLS = 20_000_000


def arrow(path: Path, name: str, number: int = 0) -> Any:
    """Return a table of a file as Arrow, typed: see `values`."""
    read = tables(path, name, MOST_CELLS)
    found = next((one for n, one in enumerate(read) if n == number), None)
    if found is None:
        raise UserError(f"{name} has no table {number + 1}.")
    if not is_whole(found):
        raise UserError(
            f"{name} is too long to be read as a whole: {len(found.rows):,} of {found.total:,} rows"
            f" fit. Its bytes are in {path}."
        )
    return as_arrow(values(found))


def is_whole(table: Rows) -> bool:
    """Say whether all rows of a table are there."""
    return not table.cut and table.total <= len(table.rows)


def as_arrow(columns: Sequence[Values]) -> Any:
    """Return columns as a table of Arrow."""
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    types = {
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "date": pyarrow.date32(),
        "datetime": pyarrow.timestamp("us"),
        "text": pyarrow.string(),
    }
    return pyarrow.Table.from_arrays(
        [pyarrow.array(one.cells, types[one.kind]) for one in columns],
        names=[one.name for one in columns],
    )


def table_of(catalog: CatalogStore, file: int, number: int = 0) -> Any:
    """Return a table of a file of the catalog as Arrow."""
    return arrow(catalog.path(file), catalog.sightings(file)[0]["name"], number)
