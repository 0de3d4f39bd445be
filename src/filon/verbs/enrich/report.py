"""The report of an enrichment: coverage, calls and money, rows not found and why, what paid."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from filon.run import html, readonly
from filon.run.report import Page, curve, heading, outputs, settings, spending, trouble
from filon.run.report.nothing import without_finds
from filon.run.text import count, counted, duration
from filon.verbs.enrich import pairs
from filon.verbs.enrich.records import (
    CONFLICTS,
    FILE,
    MISSING,
    STATES,
    meta,
    reading_book,
    state_counts,
)
from filon.verbs.enrich.summary import NOT_FILLED, Enriched, enriched_of

_NOUNS = curve.Nouns("row", "call")
_LISTED = 200
_QUERIES = 30
#: The rows of the tables.
_FILLED = """
SELECT t.row, t.shown, r.id, r.url, r.fields, m.score FROM rows t
JOIN matches m ON m.row = t.row AND m.sure JOIN records r ON r.record = m.record
WHERE t.state = 'filled' ORDER BY t.row LIMIT ?
"""
_NOT_FOUND = """
SELECT row, state, shown FROM rows WHERE state NOT IN ('filled', 'matched') ORDER BY row LIMIT ?
"""
_DISAGREE = """
SELECT c.row, c.column_name, c.own, c.found, r.id FROM conflicts c
JOIN records r ON r.record = c.record ORDER BY c.row, c.column_name LIMIT ?
"""
_BINS = 10
_CALLS = spending.GROUPS | {"other": ("Answers", "of the source")}
#: Where calls went: name, and the condition on a step; the first that holds counts.
_SPENT = (
    ("At hand from earlier runs, free", "took_s = -1"),
    ("Brought rows", "step IN (SELECT step FROM finds)"),
    ("No answer yet", "answer IS NULL"),
    ("Refused or failed", "error != '' OR status = 0 OR status >= 400"),
    ("Brought no row that was not covered before", "1"),
)


def page(run_path: Path, ledger: sqlite3.Connection) -> Page:
    """Return the report."""
    with reading_book(run_path) as book:
        return _page(run_path, ledger, book)


def _page(run_path: Path, ledger: sqlite3.Connection, book: sqlite3.Connection) -> Page:
    summary, about = enriched_of(run_path, ledger, book), meta(book)
    sections = [
        ("curve", "How the rows were covered", _curve(ledger, summary)),
        ("enriched", "The rows that were filled", _enriched(run_path, book, summary)),
        ("rows", "How it stands with the rows", _rows(book, summary)),
        ("spending", "Where the calls went", _spending(ledger)),
        ("queries", "The queries that paid", _queries(summary)),
        ("scores", "How sure the matches are", _scores(book)),
        ("conflicts", "Where table and source disagree", _conflicts(book, summary)),
        ("errors", "What went wrong", trouble.errors(ledger)),
        ("slow", "What was slow", trouble.slow(ledger)),
        ("outputs", "What the run wrote", outputs.body(run_path, _written(summary))),
        ("settings", "How it was run", settings.body(run_path)),
    ]
    return Page(
        title=f"{about.get('table', '')}: enriched from {summary.source}",
        heading=partial(_heading, ledger, about, summary),
        sections=without_finds(
            ledger,
            summary.run,
            lambda: [*filter(None, [summary.note, *summary.notes, summary.hint])],
            sections,
            found=summary.filled,
            title="No row was filled",
            groups=_CALLS,
        ),
    )


def _heading(
    ledger: sqlite3.Connection,
    about: Mapping[str, str],
    summary: Enriched,
    sections: Sequence[tuple[str, str]],
) -> str:
    items = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in sections)
    each = summary.filled / summary.calls if summary.calls else 0.0
    cost = summary.spent or "no price is known"
    share = f"{100 * summary.filled / max(summary.size, 1):.0f} % of {counted(summary.size, 'row')}"
    if not summary.size:
        share = "told when the run pauses"
    figures = [
        ("Rows filled", count(summary.filled), share, " key"),
        ("Calls", count(summary.calls), html.text(cost), ""),
        ("Rows a call", f"{each:.1f}", f"{counted(summary.records, 'record')} fetched", ""),
        ("At hand", count(summary.at_hand), "answers of earlier runs, free", ""),
        ("Time", duration(summary.run.seconds), "all sessions together", ""),
    ]
    name, terms = about.get("table", ""), about.get("terms", "")
    noted = f"Its terms: {html.text(terms)}<br>" if terms else ""
    return f"""<header>
<p class="kicker">filon enrich · strategy {html.text(summary.run.strategy)}</p>
<h1>{html.text(name, 80)}</h1>
<p class="meta">From {html.text(summary.source)}, {html.link(summary.run.start)}<br>
{noted}{heading.when(ledger)}
<br>{_outputs(summary)}</p>
{heading.state(summary.run, summary.ending)}
<dl class="figures">{heading.figures_list(figures)}</dl>
<nav aria-label="Sections"><ul>{items}</ul></nav>
</header>
"""


def _outputs(summary: Enriched) -> str:
    """Return links to what the run has written for people."""
    names = [name for name, _ in _written(summary)]
    there = [name for name in names if (summary.table.parent / name).is_file()]
    listed = " · ".join(map(html.beside, there)) or html.text("not written yet")
    return f"The table and what belongs to it: {listed}"


def _written(summary: Enriched) -> list[tuple[str, str]]:
    """Return the names of what the run writes for people, and what each is."""
    return [
        (summary.table.name, "the table, filled"),
        (MISSING, "the rows that were not found, and why"),
        (CONFLICTS, "where table and source disagree"),
        (FILE, "all records that were fetched: SQLite"),
    ]


def _enriched(run_path: Path, book: sqlite3.Connection, summary: Enriched) -> str:
    """Return rows with what was found for them."""
    added = pairs(str(readonly.config(run_path).get("add", "")))
    rows = []
    for row, shown, name, url, stored, score in book.execute(_FILLED, (_LISTED,)):
        fields = json.loads(stored)
        found_for = {name: fields.get(field or name, "") for name, field in added.items()}
        values = [html.text(value, 80) for value in found_for.values()]
        record = html.link(url, name) if url else html.text(name, 80)
        rows.append([_number(row), html.text(shown, 120), *values, record, _score(score)])
    head = ["#Row", "What it says", *(html.text(name, 40) for name in added), "Record", "-Score"]
    table = html.table(head, rows, "Rows that were filled")
    lead = "With what the source says of them."
    return _listed(table, len(rows), summary.filled, lead, summary.table.name)


def _number(row: int) -> str:
    return html.number(row, count(row))


def _score(score: float) -> str:
    return html.number(score, f"{score:.2f}")


def _listed(table: str, listed: int, size: int, lead: str, file: str) -> str:
    """Return a table of the first rows under where to find all; nothing where there are none."""
    if not listed:
        return ""
    part = f"The first {count(listed)} of {count(size)}; all are" if size > listed else "They are"
    return f'<p class="lead">{lead} {part} in {html.beside(file)}.</p>{html.sifted(table)}'


def _curve(ledger: sqlite3.Connection, summary: Enriched) -> str:
    drawn = curve.body(ledger, summary.run, _NOUNS)
    note = (
        "Counted while the calls went on, by a quick decision; the table is filled by a final one, "
        "which sees all records."
    )
    return f'{drawn}<p class="note">{note}</p>' if drawn else ""


def _rows(book: sqlite3.Connection, summary: Enriched) -> str:
    counts = state_counts(book)
    if not counts:  # the run is under way: rows are told when it pauses
        return ""
    bars = html.ranked([(NOT_FILLED.get(s, s), n, "") for s, n in counts.items()])
    rows = [
        [_number(row), html.text(shown, 120), html.text(STATES[state])]
        for row, state, shown in book.execute(_NOT_FOUND, (_LISTED,))
    ]
    table = html.table(["#Row", "What it says", "Why"], rows, "Rows that were not found")
    size = summary.size - counts.get("filled", 0) - counts.get("matched", 0)
    listed = _listed(table, len(rows), size, "", MISSING)
    return f'{bars}<h3 style="margin-top:2rem">Not found</h3>{listed}' if listed else bars


def _spending(ledger: sqlite3.Connection) -> str:
    cases = " ".join(f"WHEN {where} THEN {n}" for n, (_, where) in enumerate(_SPENT))
    spent = ledger.execute(
        f"SELECT CASE {cases} END AS grp, COUNT(*) FROM steps GROUP BY grp ORDER BY grp"  # noqa: S608
    ).fetchall()
    return html.ranked([(_SPENT[group][0], number, "") for group, number in spent]) if spent else ""


def _queries(summary: Enriched) -> str:
    rows = [
        [html.text(query.words, 110), count(query.rows), count(query.calls)]
        for query in summary.queries[:_QUERIES]
    ]
    if not rows:
        return ""
    return html.table(["Query", "#Rows", "#Calls"], rows, "Queries and the rows they covered")


def _scores(book: sqlite3.Connection) -> str:
    """Return the matches by score, those that were taken and those that were not."""
    query = (
        "SELECT MIN(CAST(score * ?1 AS INTEGER), ?1 - 1) AS bin, SUM(sure), COUNT(*) - SUM(sure)"
        " FROM matches GROUP BY bin ORDER BY bin"
    )
    found = book.execute(query, (_BINS,)).fetchall()
    if not found:
        return ""
    bars = html.ranked(
        [
            (f"{b / _BINS:.1f} – {(b + 1) / _BINS:.1f}", taken + left, f"{count(taken)} taken")
            for b, taken, left in found
        ]
    )
    about = meta(book)
    aligned = "; ".join(json.loads(about.get("aligned") or "[]"))
    lead = f"A pair is taken from a score of {float(about.get('threshold') or 0):.2f} on. "
    return f'<p class="lead">{lead}Compared: {html.text(aligned)}.</p>{bars}'


def _conflicts(book: sqlite3.Connection, summary: Enriched) -> str:
    rows = [
        [_number(row), *(html.text(cell, 80) for cell in cells)]
        for row, *cells in book.execute(_DISAGREE, (_LISTED,))
    ]
    table = html.table(["#Row", "Column", "Table", "Source", "Record"], rows, "Conflicts")
    lead = "The table keeps its own values."
    return _listed(table, len(rows), summary.conflicts, lead, CONFLICTS)
