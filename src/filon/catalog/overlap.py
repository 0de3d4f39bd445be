"""Which columns of the catalog hold the same values: an index of the hashes in their sketches.

A question looks up the least hashes of a column; what has some of them is compared by the whole
sketches. So it costs as many looks as the column has hashes, however many tables there are.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from filon.catalog.words import fold

#: Numbers are not what tables are joined by; whole numbers may be: years, codes.
KINDS = ("integer", "date", "datetime", "time", "text")
#: A column of fewer different values joins with anything.
FEW = 3
SCHEMA = (
    """CREATE TABLE hashes (
    hash INTEGER NOT NULL,        -- of a value, in lower letters
    "column" INTEGER NOT NULL,    -- the table, times 16,384, and the number of the column in it
    PRIMARY KEY (hash, "column")
) WITHOUT ROWID""",
    """CREATE TABLE names (
    name TEXT NOT NULL,           -- of a column, without case and accents, and its kind
    "table" INTEGER NOT NULL,
    PRIMARY KEY (name, "table")
) WITHOUT ROWID""",
)
_WIDTH = 1 << 14
#: Hashes of a column that are looked up, and columns that each of them may lead to.
LOOKED_UP, _EACH = 48, 20_000


def key(table: int, number: int) -> int:
    """Return a column as one number."""
    return table * _WIDTH + number


def parted(column: int) -> tuple[int, int]:
    """Return the table and the number of a column."""
    return divmod(column, _WIDTH)


def add(db: sqlite3.Connection, column: int, sketch: bytes) -> None:
    """Put a column into the index."""
    db.executemany(
        "INSERT OR IGNORE INTO hashes VALUES (?, ?)",
        ((hash, column) for hash in np.frombuffer(sketch, "<u4").tolist()),
    )


def drop(db: sqlite3.Connection, columns: Iterable[tuple[int, bytes]]) -> None:
    """Take columns out of the index, each with its sketch."""
    for column, sketch in columns:
        db.executemany(
            'DELETE FROM hashes WHERE hash = ? AND "column" = ?',
            ((hash, column) for hash in np.frombuffer(sketch, "<u4").tolist()),
        )


def sharing(db: sqlite3.Connection, sketch: bytes) -> Counter[int]:
    """Return the columns that have some of the values of one, with about how many of them."""
    hashes = np.frombuffer(sketch, "<u4")[:LOOKED_UP].tolist()
    found: Counter[int] = Counter()
    for hash in hashes:
        found.update(
            row[0]
            for row in db.execute(
                f'SELECT "column" FROM hashes WHERE hash = ? LIMIT {_EACH}', (hash,)
            )
        )
    return found


def sketches(db: sqlite3.Connection, columns: Sequence[int]) -> list[sqlite3.Row]:
    """Return columns with their sketches."""
    select = 'SELECT "table", name, kind, sketch FROM columns WHERE "table" = ? AND number = ?'
    found = (db.execute(select, parted(column)).fetchone() for column in columns)
    return [row for row in found if row]


def name_key(name: str, kind: str) -> str:
    """Return a column's name as it is compared, after a letter for its kind.

    >>> name_key("Région  (code)", "text"), name_key("GDP", "integer") == name_key("gdp", "number")
    ('t region (code)', True)
    """
    letter = "n" if kind in ("integer", "number", "empty") else kind[0]
    return f"{letter} {' '.join(fold(name).split())}"
