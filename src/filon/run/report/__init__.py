"""The report of a run: one page that stands alone, each section a file of this folder.

Sums are done by SQLite, lists are bounded, the curve has a bounded number of points: a run of a
million steps gives a page of the same size as a run of a thousand.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from filon.run import html, readonly
from filon.run.disk import replace_text

__all__ = ["Page", "Section", "write_report"]

#: The name that links lead to, the title, and the body; one without a body is left out.
Section = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A report before it is put together.

    heading: returns the top of the page, given the names and titles of the sections below it.
    """

    title: str
    heading: Callable[[Sequence[tuple[str, str]]], str]
    sections: Sequence[Section]

    def html(self) -> str:
        """Return the whole page."""
        shown = [section for section in self.sections if section[2]]
        top = self.heading([(name, title) for name, title, _ in shown])
        body = "".join(html.section(*section) for section in shown)
        return html.page(self.title, f"{top}{body}{html.FOOT}")


def write_report(run_path: Path, page: Callable[[Path, sqlite3.Connection], Page]) -> Path:
    """Write report.html into a run folder, in place of an earlier one, and return its path.

    page: makes the report of a run folder whose ledger is open.
    """
    out = run_path / "report.html"
    with readonly.reading(run_path) as ledger:
        whole = page(run_path, ledger).html()
    replace_text(out, whole, errors="replace")
    return out
