"""The report of a run that followed Linked Data: hosts, vocabularies, classes, what paid."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from filon.run import html
from filon.run.report import Page, arms, curve, heading, outputs, settings, spending, trouble
from filon.run.report.nothing import without_finds
from filon.run.text import count, counted, duration, size
from filon.verbs.follow.graph import GRAPH, PROVENANCE
from filon.verbs.follow.graph.tally import FILE
from filon.verbs.follow.summary import Followed, followed_of

_NOUNS = curve.Nouns("document", "request")
_LISTED = 200
_SHOWN = 25
_BROKEN = 30
_FIRST_FOUND = (
    "SELECT url, mime, size_bytes, parent FROM finds WHERE kind = 'graph' ORDER BY find LIMIT ?"
)
_OUTPUTS = (
    (GRAPH, "the triples: N-Quads"),
    (PROVENANCE, "where each document came from: N-Quads"),
    (FILE, "the figures of this page, for programs"),
)
#: Names for what the strategy tells of its shortcuts.
_SHORTCUTS = {
    "probes": "Where a catalogue was hoped for, and what sitemaps list",
    "covered": "URIs that a dump or an endpoint spared",
    "covered_prefixes": "Prefixes that a dump or an endpoint tells",
    "dumps": "Dumps that were named",
    "endpoints": "SPARQL endpoints",
    "catalogues": "CKAN catalogues, with their datasets",
    "contexts": "Remote JSON-LD contexts",
    "accept": "Accept headers",
}


def page(run_path: Path, ledger: sqlite3.Connection) -> Page:
    """Return the report."""
    summary = followed_of(run_path, ledger)
    tally = summary.tally
    sections = [
        ("curve", "How the documents came in", curve.body(ledger, summary.run, _NOUNS)),
        ("spending", "Where the budget went", spending.body(ledger, spending.DOCUMENTS)),
        ("hosts", "Hosts", _hosts(ledger, summary)),
        ("arms", "What paid", arms.body(summary.run, arms.KINDS)),
        ("classes", "Classes", _names(tally.classes, tally.sizes.get("classes", 0), "Things")),
        ("predicates", "Predicates", _names(tally.predicates, tally.sizes.get("predicates", 0))),
        ("vocabularies", "Vocabularies", _vocabularies(summary)),
        ("syntaxes", "How the RDF was written", _syntaxes(summary)),
        ("skipped", "What was not asked for", _turned_down(summary)),
        ("shortcuts", "Shortcuts", _shortcuts(summary)),
        ("list", "The documents", _documents(ledger, summary)),
        ("broken", "Broken documents", _broken(summary)),
        ("unreadable", "Documents that could not be read", _unreadable(summary)),
        ("errors", "What went wrong", trouble.errors(ledger)),
        ("slow", "What was slow", trouble.slow(ledger)),
        ("outputs", "What the run wrote", outputs.body(run_path, _OUTPUTS)),
        ("settings", "How it was run", settings.body(run_path)),
    ]
    title = f"{summary.run.start}: followed"
    sections = without_finds(
        ledger,
        summary.run,
        tuple,
        sections,
        found=summary.run.finds,
        title="No RDF was found",
        groups=spending.DOCUMENTS,
    )
    return Page(title=title, heading=partial(_heading, ledger, summary), sections=sections)


def _heading(
    ledger: sqlite3.Connection, summary: Followed, sections: Sequence[tuple[str, str]]
) -> str:
    run, tally = summary.run, summary.tally
    items = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in sections)
    figures = [
        ("Triples", count(tally.triples), f"in {counted(tally.documents, 'document')}", " key"),
        ("Hosts", count(tally.sizes.get("hosts", 0)), "with documents", ""),
        ("Requests", count(run.requests), f"{size(run.bytes)} received", ""),
        ("Yield", f"{run.per_hundred:.1f}", "documents for 100 requests", ""),
        ("Time", duration(run.seconds), "all sessions together", ""),
    ]
    provenance = html.beside(PROVENANCE)
    return f"""<header>
<p class="kicker">filon follow · strategy {html.text(run.strategy)}</p>
<h1>{html.text(run.start, 80)}</h1>
<p class="meta">{heading.when(ledger)}<br>The triples: {html.beside(GRAPH)}; where they
came from: {provenance}, in the graph <code>{html.text(tally.graph)}</code></p>
{heading.state(run)}
<dl class="figures">{heading.figures_list(figures)}</dl>
<nav aria-label="Sections"><ul>{items}</ul></nav>
</header>
"""


def _hosts(ledger: sqlite3.Connection, summary: Followed) -> str:
    tally = summary.tally
    asked: Counter[str] = Counter()
    for place, number in ledger.execute(
        f"SELECT {trouble.HOST} AS place, SUM(sends) FROM steps GROUP BY place"  # noqa: S608
    ):
        asked[str(place).rpartition("@")[2].partition(":")[0].lower()] += number
    names = sorted(asked, key=lambda name: (-tally.hosts[name], -asked[name], name))
    rows = [
        [
            html.text(name, 60),
            count(tally.hosts[name]),
            count(tally.host_triples[name]),
            count(asked[name]),
        ]
        for name in names[:_SHOWN]
    ]
    if not rows:
        return ""
    barren = sum(1 for name in names if not tally.hosts[name])
    lead = f"{counted(len(names), 'host')} asked; {count(barren)} of them had no RDF."
    head = ["Host", "#Documents", "#Triples", "#Requests"]
    return f'<p class="lead">{lead}</p>{html.table(head, rows, "Hosts")}'


def _names(counter: Counter[str], size_all: int, what: str = "Triples") -> str:
    rows = [
        [html.link(name, longest=90), count(number)] for name, number in _ordered(counter)[:_SHOWN]
    ]
    if not rows:
        return ""
    more = size_all - len(rows)
    note = f'<p class="note">And {count(more)} more.</p>' if more > 0 else ""
    return html.table(["Name", f"#{what}"], rows, what) + note


def _vocabularies(summary: Followed) -> str:
    rows = [(name, number, "") for name, number in _ordered(summary.tally.vocabularies)[:_SHOWN]]
    return html.ranked(rows) if rows else ""


def _syntaxes(summary: Followed) -> str:
    rows = [(name, number, "documents") for name, number in _ordered(summary.tally.syntaxes)]
    if not rows:
        return ""
    words = ""
    if summary.tally.accidental:
        words = (
            f'<p class="note">{counted(summary.tally.accidental, "further document")} held triples '
            "that nobody meant to be data (a licence link, Open Graph): they are not in the "
            "output, and labelled in the provenance.</p>"
        )
    return html.ranked(rows) + words


def _turned_down(summary: Followed) -> str:
    rows = [(why, number, "") for why, number in summary.turned_down]
    if summary.left and summary.run.stopped == "early-stop":
        rows.append(("left, as they promised next to nothing", summary.left, ""))
    return html.ranked(rows) if rows else ""


def _shortcuts(summary: Followed) -> str:
    """Return what the strategy says of dumps, endpoints and catalogues, in our words."""
    rows = []
    for name, value in summary.shortcuts.items():
        parts = value if isinstance(value, dict | list) else [value]
        pairs = parts.items() if isinstance(parts, dict) else [("", one) for one in parts]
        shown = [f"{key} {_short(one)}".strip() for key, one in list(pairs)[:20] if _says(one)]
        if shown:
            rows.append([html.text(_SHORTCUTS.get(name, name)), html.text("; ".join(shown), 1000)])
    return html.table(["What", "How it stands"], rows, "Shortcuts") if rows else ""


def _says(value: object) -> bool:
    return any(value) if isinstance(value, list) else bool(value)


def _short(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_short(inner)} {key}" for key, inner in value.items())
    if isinstance(value, list):  # hits and tries
        return f"{count(value[0])} of {count(value[1])} had RDF"
    return count(value) if isinstance(value, int) else str(value)


def _documents(ledger: sqlite3.Connection, summary: Followed) -> str:
    found = ledger.execute(_FIRST_FOUND, (_LISTED,)).fetchall()
    if not found:
        return ""
    rows = [
        [
            html.link(url),
            html.text(mime, 30),
            html.number(size_bytes, size(size_bytes)),
            html.link(parent),
        ]
        for url, mime, size_bytes, parent in found
    ]
    more = summary.run.finds - len(rows)
    shown = f"The first {len(rows)} of {count(summary.run.finds)}, in" if more > 0 else "In"
    run = html.text(summary.run.run)
    lead = (
        f"{shown} the order in which they came. All of them into a store: "
        f"<code>filon export {run} --to oxigraph STORE</code>, or to an endpoint: "
        f"<code>filon export {run} --to sparql-update URL</code>"
    )
    head = ["Document", "Type", "#Size", "Mentioned by"]
    return f'<p class="lead">{lead}</p>{html.sifted(html.table(head, rows, "Documents"))}'


def _broken(summary: Followed) -> str:
    tally = summary.tally
    return _faults(tally.broken, tally.broken_count, "What came before the fault is kept.")


def _unreadable(summary: Followed) -> str:
    tally = summary.tally
    lead = "They claim to be RDF, and no triple could be read. The archive holds what came."
    return _faults(tally.unreadable, tally.unreadable_count, lead)


def _faults(faults: list[tuple[str, str]], number: int, lead: str) -> str:
    rows = [[html.link(url), html.text(why, 160)] for url, why in faults[:_BROKEN]]
    if not rows:
        return ""
    more = number - len(rows)
    note = f'<p class="note">And {count(more)} more.</p>' if more > 0 else ""
    return f'<p class="lead">{lead}</p>{html.table(["Document", "Why"], rows, "Faults")}{note}'


def _ordered(counter: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda one: (-one[1], one[0]))
