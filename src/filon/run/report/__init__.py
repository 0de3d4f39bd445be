"""The report of a run: one page that stands alone, each section a file of this folder.

Sums are done by SQLite, lists are bounded, the curve has a bounded number of points: a run of a
million steps gives a page of the same size as a run of a thousand.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from filon.run import readonly
from filon.run.atomic import replace_text
from filon.run.report.page import Page

__all__ = ["write_report"]


def write_report(run_path: Path, page: Callable[[Path, sqlite3.Connection], Page]) -> Path:
    """Write report.html into a run folder, in place of an earlier one, and return its path.

    page: makes the report of a run folder whose ledger is open.
    """
    out = run_path / "report.html"
    with readonly.reading(run_path) as ledger:
        whole = page(run_path, ledger).html()
    replace_text(out, whole, errors="replace")
    return out
