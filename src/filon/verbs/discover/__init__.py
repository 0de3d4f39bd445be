"""`filon discover`: the sites and dataset repositories of a domain, ranked."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from filon.core import UserError
from filon.core.plugins import Registry
from filon.verbs.discover.examples import example, examples
from filon.verbs.discover.strategies import DEFAULT, KNOWN, PAPERS
from filon.verbs.option import Option, commas, option
from filon.verbs.settings import Settings, in_flight, slug, words
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.run.export.format import Export, Kinds
    from filon.run.frame import Frame
    from filon.run.summary import Outcome
    from filon.verbs.job import Job
    from filon.verbs.review import Review

SameSite = Literal["domain", "host"]
_ASKED = "Who is asked"
#: More are no examples any more.
MOST_SEEDS = 10_000
#: Files that make a repository by default; the papers' strategies ask for ten, as DSDD does.
AT_LEAST = 3


#: How long answers of services serve when a discovery is refreshed, where nothing else is said.
KEPT_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoverSettings(Settings):
    """One discovery; the rest of the fields are those of `Settings`.

    topic: words that describe the domain. seeds: pages of sites that are of it.
    url: the first of these, or nothing.
    search: the services that are asked, as `filon.verbs.discover.job` reads them.
    unasked: those that are not, and why, for the report.
    strategy: "" is the default; the registry of strategies says whether there is such a one.
    sites: what makes two pages one site: the registered "domain", or the "host".
    at_least: data files, or datasets of a portal, that make a repository; the papers' strategies
        have their own number.
    language: other languages to ask in, as codes.
    accepted, rejected: pages of sites on which the user has passed judgement.
    cache: the file in which answers of services are kept; empty: the user's own.
    options_file: that of --config, where a harvest of what is found takes it too.
    since_s: cached answers that are older are not used; 0: all are.
    parallel: requests in flight in all. per_host: to one host.
    local: your own runs, WARC files and folders of pages, to be searched too. registry: a file of
        known catalogues. Both become part of search.
    fresh: ask services again for what the cache holds from earlier runs.

    >>> DiscoverSettings(topic="bees", search=("datacite",)).strategy
    'scout'
    """

    topic: str = words()
    seeds: tuple[str, ...] = option(
        (),
        "Sites that are examples: an address, or a file with one a line; may be repeated.",
        metavar="FILE|URL",
        read=examples,
    )
    url: str = ""
    verb: str = "discover"
    strategy: str = option("", f"How it goes about it; {DEFAULT} by default.", metavar="NAME")
    search: tuple[str, ...] = option(
        (),
        "A search service to ask, such as datacite or searxng:url=http://localhost:8888; "
        "may be repeated. By default all that need no key, and those whose key is known.",
        metavar="NAME[:KEY=VALUE,…]",
        panel=_ASKED,
    )
    unasked: tuple[str, ...] = ()
    sites: SameSite = option(
        "domain",
        "What makes two pages one site: the registered domain (default), or the host.",
        noun="way to tell sites apart",
    )
    at_least: int = option(
        AT_LEAST,
        f"Data files that make a repository, for {DEFAULT}; {AT_LEAST} by default.",
        metavar="N",
    )
    language: tuple[str, ...] = option(
        (),
        "Other languages to ask in, as fr,es, where the strategy can.",
        metavar="LIST",
        panel=_ASKED,
        kind=str,
        read=commas,
    )
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    cache: str = ""
    options_file: str = ""
    since_s: float = 0.0
    parallel: int = in_flight("in all")
    per_host: int = in_flight("to one host")
    header: tuple[str, ...] = field(default=(), repr=False)
    local: tuple[str, ...] = option(
        (),
        "Search your own runs, WARC files or folders of pages too; may be repeated.",
        metavar="PATH",
        panel=_ASKED,
        stored=False,
    )
    registry: str = option(
        "",
        "A file of known catalogues, as dataportals-registry has them.",
        kind=Path,
        metavar="FILE",
        panel=_ASKED,
        stored=False,
    )
    fresh: bool = option(
        False,
        "Ask services again for what earlier runs have asked.",
        panel=_ASKED,
        stored=False,
    )

    OLD: ClassVar[Mapping[str, str]] = {
        **Settings.OLD,
        "languages": "language",
        "searchers": "search",
    }

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        object.__setattr__(self, "topic", " ".join(self.topic.split()))
        object.__setattr__(self, "seeds", tuple(dict.fromkeys(map(example, self.seeds))))
        if not self.topic and not self.seeds:
            raise UserError(
                "What is to be discovered? Say it in words, or give examples with --seeds."
            )
        if len(self.seeds) > MOST_SEEDS:
            raise UserError(f"{len(self.seeds):,} examples are too many: {MOST_SEEDS:,} at most.")
        object.__setattr__(self, "url", self.seeds[0] if self.seeds else "")
        object.__setattr__(self, "strategy", self.strategy or DEFAULT)
        self._check_rest()

    def called(self) -> str:
        """Return what a run is called: after its topic."""
        return slug(self.topic)

    def _check_rest(self) -> None:
        for code in self.language:
            if not (code.isascii() and code.isalpha() and 2 <= len(code) <= 3):
                raise UserError(f"{code!r} is not the code of a language: write it like fr or es.")
        if self.at_least < 1:
            raise UserError(f"A repository has at least 1 data file, not {self.at_least}.")
        if self.at_least != AT_LEAST and self.strategy in PAPERS:
            raise UserError(
                f"The strategy {self.strategy} counts files as its paper does: --at-least is for "
                f"{DEFAULT}."
            )
        if self.per_host < 1:
            raise UserError(f"{self.per_host} requests at a time to a host get nowhere.")

    def crowd(self) -> int:
        """Return how many requests may be in flight to one host."""
        return min(self.parallel, self.per_host)


class Discover(Verb[DiscoverSettings]):
    """Find the sites and dataset repositories of a domain, ranked, with why.

    Search services are asked, what they bring is looked at, and the next questions go where the
    last ones paid. The run folder holds the list as sites.csv, sites.json and catalog.ttl (DCAT),
    harvest.txt for filon harvest, an archive of all answers, a ledger of every step and a report.

    Example: filon discover "ethiopia food security" --budget 2000req --parallel 8
    """

    name = "discover"
    anew = "filon.verbs.discover.changes:changes"
    settings = DiscoverSettings
    writer = "filon.verbs.discover.listing:restore_found"
    written = "filon.verbs.discover.found:is_listed"
    reporter = "filon.verbs.discover.report:page"
    usual_requests = 600
    review_option = Option(
        help="After the run, ask about the best and the most doubtful sites, and order them anew."
    )

    def prepare(self, settings: DiscoverSettings) -> "Job":
        """Return a discovery that could begin: the examples are read, the services known."""
        from filon.verbs.discover.job import prepare

        return prepare(settings)

    def reopen(self, folder: Path, settings: DiscoverSettings) -> "Job":
        """Return a discovery that a folder holds."""
        from filon.verbs.discover.job import reopen

        return reopen(folder, settings)

    def renewed(self, folder: Path, settings: DiscoverSettings, older_s: float) -> DiscoverSettings:
        """Return settings with which services are asked again for what is not of today."""
        return settings.changed(since_s=time.time() - (older_s or KEPT_S))

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        return KNOWN

    def revise(self, folder: Path, settings: DiscoverSettings, stopped: str) -> DiscoverSettings:
        """Take what the user said in a review into account.

        Only in a run that has ended: what was said since must not change steps that are told again.
        """
        from filon.verbs.discover.found.verdicts import pages_of

        if not stopped:
            return settings
        accepted, rejected = (pages_of(folder, verdict) for verdict in ("accepted", "rejected"))
        return settings.changed(accepted=accepted, rejected=rejected)

    def rows(self) -> "Kinds":
        """Return its list; it keeps no files."""
        from filon.run.export.rows import ANSWERS
        from filon.verbs.discover.export import sites

        return {"table": sites, "sites": sites, **ANSWERS}

    def formats(self) -> "Mapping[str, Export]":
        """Return the format of its list alone."""
        from filon.verbs.discover.export import DCAT

        return {"dcat": DCAT}

    def frames(self) -> "Mapping[str, Callable[[Path], Frame]]":
        """Return its ranked list."""
        from filon.verbs.discover.found.frame import site_frame

        return {"sites": site_frame}

    def why(self, folder: Path, wanted: str) -> str:
        """Tell why a site is on the list, and what led to it."""
        from filon.verbs.discover.why import why

        return why(folder, wanted)

    def reasons(self, folder: Path, wanted: str) -> dict[str, Any]:
        """Return the same as plain data."""
        from filon.verbs.discover.why import site_of

        site = site_of(folder, wanted)
        steps = super().reasons(folder, str(site["url"]) if site else wanted)["steps"]
        result = {"run": str(folder), "url": wanted, "steps": steps}
        return {**result, "site": site} if site else result

    def outcome(self, folder: Path) -> "Outcome":
        """Return what a discovery cost and found."""
        from filon.verbs.discover.summary import discovered

        return discovered(folder)

    def review(self, folder: Path, most: int) -> "Review":
        """Return a review of the list."""
        from filon.verbs.discover.review import SiteReview

        return SiteReview(folder, most)

    def is_reviewable(self, folder: Path) -> bool:
        """Say whether there is anything on the list."""
        from filon.verbs.discover.summary import discovered

        return bool(discovered(folder).sites)
