"""Tables of a DuckDB file. What is written is a file with that one table. Needs the extra."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.verbs.enrich.table import New, choose, distinct, library, text

_BATCH = 10_000


class Lake:
    """A table or a view of a DuckDB file."""

    ending = ".duckdb"

    def __init__(self, path: Path, name: str = "", header: bool = True) -> None:
        # New columns go in by way of pyarrow.
        duckdb = self._duckdb = library(path, "duckdb", "pyarrow")
        self.path, self.notes = path, list[str]()
        try:
            with self._open(path, read_only=True) as db:
                known = [row[0] for row in db.execute("SHOW TABLES").fetchall()]
                self.name = choose(path, "table", known, name)
                shown = db.execute(f"DESCRIBE {_quoted(self.name)}").fetchall()
                self._header = [str(row[0]) for row in shown]
                self.names = distinct(self._header)
                counted = db.execute(f"SELECT COUNT(*) FROM {_quoted(self.name)}")  # noqa: S608
                self.size = int(counted.fetchall()[0][0])
        except duckdb.Error as error:
            first = str(error).splitlines()[0].rstrip(".")
            raise UserError(f"{path} cannot be read as DuckDB: {first}.") from error
        if not self.size:
            raise UserError(f"The table {self.name} of {path} has no rows.")

    def read(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return columns as text."""
        wanted = list(names)
        columns: dict[str, list[str]] = {name: [] for name in wanted}
        if not wanted:
            return columns
        listed = ", ".join(map(self._column, wanted))
        with self._open(self.path, read_only=True) as db:
            found = db.execute(f"SELECT {listed} FROM {_quoted(self.name)}")  # noqa: S608
            while rows := found.fetchmany(_BATCH):
                for name, values in zip(wanted, zip(*rows, strict=True), strict=True):
                    columns[name] += map(text, values)
        return columns

    def save(self, out: Path) -> None:
        """Copy the table into a file of its own."""
        source = str(self.path.resolve()).replace("'", "''")
        table = _quoted(self.name)
        with self._open(out) as db:
            db.execute(f"ATTACH '{source}' AS source (READ_ONLY)")
            db.execute(f"CREATE TABLE {table} AS SELECT * FROM source.{table}")  # noqa: S608

    def write(self, out: Path, new: New) -> list[str]:
        """Write a file with the table and what is new."""
        self.save(out)
        table, lost = _quoted(self.name), 0
        with self._open(out) as db:
            for name, column in new.added.items():
                db.execute(f"ALTER TABLE {table} ADD COLUMN {_quoted(name)} VARCHAR")
                _update(db, table, _quoted(name), "VARCHAR", enumerate(column))
            types = dict(row[:2] for row in db.execute(f"DESCRIBE {table}").fetchall())
            for name, cells in new.filled.items():
                column_type = types[self._header[self.names.index(name)]]
                lost += _update(db, table, self._column(name), column_type, cells.items())
        return [f"{lost:,} values do not fit the type of their column."] if lost else []

    def _column(self, name: str) -> str:
        return _quoted(self._header[self.names.index(name)])

    @contextmanager
    def _open(self, path: Path, *, read_only: bool = False) -> Iterator[Any]:
        with closing(self._duckdb.connect(str(path), read_only=read_only)) as db:
            yield db


def _update(db: Any, table: str, name: str, kind: str, cells: Iterable[tuple[int, str]]) -> int:
    """Set cells by row id, in one statement; return how many did not become the type."""
    import pyarrow  # a million rows one by one would take minutes

    rows = [(row, cell) for row, cell in cells if cell]
    if not rows:
        return 0
    places, texts = zip(*rows, strict=True)
    db.register("cells", pyarrow.table({"place": places, "cell": texts}))
    db.execute(
        f"UPDATE {table} SET {name} = TRY_CAST(cells.cell AS {kind})"  # noqa: S608
        f" FROM cells WHERE {table}.rowid = cells.place"
    )
    lost = db.execute(f"SELECT COUNT(*) FROM cells WHERE TRY_CAST(cell AS {kind}) IS NULL")  # noqa: S608
    failed = int(lost.fetchall()[0][0])
    db.unregister("cells")
    return failed


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
