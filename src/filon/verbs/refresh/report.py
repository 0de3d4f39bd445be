"""The report of a round: what changed, and then what any run tells."""

import sqlite3
from dataclasses import replace
from pathlib import Path

from filon.run.history import run_of
from filon.run.report import Page
from filon.run.report.standard import standard
from filon.verbs.refresh.changes import changes_of, tables
from filon.verbs.refresh.summary import outcome


def page(folder: Path, ledger: sqlite3.Connection) -> Page:
    """Return the report."""
    number = int(folder.absolute().name)
    changes = [one for one in changes_of(run_of(folder)) if one["round"] == number]
    whole = standard(folder, ledger, lambda: outcome(folder).remarks)
    return replace(whole, sections=[*tables(changes), *whole.sections])
