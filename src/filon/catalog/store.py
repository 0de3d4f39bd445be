"""catalog.sqlite: the files of all runs of a folder, their tables and columns, and the words."""

import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from filon.catalog.cache import FOLDER, TableCache
from filon.catalog.index import Index
from filon.catalog.intake import Intake
from filon.catalog.schema import SCHEMA, VERSION
from filon.core import MachineError, UserError
from filon.profile.shape import Profile
from filon.run import readonly
from filon.run.disk import Transaction, may, write_ahead, writing

FILE = "catalog.sqlite"
#: How long another process may write, as it takes in a long run.
_PATIENCE_S = 300


class CatalogStore(AbstractContextManager["CatalogStore"]):
    """The catalog of a folder of runs.

    passing: it is made anew, lies in no folder, and is gone when it is closed.
    """

    def __init__(self, folder: Path, *, passing: bool = False) -> None:
        if not folder.is_dir():
            raise UserError(f"There is no folder {folder}: name one that holds runs.")
        self.folder = folder.absolute()
        self._place = "" if passing else str(self.folder / FILE)
        self._index: tuple[object, Index] | None = None
        self._cache: TableCache | None = None
        with writing(self.folder, self.folder / FILE):
            self.db = self._connected()
            self._settle_in()

    @property
    def is_read_only(self) -> bool:
        """It is as somebody else left it, in a folder where we may not write."""
        return bool(self._place) and not may(self.folder, os.W_OK)

    def _connected(self) -> sqlite3.Connection:
        place, is_uri = self._place, self.is_read_only
        if is_uri and not Path(place).is_file():
            raise MachineError(
                f"{self.folder} has no {FILE} yet, and there is no permission to write one."
            )
        if is_uri:  # SQLite would make a write-ahead log there, unless nobody is said to write
            place = f"{Path(place).as_uri()}?mode=ro&immutable=1"
        # Threads may hand it on, and never share it.
        db = sqlite3.connect(
            place, isolation_level=None, timeout=_PATIENCE_S, check_same_thread=False, uri=is_uri
        )
        db.row_factory = sqlite3.Row
        return db

    def _settle_in(self) -> None:
        try:
            if self._is_ours():
                return
            write_ahead(self.db)
            self._make()
        except sqlite3.OperationalError:
            raise  # locked, or no permission to write
        except sqlite3.DatabaseError:  # not ours at all: it is made from the runs
            path = self.folder / FILE
            self.db.close()
            for end in ("", "-wal", "-shm"):
                path.with_name(path.name + end).unlink(missing_ok=True)
            self.db = self._connected()
            write_ahead(self.db)
            self._make()

    def _is_ours(self) -> bool:
        try:
            row = self.db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
        except sqlite3.OperationalError:
            return False  # it has no such table
        return bool(row) and row[0] == str(VERSION)

    def _make(self) -> None:
        """Make the tables, in place of those of another version."""
        with self.transaction():
            if self._is_ours():
                return  # another process was faster
            for name in self.table_names():
                self.db.execute(f'DROP TABLE IF EXISTS "{name}"')
            for statement in SCHEMA:
                self.db.execute(statement)
            self.db.execute("INSERT INTO meta VALUES ('version', ?)", (str(VERSION),))

    def table_names(self) -> list[str]:
        """Return the names of its tables: virtual ones first, as others are parts of them."""
        rows = self.db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            " ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC"
        )
        return [row["name"] for row in rows]

    # Made from the runs.

    def update(self, watch: Callable[[Path], None] | None = None) -> list[str]:
        """Take in what is new in the runs, and profile it; return what went wrong."""
        return Intake(self).update(watch)

    def add(self, run: str, find: Mapping[str, Any] | sqlite3.Row, profile: Profile) -> None:
        """Put a find of a run in; `write_words` after the last of them."""
        Intake(self).add(run, find, profile)

    def write_words(self, run: str) -> None:
        """Put the words of the files of a run into the index."""
        Intake(self).write_words(run)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make all that is written within it one write; a MachineError where it cannot."""
        with writing(self.folder, self.folder / FILE), self.transaction():
            yield

    def transaction(self) -> Transaction:
        """Return what makes all that is written within it one write."""
        return Transaction(self.db)

    # What it tells.

    @property
    def index(self) -> Index:
        """The words of all files, as they are now."""
        version = self.db.execute("PRAGMA data_version").fetchone()[0], self.db.total_changes
        if self._index is None or self._index[0] != version:
            self._index = version, Index(self.db)
        return self._index[1]

    def find(self, id: str) -> sqlite3.Row:
        """Return the row of a file by its id or the first letters of it."""
        low = id.lower()
        if "#" in id or ":" in id:
            file = re.split("[#:]", id)[0]
            raise UserError(f"{id!r} is a table; what is asked here is of a whole file: {file!r}.")
        if not low or len(low) > 64 or any(letter not in "0123456789abcdef" for letter in low):
            raise UserError(f"{id!r} is no id: `filon catalog search` shows them.")
        rows = self.db.execute(
            "SELECT * FROM files WHERE id >= ? AND id < ? LIMIT 9", (low, f"{low}g")
        ).fetchall()
        if not rows:
            raise UserError(f"No file of {self.folder} has an id that begins with {low}.")
        if len(rows) > 1:
            ids = ", ".join(row["id"][: len(low) + 4] for row in rows)
            raise UserError(f"Several files begin with {low}: {ids}.")
        found: sqlite3.Row = rows[0]
        return found

    def sightings(self, file: int) -> list[sqlite3.Row]:
        """Return where a file was seen, the first first."""
        return self.db.execute(
            "SELECT * FROM sightings WHERE file = ? ORDER BY found_s, url", (file,)
        ).fetchall()

    def tables(self, file: int) -> Iterator[tuple[sqlite3.Row, list[sqlite3.Row]]]:
        """Yield the tables of a file, each with its columns."""
        for table in self.db.execute(
            "SELECT * FROM tables WHERE file = ? ORDER BY number", (file,)
        ).fetchall():
            yield table, self.columns(table["table"])

    def columns(self, table: int) -> list[sqlite3.Row]:
        """Return the columns of a table."""
        return self.db.execute(
            'SELECT * FROM columns WHERE "table" = ? ORDER BY number', (table,)
        ).fetchall()

    def columns_of(self, file: int, number: int) -> list[sqlite3.Row]:
        """Return the columns of a table of a file, from 1 on; none where it is not told."""
        row = self.db.execute(
            'SELECT "table" FROM tables WHERE file = ? AND number = ?', (file, number - 1)
        ).fetchone()
        return self.columns(row["table"]) if row else []

    def path(self, file: int) -> Path:
        """Return where the bytes of a file lie; a MachineError where no run has them any more."""
        rows = self.db.execute(
            "SELECT DISTINCT f.id, s.run FROM files f JOIN sightings s USING (file)"
            " WHERE file = ? ORDER BY s.found_s",
            (file,),
        ).fetchall()
        paths = [readonly.stored(self.folder / row["run"], row["id"]) for row in rows]
        for path in paths:
            if path.is_file():
                return path
        raise MachineError(f"The bytes of {rows[0]['id'][:12]} are gone: {paths[0]} is missing.")

    @property
    def cache(self) -> TableCache:
        """The tables of its files as Parquet."""
        if self._cache is None:
            kept = self._place and not self.is_read_only
            self._cache = TableCache(self.folder / FOLDER if kept else None)
        return self._cache

    def close(self) -> None:
        """Let go of the file."""
        if self._cache:
            self._cache.close()
        self.db.close()

    def __exit__(self, *_: object) -> None:
        self.close()
