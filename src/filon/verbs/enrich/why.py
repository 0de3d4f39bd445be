"""Why a row of an enriched table was filled, or was not: by row, record or query."""

import json
import sqlite3
from pathlib import Path

from filon.core import UserError
from filon.run import readonly
from filon.run.schema import NOT_SENT
from filon.run.text import count, counted, plain
from filon.verbs.enrich.records import STATES, reading_book

_SHOWN = 12
_FIELD = 100
_DIGITS = 18


def why_row(run_path: Path, wanted: str) -> str:
    """Tell what is known of a row (its number), a record (its id) or a query (its words)."""
    wanted = wanted.strip()
    number = wanted.lower().removeprefix("row").strip()
    with readonly.reading(run_path) as ledger, reading_book(run_path) as book:
        lines = _row(ledger, book, number) if number.isdecimal() else []
        lines = lines or _record(ledger, book, wanted) or _query(ledger, book, wanted)
        if not lines and number.isdecimal():
            raise _no_row(book, number)
        lines = lines or _text(book, wanted)
    if lines:
        return "\n".join(lines)
    return "\n".join(
        [
            plain(wanted),
            "  is no row, no record and no query of this run.",
            "  Name a row by its number, counted from 1 without the header, a record by its id,",
            "  or a query by its words.",
        ]
    )


def _no_row(book: sqlite3.Connection, number: str) -> UserError:
    size = book.execute("SELECT COUNT(*) FROM rows").fetchone()[0]
    return UserError(
        f"There is no row {plain(number, _FIELD)}: the table has {counted(size, 'row')}, "
        "counted from 1 without the header."
    )


def _row(ledger: sqlite3.Connection, book: sqlite3.Connection, number: str) -> list[str]:
    # No table has so many rows, and SQLite no such number.
    row = int(number) if len(number) <= _DIGITS else 0
    found = book.execute("SELECT state, shown FROM rows WHERE row = ?", (row,)).fetchone()
    if not found:
        return []
    lines = [f"row {count(row)}: {plain(found['shown'])}", f"  {STATES[found['state']]}."]
    matches = book.execute(
        "SELECT m.score, m.sure, m.evidence, r.id, r.url, r.step, r.fields FROM matches m"
        " JOIN records r ON r.record = m.record WHERE m.row = ?"
        " ORDER BY m.sure DESC, m.score DESC",
        (row,),
    ).fetchall()
    for match in matches:
        taken = "It was taken for" if match["sure"] else "Near it, and not taken, was"
        lines += ["", f"  {taken} {plain(match['id'])}, score {match['score']:.3f}:"]
        lines.append(f"    {plain(match['evidence'])}")
        lines += _fields(match["fields"])
        lines += _step(ledger, match["step"])
    for own, found, name in book.execute(
        "SELECT own, found, column_name FROM conflicts WHERE row = ?", (row,)
    ):
        lines.append(
            f"  The table's {plain(name)} {plain(own)!r} stays; the source has {plain(found)!r}."
        )
    return lines


def _record(ledger: sqlite3.Connection, book: sqlite3.Connection, wanted: str) -> list[str]:
    found = book.execute(
        "SELECT * FROM records WHERE id = ?1 OR (url != '' AND url = ?1) LIMIT 1", (wanted,)
    ).fetchone()
    if not found:
        return []
    lines = [f"record {plain(found['id'])}", *_fields(found["fields"])]
    lines += _step(ledger, found["step"])
    rows = book.execute(
        "SELECT row, score, sure, evidence FROM matches WHERE record = ? ORDER BY row",
        (found["record"],),
    ).fetchall()
    for row in rows[:_SHOWN]:
        taken = "fills" if row["sure"] else "is near, but does not fill,"
        lines.append(f"  It {taken} row {count(row['row'])} (score {row['score']:.3f}): ")
        lines[-1] += plain(row["evidence"])
    return lines if rows else [*lines, "  No row of the table is like it."]


def _query(ledger: sqlite3.Connection, book: sqlite3.Connection, wanted: str) -> list[str]:
    steps = ledger.execute(
        "SELECT s.*, (SELECT COUNT(*) FROM finds f WHERE f.step = s.step) AS rows FROM steps s"
        " WHERE s.arm = ? COLLATE NOCASE OR s.url = ? ORDER BY s.step",
        (wanted, wanted),
    ).fetchall()
    if not steps:
        return []
    lines = [f"query {plain(steps[0]['arm'] or wanted)}"]
    for step in steps[:_SHOWN]:
        lines += _step(ledger, step["step"])
        brought = book.execute(
            "SELECT COUNT(*) FROM records WHERE step = ?", (step["step"],)
        ).fetchone()[0]
        lines.append(
            f"    It covered {counted(step['rows'], 'row')} and brought "
            f"{counted(brought, 'record')} for the first time."
        )
    return lines


def _text(book: sqlite3.Connection, wanted: str) -> list[str]:
    """Return the rows that say something like it."""
    marks = wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = book.execute(
        "SELECT row, state, shown FROM rows WHERE shown LIKE ? ESCAPE '\\' ORDER BY row LIMIT ?",
        (f"%{marks}%", _SHOWN),
    ).fetchall()
    if not rows:
        return []
    lines = [f"Rows that say {plain(wanted)!r}; name one by its number to know more:"]
    return lines + [f"  {r['row']:>6}  {r['state']:<12} {plain(r['shown'], 80)}" for r in rows]


def _fields(stored: str) -> list[str]:
    fields = {name: value for name, value in json.loads(stored).items() if value}
    shown = list(fields.items())[:_SHOWN]
    return [f"    {plain(name)}: {plain(value, _FIELD)}" for name, value in shown]


def _step(ledger: sqlite3.Connection, number: int) -> list[str]:
    step = ledger.execute("SELECT * FROM steps WHERE step = ?", (number,)).fetchone()
    if step is None:
        return []
    lines = [f"  step {count(number)} asked for {plain(step['arm'] or step['url'])!r}"]
    if step["why"]:
        lines.append(f"    because {plain(step['why'])}")
    how = "at hand from an earlier run" if step["took_s"] == NOT_SENT["cached"] else "a call"
    if step["answer"] is None:
        how = "no answer that was written down"
    elif step["error"] or step["status"] != 200:
        how += f", {plain(step['error']) or 'status ' + str(step['status'])}"
    return [*lines, f"    {how}: {plain(step['url'])}"]
