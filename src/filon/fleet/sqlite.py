"""SQLite as a store: one machine, no server, a file."""

import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from filon.fleet.database import Ask, Row, T
from filon.run.disk import Transaction, write_ahead, writing

_HAS = "instr(' ' || words || ' ', ' ' || w.value || ' ') > 0"


class Sqlite:
    """A SQLite file that speaks as `filon.fleet.sql` wants it to.

    Every transaction is alone from its first statement on, and short: other processes on this
    machine may look, pause or work at the same time.
    """

    dialect = "sqlite"
    skip = of_sites = ""
    prelude = ()

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.statements = 0
        serial = "INTEGER PRIMARY KEY AUTOINCREMENT"
        self.words = {"loose": "", "serial": serial, "if_missing": ""}
        self._path = path
        with writing(path.parent, path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=60)
            self._db.row_factory = sqlite3.Row
            self._db.create_function("moment_s", 0, clock)
            write_ahead(self._db)
            self._db.execute("PRAGMA synchronous = NORMAL")

    def rows(self, mark: str, **columns: str) -> str:
        """Return a source of rows for a query: a parameter that is JSON."""
        values = ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in columns)
        return f"(SELECT {values} FROM json_each({mark}))"

    async def ask(self, query: str, *values: Any) -> list[Row]:
        """Return the rows of one statement."""
        with writing(self._path.parent, self._path):
            return self._ask(query, *values)

    def _ask(self, query: str, *values: Any) -> list[Row]:
        self.statements += 1
        named = {str(number): value for number, value in enumerate(values, start=1)}
        return [dict(row) for row in self._db.execute(query, named)]

    async def together(self, work: Callable[[Ask], Awaitable[T]]) -> T:
        """Do some statements as one; what is asked for waits for nothing else."""
        with writing(self._path.parent, self._path), Transaction(self._db):
            self.statements += 2

            async def ask(query: str, *values: Any) -> list[Row]:
                return self._ask(query, *values)

            return await work(ask)

    urgently = ask
    alone = together

    async def has_table(self, name: str) -> bool:
        """Say whether there is such a table."""
        known = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1"
        return bool(await self.ask(known, name))

    def has_any(self, mark: str) -> str:
        """Return a condition on finds: they have one of the words of a parameter."""
        return f"EXISTS (SELECT 1 FROM json_each({mark}) w WHERE {_HAS})"

    def has_all(self, mark: str) -> str:
        """Return the same: they have all of them."""
        return f"NOT EXISTS (SELECT 1 FROM json_each({mark}) w WHERE NOT {_HAS})"

    async def close(self) -> None:
        """Let go of the file."""
        self._db.close()
