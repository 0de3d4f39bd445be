"""The report that any run can have: what its ledger tells of requests and finds."""

import sqlite3
from functools import partial
from pathlib import Path

from filon.run.report import Page, arms, curve, finds, heading, settings, spending, trouble
from filon.run.summary import summary_of


def standard(run_path: Path, ledger: sqlite3.Connection) -> Page:
    """Return the report of a run whose finds are files."""
    summary = summary_of(run_path, ledger)
    return Page(
        title=f"{heading.site(summary)}: {summary.verb}",
        heading=partial(heading.body, ledger, summary),
        sections=[
            ("curve", "How the finds came in", curve.body(ledger, summary)),
            ("spending", "Where the budget went", spending.body(ledger)),
            ("arms", "What paid", arms.body(summary)),
            ("skipped", "What was left out", trouble.skipped(summary)),
            ("finds", "What was found", finds.overview(ledger, summary)),
            ("list", "The finds", finds.listing(ledger, summary)),
            ("errors", "What went wrong", trouble.errors(ledger)),
            ("slow", "What was slow", trouble.slow(ledger)),
            ("settings", "How it was run", settings.body(run_path)),
        ],
    )
