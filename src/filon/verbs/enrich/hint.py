"""Why a run filled no row at all, and what a person can do about it, in one sentence."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from filon.run.text import count, counted, plain
from filon.verbs.enrich import records

_FIELD = 60


def why_none(run_path: Path, ledger: sqlite3.Connection, book: sqlite3.Connection) -> str:
    """Return the hint; "" where a row was filled, or no table was written yet."""
    rows, about = records.state_counts(book), records.meta(book)
    if not rows or rows.get("filled"):
        return ""
    return f"No row was filled: {_reason(run_path, ledger, book, rows, about)}."


def _reason(
    run_path: Path,
    ledger: sqlite3.Connection,
    book: sqlite3.Connection,
    rows: Mapping[str, int],
    about: Mapping[str, str],
) -> str:
    source = plain(about.get("source", ""))
    compared = "; ".join(json.loads(about.get("aligned") or "[]"))
    fetched = book.execute("SELECT COUNT(*) FROM records").fetchone()[0]
    if found := rows.get("matched"):
        added = ", ".join(json.loads(about.get("added") or "[]"))
        return (
            f"for {counted(found, 'row')} a record was found, but it has nothing for "
            f"{plain(added)}, or the table has its own value there"
        )
    size, empty = sum(rows.values()), rows.get("empty", 0)
    if 2 * empty > size:
        return (
            f"{count(empty)} of {counted(size, 'row')} have no word to search by: name other "
            "columns with --match or --columns"
        )
    if not fetched:
        return _no_records(run_path, ledger, source)
    near = book.execute(
        "SELECT m.row, m.score, m.evidence, r.id FROM matches m JOIN records r"
        " ON r.record = m.record ORDER BY m.score DESC, m.row LIMIT 1"
    ).fetchone()
    came = f"{counted(fetched, 'record')} came from {source}"
    if near is None:
        return (
            f"{came}, and none is like a row (compared: {plain(compared)}); say which field is "
            f"which with --match COLUMN=FIELD, as the records have {_fields(book)}"
        )
    return (
        f"{came}, and none is surely that of a row (compared: {plain(compared)}); the nearest is "
        f"{plain(near['id'], _FIELD)} for row {count(near['row'])}, score {near['score']:.2f} "
        f"({plain(near['evidence'])}): filon review {plain(str(run_path))} learns from your answers"
    )


def _no_records(run_path: Path, ledger: sqlite3.Connection, source: str) -> str:
    answered, failed, step = ledger.execute(
        "SELECT COUNT(answer), COUNT(answer) FILTER (WHERE error != '' OR status != 200), MIN(step)"
        " FROM steps"
    ).fetchone()
    if not answered:
        return "no call was answered"
    if failed == answered:
        return f"0 of {counted(answered, 'call')} to {source} succeeded: the report shows why"
    query = ledger.execute("SELECT arm FROM steps WHERE step = ?", (step,)).fetchone()[0]
    return (
        f"{source} had no record at {counted(answered, 'call')}, as for {plain(query, _FIELD)!r}; "
        f"see whether it has any: filon source check {plain(str(run_path / 'source.toml'))}"
    )


def _fields(book: sqlite3.Connection) -> str:
    first = book.execute("SELECT fields FROM records ORDER BY record LIMIT 1").fetchone()[0]
    return ", ".join(plain(name, _FIELD) for name in list(json.loads(first))[:12])
