"""A small SQLite file that all runs of a user share, also at the same time."""

import sqlite3
from pathlib import Path

#: Another process may be writing; its transactions are a row long.
_PATIENCE_S = 30.0


def shared_database(path: Path, *statements: str) -> sqlite3.Connection:
    """Open a file, or make it, and execute what it begins with.

    Raises OSError or sqlite3.DatabaseError where it cannot be used; then nothing is left open.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE_S)
    try:
        for statement in statements:
            database.execute(statement)
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database
