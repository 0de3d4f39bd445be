"""The rows of a table in the catalog, typed, and SQL over them: DuckDB, without the network."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filon.catalog.store import CatalogStore
from filon.catalog.values import Values, values
from filon.core import UserError
from filon.core.extras import extra
from filon.profile.read import tables

#: How a file is called in SQL: f_ and the first letters of its id; _2 for its second table.
_NAMED = re.compile(r"\bf_([0-9a-f]{6,64})(?:_(\d{1,3}))?\b", re.IGNORECASE)


def arrow(path: Path, name: str, number: int = 0) -> Any:
    """Return a table of a file as Arrow, typed: see `values`."""
    found = next((one for n, one in enumerate(tables(path, name)) if n == number), None)
    if found is None:
        raise UserError(f"{name} has no table {number + 1}.")
    return as_arrow(values(found))


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


def sql(catalog: CatalogStore, query: str) -> Any:
    """Return the answer to a query as Arrow.

    `files`, `sightings`, `tables` and `columns` are the catalog's; `f_` and the beginning of an id
    is the first table of that file, and `_2` behind it the second.
    """
    duckdb = extra("tables", "SQL over the catalog needs DuckDB", "duckdb", "pyarrow")
    connection = duckdb.connect(":memory:")
    for name in ("files", "sightings", "tables", "columns"):
        connection.register(name, _own(catalog, name))
    for match in {match[0].lower(): match for match in _NAMED.finditer(query)}.values():
        row = catalog.find(match[1])
        seen = catalog.sightings(row["file"])[0]
        number = int(match[2] or 1) - 1
        connection.register(
            match[0].lower(), arrow(catalog.path(row["file"]), seen["name"], number)
        )
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    try:
        answer = connection.sql(query)
        if answer is None:
            raise UserError("The query has no result: begin it with SELECT.")
        return answer.to_arrow_table()
    except duckdb.Error as error:
        raise UserError(f"The query is refused: {str(error).splitlines()[0]}") from error


def _own(catalog: CatalogStore, name: str) -> Any:
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    cursor = catalog.db.execute(f'SELECT * FROM "{name}"')
    names = [column[0] for column in cursor.description]
    rows = cursor.fetchall()
    return pyarrow.table({name: [row[n] for row in rows] for n, name in enumerate(names)})
