"""SQL over the catalog, its files and its views: DuckDB, without the network."""

from typing import Any

from filon.catalog.address import named_in_sql
from filon.catalog.combine import combined
from filon.catalog.data import ALONE, lazy_table_of
from filon.catalog.store import CatalogStore
from filon.catalog.views import Views, tables_in
from filon.core import FilonError, UserError
from filon.core.extras import extra

#: Rows that are in memory twice, while they are copied.
_AT_ONCE = 10_000


def sql(catalog: CatalogStore, query: str) -> Any:
    """Return the answer to a query as Arrow.

    `files`, `sightings`, `tables`, `columns` and `views` are the catalog's; `f_` and the beginning
    of an id is the first table of that file, and `_2` behind it the second, or `"ID:NAME"` one by
    its name; a view is called by the name that it was given.
    """
    duckdb = extra("tables", "SQL over the catalog needs DuckDB", "duckdb", "pyarrow")
    connection = duckdb.connect(":memory:", config=ALONE)
    asked = tables_in(query)
    for name in ("files", "sightings", "tables", "columns"):
        connection.register(name, _own(catalog, name, is_asked=name in asked))
    views = Views(catalog.folder)
    connection.register("views", views.listed())
    missing: dict[str, FilonError] = {}
    for name in sorted(asked):
        try:
            if (table := _named(catalog, views, name)) is not None:
                connection.register(name, table)
        except FilonError as error:
            missing[name] = error  # to be told where the query needs it
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    try:
        answer = connection.sql(query)
        if answer is None:
            raise UserError("The query has no result: begin it with SELECT.")
        return answer.to_arrow_table()
    except duckdb.CatalogException as error:
        for name, why in missing.items():
            if f"name {name} " in str(error).lower():
                what = f"The view {name} cannot be made: {why}" if name in views else str(why)
                raise type(why)(what) from error
        raise _refused(error) from error
    except duckdb.Error as error:
        raise _refused(error) from error


def _refused(error: Exception) -> UserError:
    return UserError(f"The query is refused: {str(error).splitlines()[0]}")


def _named(catalog: CatalogStore, views: Views, name: str) -> Any:
    """Return a table of a file, or that of a view; None where the name is neither's."""
    if address := named_in_sql(catalog, name):
        return lazy_table_of(catalog, address.file, address.number)
    return combined(catalog, views[name]).table if name in views else None


def _own(catalog: CatalogStore, name: str, *, is_asked: bool) -> Any:
    """Return a table of the catalog; without its rows where the query does not ask for them."""
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    kinds = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64(), "TEXT": pyarrow.string()}
    columns = catalog.db.execute(f'PRAGMA table_info("{name}")').fetchall()
    # A sketch is long, and says nothing to people.
    schema = pyarrow.schema(
        [(one["name"], kinds[one["type"]]) for one in columns if one["type"] in kinds]
    )
    wanted = ", ".join(f'"{one}"' for one in schema.names)
    cursor = catalog.db.execute(
        f'SELECT {wanted} FROM "{name}"' if is_asked else "SELECT 1 WHERE 0"
    )
    batches = []
    while rows := cursor.fetchmany(_AT_ONCE):
        arrays = [
            pyarrow.array([row[place] for row in rows], kind)
            for place, kind in enumerate(schema.types)
        ]
        batches.append(pyarrow.record_batch(arrays, schema=schema))
    return pyarrow.Table.from_batches(batches, schema)
