"""`filon enrich`: more columns for a table, from a service with a keyword search."""

import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from filon.core import UserError
from filon.core.plugins import Registry
from filon.verbs.enrich.strategies import DEFAULT, KNOWN
from filon.verbs.option import Option, joined, named_texts, option
from filon.verbs.settings import POLITE_DELAY_S, Settings, named, one_of, polite
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.run.export.format import Kinds
    from filon.run.frame import Frame
    from filon.run.summary import Outcome
    from filon.verbs.job import Job
    from filon.verbs.review import Review

#: A delay that nobody has said: what the source allows.
BY_SOURCE_S = -math.inf
_TABLE, _MATCH = "Table", "Matching"
_PAIR = re.compile(r'\s*("[^"]*"\s*|[^,=]*)(?:=\s*("[^"]*"\s*|[^,]*))?(?:,|$)')


#: How long answers serve when an enrichment is refreshed, where nothing else is said.
KEPT_S = 30 * 86_400.0
#: The description of the source, in the folder of a run.
SOURCE = "source.toml"


def _is_there(table: str) -> bool:
    """Say whether a table is, as FILE or FILE:NAME."""
    return Path(table).is_file() or Path(table.rpartition(":")[0]).is_file()


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichSettings(Settings):
    """One enrichment, as it was asked for; the rest of the fields are those of `Settings`.

    Options say what they are for; besides them:
    input: the copy of the table in the run folder. url: where the source is asked.
    cache: the file in which answers are kept; empty: the user's own.
    since_s: cached answers that are older are not used; 0: all are.
    before: the folder of the run that it is made anew of; "": of none.
    rate_s: the spacing of calls that the source allows. delay: as it is kept.
    robots: a service is called on its own terms, which its description quotes, as the user asked
        for it by name: robots.txt is for those who find their way by links, and is not read.

    >>> EnrichSettings(table="papers.csv", source="openalex", add="doi").pairs("add")
    {'doi': ''}
    """

    table: str = option(
        ...,
        "CSV, Parquet, Excel, ODS, JSON and more; FILE:NAME where several tables are in it.",
        metavar="TABLE",
        argument=True,
    )
    source: str = option(
        "",
        "A shipped source such as openalex, or a TOML file.",
        metavar="SOURCE",
        flags=("--source", "--from"),
    )
    match: str = option(
        "",
        "The columns that tell what a row is: title,authors; title=name where the source's "
        "field has another name. By default those that the source seems to have too.",
        metavar="LIST",
        panel=_MATCH,
        read=joined,
    )
    add: str = option(
        "",
        "The columns to fill: year,doi; year=published where the field has another name.",
        metavar="LIST",
        read=joined,
    )
    verb: str = "enrich"
    strategy: str = option(
        DEFAULT, f"How queries are chosen; {DEFAULT} by default.", metavar="NAME"
    )
    url: str = ""
    input: str = ""
    part: str = option(
        "",
        "The table of a database, the sheet of a workbook, or the file of an archive.",
        metavar="NAME",
        panel=_TABLE,
    )
    header_row: bool = option(
        True, "The first row is data; columns are called 'column 1' and so on.", panel=_TABLE
    )
    encoding: str = option("", "Of a text file; detected by default.", metavar="NAME", panel=_TABLE)
    columns: str = option(
        "",
        "The columns worth querying; by default those of --match.",
        metavar="LIST",
        read=joined,
    )
    source_set: Mapping[str, str] = named(
        "A parameter of the source, such as url", partial(named_texts, flag="--source-set")
    )
    one_to_one: bool = option(
        False, "No record is about two different rows; equal rows share one.", panel=_MATCH
    )
    cache: str = ""
    since_s: float = 0.0
    before: str = ""
    fresh: bool = option(False, "Ask again for what earlier runs have paid for.", stored=False)
    sample: str = option(
        "",
        "A table of records of the source, for strategies that need one; --set sample=N draws one.",
        metavar="FILE",
        kind=Path,
    )
    sample_ratio: float = option(0.0, "The part of all records that the sample is.", metavar="R")
    rate_s: float = POLITE_DELAY_S
    robots: bool = False
    cookies: bool = True
    delay: float = polite(
        BY_SOURCE_S, "Seconds between calls; by default what the source allows, or 1.", metavar="S"
    )

    OLD: ClassVar[Mapping[str, str]] = {**Settings.OLD, "from": "source"}
    NO_DELAY_S: ClassVar[float | None] = BY_SOURCE_S

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if not self.source:
            raise UserError(
                "Which service is to be asked? Name it with --from, as --from openalex."
            )
        one_of("strategy", self.strategy, KNOWN)
        if not 0 <= self.sample_ratio <= 1:
            raise UserError(f"The sample cannot be {self.sample_ratio:g} of all records.")
        if not self.pairs("add"):
            raise UserError("Which columns are to be filled? Name them with --add.")

    @classmethod
    def renamed(cls, words: Mapping[str, Any], warn: bool = False) -> dict[str, Any]:
        """Return settings by today's words; `header` was once whether the table has such a row."""
        given = dict(words)
        if isinstance(given.get("header"), bool):
            given["header_row"] = given.pop("header")
        return super(EnrichSettings, cls).renamed(given, warn)

    def called(self) -> str:
        """Return what a run is called: after its table and its source."""
        return f"{Path(self.table).stem}-{Path(self.source).stem}"

    def pairs(self, name: str) -> dict[str, str]:
        """Return the columns of `match`, `add` or `columns` and the fields they stand for."""
        return pairs(getattr(self, name))

    def deviations(self) -> list[str]:
        """Say where this is less polite or less safe than the source's terms and the defaults."""
        allowed_s = min(self.rate_s, POLITE_DELAY_S)
        deviations = {
            "robots.txt is not read: the service is called on its own terms": not self.robots,
            f"{self.delay:g} s between calls, not {allowed_s:g} s": self.delay < allowed_s,
            f"{self.parallel} calls at a time, not 1": self.parallel > 1,
            "TLS certificates are not verified": self.insecure,
            f"calls itself {self.user_agent!r}": bool(self.user_agent),
        }
        return [sentence for sentence, holds in deviations.items() if holds]


def pairs(text: str) -> dict[str, str]:
    """Read COLUMN or COLUMN=FIELD with commas; a name with either sign stands in quotes.

    >>> pairs("title=name, authors")
    {'title': 'name', 'authors': ''}
    >>> pairs('"name, full"=name')
    {'name, full': 'name'}
    """
    found = {}
    for column, name in _PAIR.findall(text):
        if bare := _bare(column):
            found[bare] = _bare(name)
        elif name:
            raise UserError(f"{text!r} has a field without a column: write it like COLUMN=FIELD.")
    return found


def _bare(name: str) -> str:
    name = name.strip()
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


class Enrich(Verb[EnrichSettings]):
    """Fill columns of a table from a service with a keyword search, with the fewest calls.

    Each call brings at most a page of results, so a query is worth the rows that it covers: which
    queries those are is learnt on the way. The run folder holds the enriched table in the format
    of the first, what was not found and why, an archive of all answers and a report.

    Example: filon enrich papers.csv --from openalex --match title,authors --add doi --budget 500
    """

    name = "enrich"
    anew = "filon.verbs.enrich.changes:changes"
    settings = EnrichSettings
    writer = "filon.verbs.enrich.fill:restore_filled"
    written = "filon.verbs.enrich.records:is_filled"
    reporter = "filon.verbs.enrich.report:page"
    review_option = Option(
        help="After the run, ask about the most uncertain pairs and learn from the answers.",
        panel="Matching",
    )
    nouns = ("call", "row")

    def prepare(self, settings: EnrichSettings) -> "Job":
        """Return an enrichment that could begin: the table is read, all names are known."""
        from filon.verbs.enrich.job import prepare

        return prepare(settings)

    def roams(self, config: Mapping[str, Any]) -> bool:
        """Say that it asks its service alone."""
        return False

    def service(self, settings: EnrichSettings) -> Any:
        """Return the source, unless it has to be told more."""
        from filon.services.source import Source

        try:
            return Source.load(settings.source, settings.source_set)
        except UserError:
            return None

    def reopen(self, folder: Path, settings: EnrichSettings) -> "Job":
        """Return an enrichment that a folder holds."""
        from filon.verbs.enrich.job import reopen

        return reopen(folder, settings)

    def renewed(self, folder: Path, settings: EnrichSettings, older_s: float) -> EnrichSettings:
        """Return settings for the table as it is now, and for answers that are not too old."""
        copy = folder / settings.input
        table = settings.table if _is_there(settings.table) else str(copy)
        source = settings.source if not settings.source.endswith(".toml") else str(folder / SOURCE)
        from filon.run.history import rounds

        since_s = time.time() - (older_s or KEPT_S)
        before = str([folder, *rounds(folder)][-1])
        return settings.changed(table=table, source=source, since_s=since_s, before=before)

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        return KNOWN

    def rows(self) -> "Kinds":
        """Return its records and the rows that they are about; they are no files."""
        from filon.run.export.rows import ANSWERS
        from filon.verbs.enrich.export import records

        return {"table": records, **ANSWERS}

    def frames(self) -> "Mapping[str, Callable[[Path], Frame]]":
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

    def outcome(self, folder: Path) -> "Outcome":
        """Return what an enrichment cost and filled."""
        from filon.verbs.enrich.summary import enriched

        return enriched(folder)

    def review(self, folder: Path, most: int) -> "Review":
        """Return a review of the matches."""
        from filon.verbs.enrich.review import MatchReview

        return MatchReview(folder, most)
