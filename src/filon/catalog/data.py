"""The rows of a table in the catalog, typed: read from Parquet that was made of its file."""

from functools import cache
from pathlib import Path
from typing import Any

from filon.catalog.store import CatalogStore
from filon.core.extras import extra

#: DuckDB takes no extension from the network: those that are used come with its package.
ALONE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}


def quoted(name: str) -> str:
    """Return a name of a column as SQL has it."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


@cache
def _parser() -> Any:
    duckdb = extra("tables", "SQL over the catalog needs DuckDB", "duckdb", "pyarrow")
    return duckdb.connect(":memory:", config={**ALONE, "enable_external_access": "false"})


def parser() -> Any:
    """Return DuckDB without tables and files, to take queries apart; a cursor is a thread's own.

    There is one for all, as it takes a while to begin.
    """
    return _parser().cursor()


def table_of(catalog: CatalogStore, file: int, number: int = 1) -> Any:
    """Return a table of a file as Arrow. number: among those of the file, from 1 on."""
    parquet = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow.parquet", "pyarrow")
    return parquet.read_table(path_of(catalog, file, number), partitioning=None)


def lazy_table_of(catalog: CatalogStore, file: int, number: int = 1) -> Any:
    """Return a table of a file of which a query reads the columns that it needs."""
    dataset = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow.dataset", "pyarrow")
    return dataset.dataset(path_of(catalog, file, number), format="parquet")


def path_of(catalog: CatalogStore, file: int, number: int = 1) -> Path:
    """Return where a table of a file is kept as Parquet."""
    id = catalog.db.execute("SELECT id FROM files WHERE file = ?", (file,)).fetchone()[0]
    name = catalog.sightings(file)[0]["name"]
    return catalog.cache.table(id, catalog.path(file), name, number)
