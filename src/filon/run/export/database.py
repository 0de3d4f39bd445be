"""Rows as databases: SQLite, and Parquet for data frames and DuckDB."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from filon.core.extras import extra
from filon.run import readonly
from filon.run.export.format import Rows
from filon.run.schema import SCHEMA

_TYPES: dict[type, str] = {int: "INTEGER", float: "REAL", bool: "INTEGER"}
#: The index is made last: one that grows with a million random keys is ten times slower.
_COPY = """
DROP TABLE checkpoints;
DROP TABLE pieces;
DROP TABLE meta;
DROP INDEX steps_url;
BEGIN;
INSERT INTO steps SELECT * FROM ledger.steps ORDER BY step;
INSERT INTO finds {finds};
COMMIT;
CREATE INDEX steps_url ON steps (url);
ALTER TABLE finds ADD COLUMN path TEXT NOT NULL DEFAULT '';
UPDATE finds SET path = 'files/' || substr(sha256, 1, 2) || '/' || sha256 WHERE sha256 != '';
"""


def write_sqlite(rows: Rows, out: Path) -> None:
    """Write a SQLite database: the rows as a table, with what belongs to them."""
    if rows.copy:
        return rows.copy(out)
    kinds = rows.frame.kinds
    columns = ", ".join(f"{_quoted(name)} {_TYPES.get(k, 'TEXT')}" for name, k in kinds.items())
    marks = ", ".join("?" * len(kinds))
    table = _quoted(rows.name)
    with closing(sqlite3.connect(out)) as database:
        database.execute(f"CREATE TABLE {table} ({columns})")
        cells = ([_cell(value) for value in row.values()] for row in rows.frame)
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", cells)  # noqa: S608
        database.commit()
    return None


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return " ".join(value) if isinstance(value, tuple | list) else value


def copy_ledger(run_path: Path, out: Path) -> None:
    """Write the finds and steps of a run as a database: the ledger without the learner's state."""
    with readonly.reading(run_path):  # says what is wrong with a run better than ATTACH does
        address = readonly.address(run_path)
    with closing(sqlite3.connect(out, uri=True)) as copy:
        copy.executescript(SCHEMA)
        copy.execute("ATTACH ? AS ledger", (address,))
        copy.executescript(_COPY.format(finds=readonly.all_finds(copy, "ledger")))


def write_parquet(rows: Rows, out: Path) -> None:
    """Write a Parquet table; needs the extra `parquet`."""
    parquet = extra("parquet", "The export to parquet needs pyarrow", "pyarrow.parquet")
    with parquet.ParquetWriter(out, rows.frame.schema(), compression="zstd") as writer:
        for batch in rows.frame.batches():
            writer.write_batch(batch)
