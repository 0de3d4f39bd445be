"""Finds and steps as a plain SQLite file: the ledger without the learner's state."""

import sqlite3
from contextlib import closing
from pathlib import Path

from filon.run import readonly
from filon.run.schema import SCHEMA

#: The index is made last: one that grows with a million random keys is ten times slower.
_COPY = """
DROP TABLE checkpoints;
DROP TABLE meta;
DROP INDEX steps_url;
BEGIN;
INSERT INTO steps SELECT * FROM ledger.steps ORDER BY step;
INSERT INTO finds SELECT * FROM ledger.finds ORDER BY find;
COMMIT;
CREATE INDEX steps_url ON steps (url);
ALTER TABLE finds ADD COLUMN path TEXT NOT NULL DEFAULT '';
UPDATE finds SET path = 'files/' || substr(sha256, 1, 2) || '/' || sha256 WHERE sha256 != '';
"""


def write_sqlite(run_path: Path, out: Path) -> None:
    """Write a SQLite database with the tables finds and steps."""
    with readonly.reading(run_path):  # says what is wrong with a run better than ATTACH does
        address = readonly.address(run_path)
    with closing(sqlite3.connect(out, uri=True)) as copy:
        copy.executescript(SCHEMA)
        copy.execute("ATTACH ? AS ledger", (address,))
        copy.executescript(_COPY)
