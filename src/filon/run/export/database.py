"""Finds and steps as a plain SQLite file: the ledger without the learner's state."""

import sqlite3
from contextlib import closing
from pathlib import Path

from filon.run import readonly
from filon.run.schema import SCHEMA

#: Steps carried over at a time.
_GROUP = 10_000
_FINISH = """
DROP TABLE checkpoints;
DROP TABLE meta;
ALTER TABLE finds ADD COLUMN path TEXT NOT NULL DEFAULT '';
UPDATE finds SET path = 'files/' || substr(sha256, 1, 2) || '/' || sha256 WHERE sha256 != '';
"""


def write_sqlite(run_path: Path, out: Path) -> None:
    """Write a SQLite database with the tables finds and steps."""
    with readonly.reading(run_path) as ledger, closing(sqlite3.connect(out)) as copy:
        copy.executescript(SCHEMA)
        for table in ("steps", "finds"):
            _carry(ledger, copy, table)
        copy.executescript(_FINISH)
        copy.commit()


def _carry(ledger: sqlite3.Connection, copy: sqlite3.Connection, table: str) -> None:
    names = [row[1] for row in copy.execute(f"PRAGMA table_info({table})")]
    columns, marks = ", ".join(names), ", ".join("?" * len(names))
    found = ledger.execute(f"SELECT {columns} FROM {table} ORDER BY 1")  # noqa: S608 (our names)
    while group := found.fetchmany(_GROUP):
        copy.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", group)  # noqa: S608
