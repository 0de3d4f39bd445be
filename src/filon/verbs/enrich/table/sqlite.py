"""Tables of a SQLite file. What is written is a file with that one table."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filon.core import UserError
from filon.verbs.enrich.table import New, choose, distinct, text

_TABLES = """
SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) != 'sqlite_'
AND name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('shadow', 'virtual'))
ORDER BY name
"""


class Sqlite:
    """A table or a view of a SQLite file."""

    ending = ".sqlite"

    def __init__(self, path: Path, name: str = "", header: bool = True) -> None:
        self.path, self.notes = path, list[str]()
        try:
            with self._reading() as db:
                known = [str(row[0]) for row in db.execute(_TABLES)]
                self.name = choose(path, "table", known, name)
                shown = db.execute(f"SELECT * FROM {_quoted(self.name)} LIMIT 0")  # noqa: S608
                self._header = [str(entry[0]) for entry in shown.description]
                self.names = distinct(self._header)
                counted = db.execute(f"SELECT COUNT(*) FROM {_quoted(self.name)}")  # noqa: S608
                self.size = int(counted.fetchone()[0])
        except sqlite3.DatabaseError as error:
            raise UserError(f"{path} cannot be read as SQLite: {error}.") from error
        if not self.size:
            raise UserError(f"The table {self.name} of {path} has no rows.")

    def read(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return columns as text."""
        places = {name: self.names.index(name) for name in names}
        columns: dict[str, list[str]] = {name: [] for name in places}
        with self._reading() as db:
            # All columns, as in a copy: some alone may come from an index, in the order of that.
            for row in db.execute(f"SELECT * FROM {_quoted(self.name)}"):  # noqa: S608
                for name, place in places.items():
                    columns[name].append(text(row[place]))
        return columns

    def save(self, out: Path) -> None:
        """Copy the table into a file of its own, with its declared types."""
        table = _quoted(self.name)
        with closing(sqlite3.connect(out)) as db:
            db.execute("ATTACH ? AS source", (f"{self.path.resolve().as_uri()}?mode=ro",))
            info = db.execute(f"PRAGMA source.table_xinfo({table})").fetchall()  # computed ones too
            kinds = {row[1]: row[2] for row in info}
            columns = ", ".join(f"{_quoted(name)} {_typed(kinds[name])}" for name in self._header)
            db.execute(f"CREATE TABLE {table} ({columns})")
            db.execute(f"INSERT INTO {table} SELECT * FROM source.{table}")  # noqa: S608
            db.commit()

    def write(self, out: Path, new: New) -> list[str]:
        """Write a file with the table and what is new."""
        self.save(out)
        table = _quoted(self.name)
        with closing(sqlite3.connect(out)) as db:
            for name, column in new.added.items():
                db.execute(f"ALTER TABLE {table} ADD COLUMN {_quoted(name)} TEXT")
                _update(db, table, _quoted(name), enumerate(column))
            for name, cells in new.filled.items():
                _update(db, table, self._column(name), cells.items())
            db.commit()
        return []

    def _column(self, name: str) -> str:
        return _quoted(self._header[self.names.index(name)])

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        uri = f"{self.path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as db:
            db.text_factory = _decode
            yield db


def _update(
    db: sqlite3.Connection, table: str, name: str, cells: Iterable[tuple[int, str]]
) -> None:
    # The copy was filled in order: its row ids count from 1.
    values = ((cell, row + 1) for row, cell in cells if cell)
    query = f"UPDATE {table} SET {name} = ? WHERE rowid = ?"  # noqa: S608
    db.executemany(query, values)


def _decode(stored: bytes) -> str:
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored.decode("cp1252", "replace")


def _typed(declared: str) -> str:
    """Return a declared type as it may stand in a statement; the primary key is no longer one."""
    return _quoted(declared) if declared else ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
