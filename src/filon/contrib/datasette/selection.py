"""The rows that an enrichment is for, as a table that `filon enrich` reads; and what became of it.

Nothing here knows Datasette: rows come as dictionaries and go back as what is to be written.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.run import readonly
from filon.verbs.enrich import EnrichSettings
from filon.verbs.enrich.records import reading_book

#: How the runs of jobs are called, in the beginning.
JOBS = "datasette-"
#: The table in the file, and the column that says which row of the user's table a row is.
TABLE, KEY = "selection", "filon_row"
#: The table of provenance: a line for each row of a job. filled: its cells that were empty before.
COLUMNS = {
    "job_id": "INTEGER",
    "table_name": "TEXT",
    "row_pk": "TEXT",
    "state": "TEXT",
    "filled": "TEXT",
    "source": "TEXT",
    "record_id": "TEXT",
    "record_url": "TEXT",
    "query": "TEXT",
    "score": "REAL",
    "evidence": "TEXT",
    "fetched_at": "TEXT",
    "run": "TEXT",
    "run_row": "INTEGER",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a row.

    values: cells by column; only those that came. provenance: by the names of COLUMNS, as far as
    the run knows them.
    """

    values: Mapping[str, str]
    provenance: Mapping[str, Any]


def key_of(row: Mapping[str, Any], pks: Sequence[str]) -> str:
    """Return what a row is known by: its primary key, as text where that is one column.

    >>> key_of({"id": 3, "name": "Mali"}, ["id"]), key_of({"a": 1, "b": "x"}, ["a", "b"])
    ('3', '[1, "x"]')
    """
    held = [row[name] for name in pks]
    return str(held[0]) if len(held) == 1 else json.dumps(held)


def write(path: Path, rows: Iterable[Mapping[str, Any]], pks: Sequence[str]) -> int:
    """Write rows as a table of SQLite; return how many there are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    held = list(rows)
    if not held:
        raise UserError("No row is selected: there is nothing to enrich.")
    names = [name for name in held[0] if name != "rowid"]
    if KEY in names:
        raise UserError(f"The table has a column {KEY}, which the enrichment needs for itself.")
    columns = ", ".join(map(quoted, [*names, KEY]))
    marks = ", ".join("?" * (len(names) + 1))
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"CREATE TABLE {TABLE} ({columns})")
        cells = ([*(_cell(row[name]) for name in names), key_of(row, pks)] for row in held)
        db.executemany(f"INSERT INTO {TABLE} VALUES ({marks})", cells)  # noqa: S608
        db.commit()
    return len(held)


def _cell(value: Any) -> Any:
    """Return a value as SQLite takes it: what Datasette tells as an object is binary."""
    return None if isinstance(value, dict | list) else value


def quoted(name: str) -> str:
    """Return a name as it may stand in a statement."""
    return '"' + name.replace('"', '""') + '"'


def outcomes(run: Path, job_id: int, table: str) -> dict[str, Outcome]:
    """Return what became of each row, by its key."""
    settings = EnrichSettings.of(readonly.config(run))
    keys, values = _filled(run, list(settings.pairs("add")))
    found: dict[str, Outcome] = {}
    for number, told in _matched(run):
        key = keys[number - 1]
        whole = {"job_id": job_id, "table_name": table, "row_pk": key, "run": run.name, **told}
        cells = {name: cells[number - 1] for name, cells in values.items()}
        is_filled = told["state"] in ("filled", "matched")
        given = {name: cell for name, cell in cells.items() if cell and is_filled}
        found[key] = Outcome(values=given, provenance=whole)
    return found


def _filled(run: Path, names: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Return the keys of the rows in order, and the cells of the columns that were to be filled."""
    path = run / "enriched.sqlite"
    wanted = ", ".join(map(quoted, [KEY, *names]))
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        rows = db.execute(f"SELECT {wanted} FROM {TABLE} ORDER BY rowid").fetchall()  # noqa: S608
    columns = list(zip(*rows, strict=True)) or [()] * (1 + len(names))
    keys, *cells = ([_text(cell) for cell in column] for column in columns)
    return keys, dict(zip(names, cells, strict=True))


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _matched(run: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield of each row its number, and the record that it was taken for."""
    with readonly.reading(run) as ledger:
        queries = dict(ledger.execute("SELECT step, arm FROM steps").fetchall())
    with reading_book(run) as book:
        source = dict(book.execute("SELECT key, value FROM meta").fetchall()).get("source", "")
        rows = book.execute(
            "SELECT r.row, r.state, m.score, m.evidence, c.id, c.url, c.step, c.at_s FROM rows r"
            " LEFT JOIN matches m ON m.row = r.row AND m.sure = 1"
            " LEFT JOIN records c ON c.record = m.record ORDER BY r.row"
        ).fetchall()
    for row, state, score, evidence, id_, url, step, at_s in rows:
        told = {"state": state, "source": source, "run_row": row}
        if id_ is not None:
            fetched = datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds")
            told |= {"record_id": id_, "record_url": url, "query": queries.get(step, "")}
            told |= {"score": score, "evidence": evidence, "fetched_at": fetched}
        yield row, told


#: The table in the user's database that tells where its values are from.
PROVENANCE = "filon_provenance"


def put(
    db: sqlite3.Connection,
    table: str,
    rows: Sequence[Mapping[str, Any]],
    pks: Sequence[str],
    found: Mapping[str, Outcome],
) -> int:
    """Write what came for some rows, and where it is from; return for how many something came.

    A cell that has a value keeps it.
    """
    names = list(dict.fromkeys(name for each in found.values() for name in each.values))
    known = [row[1] for row in db.execute(f"PRAGMA table_info({quoted(table)})")]
    for name in names:
        if name.casefold() not in map(str.casefold, known):
            db.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN {quoted(name)} TEXT")
    _make(db)
    where = " AND ".join(f"{quoted(name)} = ?" for name in pks)
    filled = 0
    for row in rows:
        outcome = found.get(key_of(row, pks))
        if outcome is None:
            continue
        new = []
        for name, value in outcome.values.items():
            cell = quoted(name)
            done = db.execute(
                f"UPDATE {quoted(table)} SET {cell} = ? WHERE {where}"  # noqa: S608
                f" AND ({cell} IS NULL OR {cell} = '')",
                [value, *(row[name] for name in pks)],
            )
            new += [name] if done.rowcount else []
        _keep(db, {**outcome.provenance, "filled": ", ".join(new)})
        filled += bool(outcome.values)
    return filled


def _make(db: sqlite3.Connection) -> None:
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    key = "PRIMARY KEY (job_id, table_name, row_pk)"
    db.execute(f"CREATE TABLE IF NOT EXISTS {PROVENANCE} ({columns}, {key})")


def _keep(db: sqlite3.Connection, told: Mapping[str, Any]) -> None:
    """Write down where the cells of a row are from; a batch that is written again adds nothing."""
    marks = ", ".join("?" * len(COLUMNS))
    statement = f"INSERT OR IGNORE INTO {PROVENANCE} VALUES ({marks})"  # noqa: S608
    db.execute(statement, [told.get(name) for name in COLUMNS])


def enriched_tables(db: sqlite3.Connection) -> dict[str, set[str]]:
    """Return the tables of a database that were enriched, each with the runs that did it."""
    known = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    found: dict[str, set[str]] = {}
    if db.execute(known, (PROVENANCE,)).fetchone():
        for table, run in db.execute(f"SELECT DISTINCT table_name, run FROM {PROVENANCE}"):  # noqa: S608
            found.setdefault(str(table), set()).add(str(run))
    return found
