"""`filon acquire`: the data files of a topic, from many sites under one budget, in one catalog."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from filon.core import UserError
from filon.verbs.lines import site_list
from filon.verbs.option import option, start_url
from filon.verbs.settings import Settings, in_flight, largest_file, named, slug, words
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.run.export.format import Kinds
    from filon.run.frame import Frame
    from filon.run.summary import Outcome
    from filon.verbs.acquire.job import AcquireJob

Stop = Literal["auto", "paper", "never"]
#: Requests in flight in all: to different hosts.
PARALLEL = 8
#: When each of many sites is left.
STOPS = (
    "auto (default) leaves a site when the next requests to it are not worth it; never goes on to "
    "its last link."
)


def most_of_each() -> Any:
    """Return the option of how much each of many sites may have."""
    help = "The most requests that a site may have; 0, the default, is no bound."
    return option(0, help, metavar="N")


def types_of_each() -> Any:
    """Return the option of what is looked for at each of many sites."""
    help = "What counts as a find, as for filon harvest; data by default."
    return option("data", help, metavar="LIST")


@dataclass(frozen=True, slots=True, kw_only=True)
class AcquireSettings(Settings):
    """One acquisition; the rest of the fields are those of `Settings`.

    topic: words that describe what is looked for. sites: those to begin with, beside it or alone.
    url: the first of these, or nothing.
    only: hosts, or globs of addresses, that sites must fit.
    per_site: the most requests that one site may have; 0: no bound.
    profile: the files are read, for the catalog.
    harvest, discover: more settings of the runs of which it is made, by their words.

    >>> AcquireSettings(topic="food  security", budget="300").topic
    'food security'
    """

    topic: str = words()
    sites: tuple[str, ...] = option(
        (),
        "Sites to begin with, a file with an address a line; without a topic, the only ones.",
        kind=Path,
        metavar="FILE",
        read=site_list,
    )
    url: str = ""
    verb: str = "acquire"
    strategy: str = ""
    only: tuple[str, ...] = option(
        (),
        "Harvest only sites that fit: a host and those below it, as example.org, or an address "
        "as '//data.*/*'; may be repeated.",
        metavar="HOST|GLOB",
    )
    per_site: int = most_of_each()
    types: str = types_of_each()
    stop: Stop = option("auto", STOPS, noun="way to stop")
    search: tuple[str, ...] = option(
        (),
        "A search service to ask, as for filon discover; may be repeated.",
        metavar="NAME[:KEY=VALUE,…]",
    )
    profile: bool = option(True, "Do not read the files for the catalog.")
    max_size: int = largest_file()
    parallel: int = in_flight("in all, one to a host", PARALLEL, later=True)
    header: tuple[str, ...] = field(default=(), repr=False)
    set: Mapping[str, str | float] = field(default_factory=dict)
    harvest: Mapping[str, Any] = named("Another setting of the harvests, as depth=3")
    discover: Mapping[str, Any] = named("Another setting of the discovery, as language=fr")

    def called(self) -> str:
        """Return what a run is called: after its topic."""
        return slug(self.topic) or ("sites" if len(self.sites) > 1 else "")

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        object.__setattr__(self, "topic", " ".join(self.topic.split()))
        object.__setattr__(self, "sites", tuple(dict.fromkeys(map(start_url, self.sites))))
        object.__setattr__(self, "url", self.sites[0] if self.sites else "")
        if not self.topic and not self.sites:
            raise UserError(
                "What is to be acquired? Say it in words, or give the sites with --sites."
            )
        if self.per_site < 0:
            raise UserError(f"A site cannot have {self.per_site} requests: 1 is the least.")
        from filon.verbs.acquire.scope import Only

        only = Only(self.only)
        if not self.topic and not any(map(only.fits, self.sites)):
            many = len(self.sites) > 1
            named = f"none of the {len(self.sites)} sites" if many else f"out {self.url}"
            raise UserError(f"--only leaves {named}.")

    def crowd(self) -> int:
        """Return how many requests may be in flight to one host."""
        return 1

    def shared(self) -> dict[str, Any]:
        """Return what all runs of it have in common, by the words of their settings."""
        own = ("budget", "set", "parallel", "header")
        return {
            entry.name: getattr(self, entry.name)
            for entry in fields(Settings)
            if entry.name not in own
        }

    def harvesting(self) -> dict[str, Any]:
        """Return the settings of the harvest of a site, but for where it starts."""
        asked = {"types": self.types, "stop": self.stop, "max_size": self.max_size}
        return {**self.shared(), **asked}

    def discovering(self) -> dict[str, Any]:
        """Return the settings of the discovery."""
        asked = {"topic": self.topic, "search": self.search, "parallel": min(4, self.parallel)}
        return {**self.shared(), **asked}


class Acquire(Verb[AcquireSettings]):
    """Get the data files of a topic from many sites, under one budget, into one catalog.

    Sites are discovered and harvested at the same time, and each request goes where it is expected
    to bring most. The folder holds a run for each site, a ledger and a report of all, and a catalog
    of the files.

    Example: filon acquire "ethiopia food security" --budget 20000req,5GiB
    """

    name = "acquire"
    settings = AcquireSettings
    session = "filon.verbs.acquire.session"
    grows = "filon.verbs.acquire.grown:grow"
    writer = "filon.verbs.acquire.index:wrap_up"
    written = "filon.verbs.acquire.index:is_wrapped_up"
    reporter = "filon.verbs.acquire.report:page"
    usual_export = "files"
    usual_requests = 2000

    def prepare(self, settings: AcquireSettings) -> "AcquireJob":
        """Return an acquisition that could begin."""
        from filon.verbs.acquire.job import AcquireJob

        return AcquireJob(settings)

    def rows(self) -> "Kinds":
        """Return the finds of all sites."""
        from filon.verbs.acquire.export import FINDS

        return FINDS

    def frames(self) -> "Mapping[str, Callable[[Path], Frame]]":
        """Return the sites with what each cost and brought."""
        from filon.verbs.acquire.export import site_frame

        return {"sites": site_frame}

    def why(self, folder: Path, wanted: str) -> str:
        """Tell why a site got what it got, or how a URL was come by in its own run."""
        from filon.verbs.acquire.why import why

        return why(folder, wanted)

    def reasons(self, folder: Path, wanted: str) -> dict[str, Any]:
        """Return the same as plain data."""
        from filon.verbs.acquire.why import reasons

        return reasons(folder, wanted)

    def outcome(self, folder: Path) -> "Outcome":
        """Return what an acquisition cost and brought."""
        from filon.verbs.acquire.summary import acquired

        return acquired(folder)
