"""SQL over the catalog, its files and its views: DuckDB, without the network."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.catalog.address import named_in_sql
from filon.catalog.answer import as_cells
from filon.catalog.combine import combined
from filon.catalog.data import ALONE, lazy_table_of, parser, path_of, quoted
from filon.catalog.store import FILE, CatalogStore
from filon.catalog.views import Views, tables_in
from filon.core import FilonError, UserError
from filon.core.extras import extra
from filon.profile.parquet import ROWS_AT_ONCE
from filon.run.disk import replacing

#: The tables of the catalog itself.
OWN = ("files", "sightings", "tables", "columns")
#: Tables are counted as in the address of one, ID#2.
_FROM_ONE = {("tables", "number"): "number + 1"}
#: Rows that are in memory while they are copied.
_AT_ONCE = 10_000
#: What is said to DuckDB once the tables are there: no bar is drawn on the terminal, no file, no
#: host and no variable of Python's is within reach, and nothing of it can be taken back.
LOCKS = (
    "SET enable_progress_bar = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
#: Kinds of statements that change nothing.
_READING = frozenset({"SELECT", "MULTI"})  # several: what PIVOT is made of
#: What is explained may be done for it, so that has to read alone, too.
_EXPLAIN = re.compile(r"\A\s*EXPLAIN\s+(?:ANALYZE\s+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a query may take.

    folder: where it may lay aside what does not fit into memory.
    kept: where the tables of the catalog are kept for the next query; None: they are not.
    """

    most_rows: int
    memory_bytes: int
    folder: Path
    kept: Path | None = None

    def settings(self) -> dict[str, str]:
        """Return them for DuckDB."""
        return {
            "memory_limit": f"{self.memory_bytes}B",
            "max_temp_directory_size": f"{4 * self.memory_bytes}B",
            "temp_directory": str(self.folder),
            "threads": "2",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a query brought. is_whole: there were no more rows."""

    rows: int
    is_whole: bool


def sql(catalog: CatalogStore, query: str) -> Any:
    """Return the answer to a query as Arrow.

    `files`, `sightings`, `tables`, `columns` and `views` are the catalog's; `f_` and the beginning
    of an id is the first table of that file, and `_2` behind it the second, or `"ID:NAME"` one by
    its name; a view is called by the name that it was given.
    """
    with _asked(catalog, query) as answer:
        return answer.to_arrow_table()


def write_answer(catalog: CatalogStore, query: str, out: Path, bounds: Bounds) -> Answer:
    """Write the answer to one query that only reads, or the first rows of it, as Parquet.

    Names of columns are told apart, and what has no cell in a table, such as a list, is text.
    """
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    _check_reads(query)
    with _asked(catalog, query, bounds) as answer:
        return write_batches(pyarrow.RecordBatchReader.from_stream(answer), out, bounds.most_rows)


def write_batches(batches: Any, out: Path, most_rows: int) -> Answer:
    """Write what a reader of record batches gives as Parquet, up to a number of rows."""
    from pyarrow import Table, parquet

    rows, is_whole = 0, True
    schema = as_cells(batches.schema.empty_table()).schema
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for batch in batches:
            part = as_cells(Table.from_batches([batch])).cast(schema)
            if rows + part.num_rows > most_rows:
                part, is_whole = part.slice(0, most_rows - rows), False
            writer.write_table(part, row_group_size=ROWS_AT_ONCE)
            rows += part.num_rows
            if not is_whole:
                break
    return Answer(rows=rows, is_whole=is_whole)


def _check_reads(query: str) -> None:
    duckdb = extra("tables", "SQL over the catalog needs DuckDB", "duckdb", "pyarrow")
    try:
        with parser() as connection:
            asked = _EXPLAIN.sub("", query)
            kinds = [one.type.name for one in connection.extract_statements(asked)]
    except duckdb.Error as error:
        raise _refused(error) from error
    if len(kinds) != 1:
        raise UserError("Ask one question at a time: a query that begins with SELECT.")
    if kinds[0] not in _READING:
        raise UserError("Nothing can be changed here: begin the query with SELECT.")


@contextmanager
def _asked(catalog: CatalogStore, query: str, bounds: Bounds | None = None) -> Iterator[Any]:
    """Give what DuckDB is to read the answer from; a UserError where it is refused."""
    duckdb = extra("tables", "SQL over the catalog needs DuckDB", "duckdb", "pyarrow")
    connection = duckdb.connect(":memory:", config=ALONE | (bounds.settings() if bounds else {}))
    asked, views = tables_in(query), Views(catalog.folder)
    kept = bounds.kept if bounds else None
    tables: dict[str, Any] = {"views": views.listed()}
    for name in OWN:
        if kept and name in asked:
            tables[name] = kept_table(catalog, name, kept)
        else:
            tables[name] = _own(catalog, name, is_asked=name in asked)
    missing: dict[str, FilonError] = {}
    for name in sorted(asked):
        try:
            if (table := _named(catalog, views, name, bounds)) is not None:
                tables[name] = table
        except FilonError as error:
            missing[name] = error  # to be told where the query needs it
    _lay(connection, tables)
    for lock in LOCKS:
        connection.execute(lock)
    try:
        answer = connection.sql(query)
        if answer is None:
            raise UserError("The query has no result: begin it with SELECT.")
        yield answer
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


def _named(catalog: CatalogStore, views: Views, name: str, bounds: Bounds | None) -> Any:
    """Return a table of a file, or that of a view; None where the name is neither's."""
    if address := named_in_sql(catalog, name):
        found = path_of if bounds else lazy_table_of
        return found(catalog, address.file, address.number)
    return combined(catalog, views[name]).table if name in views else None


def _lay(connection: Any, tables: Mapping[str, Any]) -> None:
    """Put tables before a connection, by name: of Arrow, and Parquet that it reads by itself.

    It may read these files once all others are out of its reach. It takes half the memory for
    them that it takes when Arrow reads them.
    """
    files = {name: table for name, table in tables.items() if isinstance(table, Path)}
    for name in tables.keys() - files.keys():
        connection.register(name, tables[name])
    for name, path in files.items():
        rows = f"read_parquet({_text(path)}, hive_partitioning = false)"
        connection.execute(f"CREATE VIEW {quoted(name)} AS FROM {rows}")
    connection.execute(f"SET allowed_paths = [{', '.join(map(_text, files.values()))}]")


def _text(path: Path) -> str:
    escaped = str(path).replace("'", "''")
    return f"'{escaped}'"


def kept_table(catalog: CatalogStore, name: str, folder: Path) -> Path:
    """Return a table of the catalog as Parquet, written once for each of its states."""
    parquet = extra("parquet", "Tables as Parquet need pyarrow", "pyarrow.parquet", "pyarrow")
    stamp = "-".join(str(number) for one in _stats(catalog.folder) for number in one)
    path = folder / f"{name}-{stamp}.parquet"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        for older in folder.glob(f"{name}-*"):
            older.unlink()
        schema = _schema(catalog, name)
        with replacing(path) as part, parquet.ParquetWriter(part, schema) as writer:
            for batch in _batches(catalog, name, schema):
                writer.write_batch(batch)
    return path


def _stats(folder: Path) -> Iterator[tuple[int, int]]:
    """Yield what changes when the catalog does."""
    for name in (FILE, f"{FILE}-wal"):
        with suppress(FileNotFoundError):
            found = (folder / name).stat()
            if found.st_size:  # a log without anything in it comes and goes with who reads
                yield found.st_mtime_ns, found.st_size


def _own(catalog: CatalogStore, name: str, *, is_asked: bool) -> Any:
    """Return a table of the catalog; without its rows where the query does not ask for them."""
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    schema = _schema(catalog, name)
    return pyarrow.Table.from_batches(_batches(catalog, name, schema) if is_asked else (), schema)


def _schema(catalog: CatalogStore, name: str) -> Any:
    import pyarrow

    kinds = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64(), "TEXT": pyarrow.string()}
    columns = catalog.db.execute(f'PRAGMA table_info("{name}")').fetchall()
    # A sketch is long, and says nothing to people.
    return pyarrow.schema(
        [(one["name"], kinds[one["type"]]) for one in columns if one["type"] in kinds]
    )


def _batches(catalog: CatalogStore, name: str, schema: Any) -> Iterator[Any]:
    import pyarrow

    wanted = ", ".join(_FROM_ONE.get((name, one), f'"{one}"') for one in schema.names)
    cursor = catalog.db.cursor()
    cursor.row_factory = None  # rows that know the names of their columns take twice as long
    cursor.execute(f'SELECT {wanted} FROM "{name}"')
    while rows := cursor.fetchmany(_AT_ONCE):
        arrays = [
            pyarrow.array(cells, kind)
            for cells, kind in zip(zip(*rows, strict=True), schema.types, strict=True)
        ]
        yield pyarrow.record_batch(arrays, schema=schema)
