"""The report that any run can have: what its ledger tells of requests and finds."""

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from filon.run.report import (
    Page,
    Section,
    arms,
    curve,
    finds,
    heading,
    outputs,
    sample,
    settings,
    spending,
    trouble,
)
from filon.run.report.nothing import without_finds
from filon.run.summary import Summary, summary_of


def standard(
    run_path: Path, ledger: sqlite3.Connection, remarks: Callable[[], Sequence[str]] = tuple
) -> Page:
    """Return the report of a run whose finds are files.

    remarks: what its verb has to say of it where nothing was found.
    """
    summary = summary_of(run_path, ledger)
    sections = [
        ("curve", "How the finds came in", curve.body(ledger, summary)),
        ("spending", "Where the budget went", spending.body(ledger)),
        ("arms", "What paid", arms.body(summary)),
        ("skipped", "What was left out", trouble.skipped(summary)),
        *of_files(run_path, ledger, summary),
        ("outputs", "What the run wrote", outputs.body(run_path)),
        ("settings", "How it was run", settings.body(run_path)),
    ]
    return Page(
        title=f"{heading.site(summary)}: {summary.verb}",
        heading=partial(heading.body, ledger, summary),
        sections=without_finds(ledger, summary, remarks, sections, found=summary.finds),
    )


def of_files(run_path: Path, ledger: sqlite3.Connection, summary: Summary) -> list[Section]:
    """Return the sections about the files that were found, and about what kept others away."""
    return [
        ("finds", "What was found", finds.overview(run_path, ledger, summary)),
        ("sample", "What is in the files", sample.body(run_path, ledger)),
        ("list", "The finds", finds.listing(run_path, ledger, summary)),
        ("errors", "What went wrong", trouble.errors(ledger)),
        ("slow", "What was slow", trouble.slow(ledger)),
    ]
