"""`filon harvest`: the data files of one website, with the fewest requests."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from filon.core import UserError
from filon.core.plugins import Registry
from filon.page.types import Types
from filon.page.url import Globs, KeyRules, host
from filon.verbs.harvest.strategies import DEFAULT, KNOWN, REPLICA_ONLY
from filon.verbs.lines import site_list
from filon.verbs.option import has_scheme, option, start_url
from filon.verbs.registry import VERBS
from filon.verbs.settings import SHARED, Settings, largest_file, one_of
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.run.summary import Outcome
    from filon.verbs.job import Job

Stop = Literal["auto", "paper", "never"]
FilesFrom = Literal["site", "linked-hosts"]
_SCOPE = "How far to go"
#: The prior that comes with Filon, learnt by `python -m experiments.priors --ship`; or none at all.
SHIPPED, NONE = "prior.npz", "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestSettings(Settings):
    """One harvest, as it was asked for; the rest of the fields are those of `Settings`.

    url, more_urls: where the site starts; more than one place of the same site may be named.
    include, exclude: globs (see `filon.page.url.Globs`) of what is asked for, pages and files.
    depth: how many links away from a start; 0: no bound.
    files_from: "linked-hosts" takes files on other hosts that pages of the site link to, too.
    stop: "auto" ends when the next requests are not worth it, by the strategy's own rule, "paper"
        when the finds dry up as in section 4.8 of SB-CLASSIFIER, "never" at the last link.
    max_size: the bytes of the largest file that is downloaded; 0: the web's own bound.
    portals: a portal whose software is known is asked for its list of files.
    url_rule: when two URLs are one page: "drop_www=on".
    prior: a file of `filon learn`, "none", or "" for the one that comes with Filon; prior_hash: of
        the file that the run began with.
    guessed_scheme: whether the user left out http:// or https://.

    >>> HarvestSettings(url="example.org", budget="300").url
    'https://example.org/'
    """

    url: str = option("", "Where the site starts.", metavar="URL", argument=True)
    more_urls: tuple[str, ...] = option(
        (), "More pages of the same site to start from.", metavar="URL", argument=True
    )
    sites: tuple[str, ...] = option(
        (),
        "A file of sites, an address a line: all are harvested at the same time under one budget, "
        "as by filon acquire; --parallel is then for all of them, and 8 by default.",
        kind=Path,
        read=site_list,
        metavar="FILE",
        stored=False,
    )
    per_site: int = option(
        0,
        "With --sites, the most requests that a site may have; 0, the default, is no bound.",
        metavar="N",
        stored=False,
    )
    verb: str = "harvest"
    types: str = option(
        "data",
        "What counts as a find: data (default), csv,excel,pdf, tables, geo, media types, "
        "or paper (the 38 types of the paper).",
        metavar="LIST",
    )
    strategy: str = option(DEFAULT, f"How links are chosen; {DEFAULT} by default.", metavar="NAME")
    stop: Stop = option(
        "auto",
        "auto (default) ends when the next requests are not worth it, by the strategy's own "
        "rule; paper as in section 4.8 of SB-CLASSIFIER; never goes on to the last link.",
        noun="way to stop",
    )
    max_size: int = largest_file()
    portals: bool = option(
        True,
        "Do not ask a portal (CKAN, Socrata and others) for its list of files; follow links.",
    )
    include: tuple[str, ...] = option(
        (),
        "Ask only for what fits: a path as '/data/*', or a URL as '//data.example.org/*'. Files "
        "outside it are left out as pages are; only the start pages need not fit. Which files "
        "count is said by --types; may be repeated.",
        metavar="GLOB",
        panel=_SCOPE,
    )
    exclude: tuple[str, ...] = option(
        (),
        "Do not ask for pages and files that fit; stronger than --include; may be repeated.",
        metavar="GLOB",
        panel=_SCOPE,
    )
    depth: int = option(
        0,
        "How many links away from a start page, files too; redirects do not count, and sitemaps, "
        "feeds and lists of portals are not used; 0, the default, is without bound.",
        metavar="N",
        panel=_SCOPE,
    )
    files_from: FilesFrom = option(
        "site",
        "Where files may be: on the site (default), or also on other hosts that its pages link to, "
        "whose pages are not read.",
        panel=_SCOPE,
        noun="place for files",
    )
    url_rule: tuple[str, ...] = option(
        (),
        "When two URLs are one page: switch a rule, as drop_www=on; may be repeated.",
        metavar="NAME=on|off",
    )

    prior: str = option(
        "",
        "What vein knows of other sites: a file made by filon learn, or none; by default the one "
        "that comes with Filon.",
        metavar="FILE|none",
        read=str,
    )

    prior_hash: str = ""
    guessed_scheme: bool = field(default=False, compare=False, metadata={"stored": False})

    OLD: ClassVar[Mapping[str, str]] = {
        **Settings.OLD,
        "max_bytes": "max_size",
        "url_rules": "url_rule",
    }
    #: Portals were not always asked, and there was no prior: checkpoints of such a run know none.
    BEFORE: ClassVar[Mapping[str, Any]] = {"portals": False, "prior": "none"}

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        self._check_start()
        if not has_scheme(self.url):
            object.__setattr__(self, "guessed_scheme", True)
        object.__setattr__(self, "url", start_url(self.url))
        object.__setattr__(self, "more_urls", self._more())
        for globs in (self.include, self.exclude):
            Globs(globs)
        if self.depth < 0:
            raise UserError(f"The depth cannot be {self.depth}: 1 is what the start page links to.")
        Types.parse(self.types)
        if self.strategy in REPLICA_ONLY:
            raise UserError(
                f"The strategy {self.strategy} must know the site beforehand: "
                "it runs on replicas, with filon compare."
            )
        one_of("strategy", self.strategy, KNOWN)
        KeyRules.switched(self.url_rule)
        if not self.prior_hash and self.prior != NONE and self.strategy == DEFAULT:
            object.__setattr__(self, "prior_hash", prior_hash(self.prior))

    def _check_start(self) -> None:
        if self.url and self.sites:
            raise UserError(
                f"Where to start, at {self.url} or at the sites of a file? Name one of them."
            )
        if not (self.url or self.sites):
            raise UserError("Where to start? Name a URL, or a file of sites with --sites.")
        if self.per_site and not self.sites:
            raise UserError("--per-site is for a harvest of many sites, with --sites.")
        if self.sites and self.header:
            raise UserError("A header is for one site: leave out --header, or harvest one URL.")
        if self.sites:
            object.__setattr__(self, "url", self.sites[0])

    def _more(self) -> tuple[str, ...]:
        """Return the other start URLs, each once; an error where one is of another site."""
        more = dict.fromkeys(start_url(url) for url in self.more_urls)
        more.pop(self.url, None)
        if more:
            from filon.page.domain import registered_domain

            site = registered_domain(host(self.url))
            for url in more:
                if registered_domain(host(url)) != site:
                    raise UserError(
                        f"{url} is not of the site of {self.url}, and a run is of one site: "
                        f"start another one with filon harvest {url}"
                    )
        return tuple(more)

    def cost(self) -> str:
        """Return what is to be saved: bytes where only they are bounded, else requests."""
        bound = self.bound()
        return "bytes" if bound.bytes and not bound.requests else "requests"


def prior_bytes(name: str) -> bytes:
    """Return the content of a prior: of a file, or "" of the one that comes with Filon."""
    path = Path(name) if name else Path(__file__).with_name(SHIPPED)
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"The prior {path} cannot be read: {error.strerror}.") from error


def prior_hash(name: str) -> str:
    """Return by what a prior is known again."""
    return blake2b(prior_bytes(name), digest_size=16).hexdigest()


def instead(verb: "Harvest", settings: HarvestSettings) -> tuple[Verb[Any], Settings]:
    """Return what harvests many sites under one budget, where a file of them was named."""
    if not settings.sites:
        return verb, settings
    many: Verb[Any] = VERBS.find("acquire")()
    return many, many.settings.from_words(_of_many(settings))


def _of_many(settings: HarvestSettings) -> dict[str, Any]:
    """Return the words by which many sites are harvested as one would be."""
    values = {entry.name: getattr(settings, entry.name) for entry in fields(settings)}
    many = {name: values.pop(name) for name in ("sites", "per_site", "budget")}
    many["profile"] = False  # a harvest does not look into files; a catalog does when it is asked
    if (parallel := values.pop("parallel")) > 1:  # one to a host is polite; many hosts are many
        many["parallel"] = parallel
    for name in ("url", "more_urls", "verb", "prior_hash", "guessed_scheme"):
        del values[name]
    shared = {name: values[name] for name in SHARED if name in values and name != "set"}
    own = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if name not in shared and value not in ("", (), {})
    }
    return {**shared, **many, "harvest": own}


class Harvest(Verb[HarvestSettings]):
    """Get the data files of a website with the fewest requests.

    What it does is learnt on the way: links like those that led to files are followed first.
    The run folder holds the files, an archive of the pages, a ledger of every step and a report.

    Example: filon harvest https://www.example.org/statistics --budget 500
    """

    name = "harvest"
    settings = HarvestSettings
    instead = "filon.verbs.harvest:instead"
    reporter = "filon.verbs.harvest.scope:page"
    usual_export = "files"

    def prepare(self, settings: HarvestSettings) -> "Job":
        """Return a harvest that could begin."""
        from filon.verbs.harvest.job import HarvestJob

        return HarvestJob(settings)

    def roams(self, config: Mapping[str, Any]) -> bool:
        """Say that it stays where it begins."""
        return False

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        return KNOWN

    def again(self, settings: HarvestSettings) -> HarvestSettings:
        """Return settings with which new links are followed to the last, by what pays."""
        own = settings.set if settings.strategy == DEFAULT else {}
        return settings.changed(strategy=DEFAULT, set=own, stop="never", budget="")

    def outcome(self, folder: Path) -> "Outcome":
        """Return what a harvest cost and brought, and what is odd about it."""
        from filon.verbs.harvest.scope import outcome

        return outcome(folder)

    def why(self, folder: Path, wanted: str) -> str:
        """Tell how a URL was come by, or which bound of the run it is beyond."""
        from filon.verbs.harvest.scope import why

        return why(folder, wanted)
