"""records.sqlite: what an enrichment fetched, and which row of the table each record is about.

It is made anew from the archive whenever the table is filled, so it may be thrown away. Rows are
counted from 1, as people count them.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filon.core import Record
from filon.run import readonly
from filon.run.disk import replacing

FILE = "records.sqlite"
#: Written beside it, for people.
CONFLICTS, MISSING = "conflicts.csv", "not-found.csv"
#: How it stands with a row, and the words for it.
STATES = {
    "filled": "filled",
    "matched": "found, but there was nothing to fill in",
    "ambiguous": "ambiguous: records are near, none is sure",
    "absent": "probably absent: the queries that would show it did not",
    "not reached": "not reached: no query for it was asked or came to its page",
    "empty": "nothing to search by",
}
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    record INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,           -- as the source calls it
    url TEXT NOT NULL,
    step INTEGER NOT NULL,             -- of ledger.sqlite: the call that brought it first
    at_s REAL NOT NULL,                -- Unix time of that answer
    fields TEXT NOT NULL               -- JSON
);
CREATE TABLE matches (
    row INTEGER NOT NULL,              -- of the table, from 1
    record INTEGER NOT NULL REFERENCES records (record),
    score REAL NOT NULL,               -- the probability that they are one
    sure INTEGER NOT NULL,             -- 1: the row was filled from it
    evidence TEXT NOT NULL,
    PRIMARY KEY (row, record)
) WITHOUT ROWID;
CREATE INDEX matches_record ON matches (record);
CREATE TABLE conflicts (
    row INTEGER NOT NULL,
    column_name TEXT NOT NULL,
    own TEXT NOT NULL,                 -- what the table says, and keeps
    found TEXT NOT NULL,               -- what the record says
    record INTEGER NOT NULL REFERENCES records (record)
);
CREATE TABLE rows (
    row INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    shown TEXT NOT NULL                -- its cells that were matched, for people
);
CREATE INDEX rows_state ON rows (state);
"""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A record with the call that brought it."""

    record: Record
    step: int
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """A row, counted from 0, and the number of a record that may be about it."""

    row: int
    record: int
    score: float
    evidence: str
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A cell of the table that a record contradicts; the table keeps its own."""

    row: int
    column: str
    own: str
    found: str
    record: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """All that records.sqlite holds."""

    fetched: Sequence[Fetched]
    matches: Sequence[Matched]
    conflicts: Sequence[Conflict] = ()
    states: Sequence[str] = ()
    shown: Sequence[str] = ()
    meta: Mapping[str, str] = field(default_factory=dict)


def write_book(run_path: Path, book: Book) -> None:
    """Write records.sqlite, in place of an earlier one."""
    with replacing(run_path / FILE) as part:
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part)) as db:
            db.executescript(_SCHEMA)
            _fill(db, book)
            db.commit()


def _fill(db: sqlite3.Connection, book: Book) -> None:
    db.executemany("INSERT INTO meta VALUES (?, ?)", book.meta.items())
    db.executemany(
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)",
        (
            (number, _text(f.record.id), _text(f.record.url), f.step, f.at_s, _json(f.record))
            for number, f in enumerate(book.fetched, start=1)
        ),
    )
    db.executemany(
        "INSERT INTO matches VALUES (?, ?, ?, ?, ?)",
        ((m.row + 1, m.record + 1, m.score, m.sure, _text(m.evidence)) for m in book.matches),
    )
    db.executemany(
        "INSERT INTO conflicts VALUES (?, ?, ?, ?, ?)",
        (
            (c.row + 1, _text(c.column), _text(c.own), _text(c.found), c.record + 1)
            for c in book.conflicts
        ),
    )
    rows = zip(book.states, map(_text, book.shown), strict=True)
    db.executemany(
        "INSERT INTO rows VALUES (?, ?, ?)",
        ((number, *row) for number, row in enumerate(rows, start=1)),
    )


def _json(record: Record) -> str:
    return _text(json.dumps(dict(record.fields), ensure_ascii=False))


def _text(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


@contextmanager
def reading_book(run_path: Path) -> Iterator[sqlite3.Connection]:
    """Open records.sqlite read-only; an empty one where nothing was filled yet."""
    path = run_path / FILE
    if path.is_file():
        opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    else:
        opened = sqlite3.connect(":memory:")
        opened.executescript(_SCHEMA)
        _fill(opened, Book(fetched=(), matches=(), meta=_unfilled(run_path)))
    with closing(opened) as db:
        db.row_factory = sqlite3.Row
        yield db


def _unfilled(run_path: Path) -> dict[str, str]:
    """Return what is known of an enrichment before its table is filled."""
    config = readonly.config(run_path)
    return {"table": str(config.get("table", "")), "source": str(config.get("source", ""))}


def is_filled(run_path: Path, ledger: sqlite3.Connection) -> bool:
    """Say whether records and table are those of all answers: a kill may come between the two."""
    answers = ledger.execute("SELECT COUNT(answer) FROM steps").fetchone()[0]
    with reading_book(run_path) as book:
        about = meta(book)
        written = [about.get("enriched", "")]  # a user may have deleted it
        written += [MISSING] if set(state_counts(book)) - {"filled", "matched"} else []
        written += [CONFLICTS] if book.execute("SELECT 1 FROM conflicts").fetchone() else []
    there = all((run_path / name).is_file() for name in written)
    return there and about.get("answers") == str(answers)


def state_counts(db: sqlite3.Connection) -> dict[str, int]:
    """Return how many rows are in each state, in the order of STATES."""
    query = "SELECT state, COUNT(*) FROM rows GROUP BY state"
    counts = {str(state): int(number) for state, number in db.execute(query)}
    return {state: counts[state] for state in STATES if state in counts}


def meta(db: sqlite3.Connection) -> dict[str, str]:
    """Return what is known of the whole."""
    return {str(key): str(value) for key, value in db.execute("SELECT key, value FROM meta")}


def records(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield every record with the row that it is about, best first, or none."""
    query = """
    SELECT r.id, r.url, r.step, r.at_s, r.fields, m.row, m.score, m.sure, m.evidence
    FROM records r LEFT JOIN matches m ON m.record = r.record
    ORDER BY r.record, m.sure DESC, m.score DESC, m.row
    """
    for row in db.execute(query):
        yield {**dict(row), "fields": json.loads(row["fields"])}


def known_fields(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of all fields, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row["fields"]))
