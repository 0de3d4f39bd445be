"""The report of a run: one page that stands alone, each section a file of this folder.

Sums are done by SQLite, lists are bounded, the curve has a bounded number of points: a run of a
million steps gives a page of the same size as a run of a thousand.
"""

import sqlite3
from pathlib import Path

from filon.run import html, readonly
from filon.run.atomic import replace_text
from filon.run.report import arms, curve, finds, heading, settings, spending, trouble
from filon.run.summary import summary_of
from filon.verbs.discover import report as discovery
from filon.verbs.discover.found import is_discovered
from filon.verbs.enrich import report as enrichment
from filon.verbs.enrich.records import has_book, reading_book
from filon.verbs.follow import report as following
from filon.verbs.follow.graph import is_followed

__all__ = ["write_report"]


def write_report(run_path: Path) -> Path:
    """Write report.html into a run folder, in place of an earlier one, and return its path."""
    out = run_path / "report.html"
    with readonly.reading(run_path) as ledger:
        whole = _page(run_path, ledger)
    replace_text(out, whole, errors="replace")
    return out


def _page(run_path: Path, ledger: sqlite3.Connection) -> str:
    if has_book(run_path):
        with reading_book(run_path) as book:
            return enrichment.page(run_path, ledger, book)
    if is_discovered(run_path):
        return discovery.page(run_path, ledger)
    if is_followed(run_path):
        return following.page(run_path, ledger)
    summary = summary_of(run_path, ledger)
    parts = [
        ("curve", "How the finds came in", curve.body(ledger, summary)),
        ("spending", "Where the budget went", spending.body(ledger)),
        ("arms", "What paid", arms.body(summary)),
        ("skipped", "What was left out", trouble.skipped(summary)),
        ("finds", "What was found", finds.overview(ledger, summary)),
        ("list", "The finds", finds.listing(ledger, summary)),
        ("errors", "What went wrong", trouble.errors(ledger)),
        ("slow", "What was slow", trouble.slow(ledger)),
        ("settings", "How it was run", settings.body(run_path)),
    ]
    shown = [part for part in parts if part[2]]
    sections = "".join(html.section(*part) for part in shown)
    top = heading.body(ledger, summary, [(name, title) for name, title, _ in shown])
    return html.page(f"{heading.site(summary)}: {summary.verb}", f"{top}{sections}{html.FOOT}")
