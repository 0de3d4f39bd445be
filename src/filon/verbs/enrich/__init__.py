"""`filon enrich`: more columns for a table, from a service with a keyword search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.verbs.enrich.settings import EnrichSettings
from filon.verbs.option import Option
from filon.verbs.verb import Review, Verb

if TYPE_CHECKING:
    import sqlite3

    from filon.core.plugins import Registry
    from filon.run.export.format import Kinds
    from filon.run.frame import Frame
    from filon.run.report import Page
    from filon.run.summary import Outcome
    from filon.verbs.job import Job


class Enrich(Verb[EnrichSettings]):
    """Fill columns of a table from a service with a keyword search, with the fewest calls.

    Each call brings at most a page of results, so a query is worth the rows that it covers: which
    queries those are is learnt on the way. The run folder holds the enriched table in the format
    of the first, what was not found and why, an archive of all answers and a report.

    Example: filon enrich papers.csv --from openalex --match title,authors --add doi --budget 500
    """

    name = "enrich"
    review_option = Option(
        help="After the run, ask about the most uncertain pairs and learn from the answers.",
        panel="Matching",
    )
    nouns = ("call", "row")

    @property
    def settings(self) -> type[EnrichSettings]:
        """The settings that it takes."""
        return EnrichSettings

    def prepare(self, settings: EnrichSettings) -> Job:
        """Return an enrichment that could begin: the table is read, all names are known."""
        from filon.verbs.enrich.job import prepare

        return prepare(settings)

    def reopen(self, folder: Path, settings: EnrichSettings) -> Job:
        """Return an enrichment that a folder holds."""
        from filon.verbs.enrich.job import reopen

        return reopen(folder, settings)

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        from filon.verbs.enrich.strategies import KNOWN

        return KNOWN

    def wrap_up(self, folder: Path) -> None:
        """Fill the table, with the strategy as the last checkpoint and the ledger have it."""
        from filon.verbs.enrich.fill import restore_filled

        restore_filled(folder)

    def is_wrapped_up(self, folder: Path) -> bool:
        """Say whether the table was filled from all answers."""
        from filon.run import readonly
        from filon.verbs.enrich.records import is_filled

        with readonly.reading(folder) as ledger:
            return is_filled(folder, ledger)

    def page(self, folder: Path, ledger: sqlite3.Connection) -> Page:
        """Return the report: coverage, calls and money, rows not found and why, what paid."""
        from filon.verbs.enrich.report import page

        return page(folder, ledger)

    def rows(self) -> Kinds:
        """Return its records and the rows that they are about; they are no files."""
        from filon.verbs.enrich.export import records

        return {"table": records}

    def frames(self) -> Mapping[str, Callable[[Path], Frame]]:
        """Return the table as it is filled."""
        from filon.verbs.enrich.table.frame import table_frame

        return {"table": table_frame}

    def subject(self, config: Mapping[str, Any]) -> str:
        """Return the table that it is about."""
        return str(config.get("table") or "")

    def why(self, folder: Path, wanted: str) -> str:
        """Tell why a row was filled or was not, or what a record or a query brought."""
        from filon.verbs.enrich.why import why_row

        return why_row(folder, wanted)

    def reasons(self, folder: Path, wanted: str) -> dict[str, Any]:
        """Return the same as plain data."""
        return {"run": str(folder), "asked": wanted, "told": self.why(folder, wanted)}

    def outcome(self, folder: Path) -> Outcome:
        """Return what an enrichment cost and filled."""
        from filon.verbs.enrich.summary import enriched

        return enriched(folder)

    def review(self, folder: Path, most: int) -> Review:
        """Return a review of the matches."""
        from filon.verbs.enrich.review import MatchReview

        return MatchReview(folder, most)
