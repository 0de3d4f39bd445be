"""`filon harvest`: the data files of one website, with the fewest requests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from filon.core import UserError
from filon.core.plugins import Registry
from filon.page.types import Types
from filon.page.url import KeyRules
from filon.verbs.harvest.strategies import DEFAULT, KNOWN, REPLICA_ONLY
from filon.verbs.option import has_scheme, option, size, start_url
from filon.verbs.settings import NETWORK, Settings, one_of
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.run.summary import Outcome
    from filon.verbs.job import Job

Stop = Literal["auto", "paper", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestSettings(Settings):
    """One harvest, as it was asked for; the rest of the fields are those of `Settings`.

    stop: "auto" ends when the next requests are not worth it, by the strategy's own rule, "paper"
        when the finds dry up as in section 4.8 of SB-CLASSIFIER, "never" at the last link.
    max_size: the bytes of the largest file that is downloaded; 0: the web's own bound.
    portals: a portal whose software is known is asked for its list of files.
    url_rule: when two URLs are one page: "drop_www=on".
    guessed_scheme: whether the user left out http:// or https://.

    >>> HarvestSettings(url="example.org", budget="300").url
    'https://example.org/'
    """

    url: str = option(..., "Where the site starts.", metavar="URL", argument=True)
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
    max_size: int = option(
        0,
        "The largest file that is downloaded: 500MB.",
        metavar="SIZE",
        panel=NETWORK,
        kind=str,
        read=size,
    )
    portals: bool = option(
        True,
        "Do not ask a portal (CKAN, Socrata and others) for its list of files; follow links.",
    )
    url_rule: tuple[str, ...] = option(
        (),
        "When two URLs are one page: switch a rule, as drop_www=on; may be repeated.",
        metavar="NAME=on|off",
    )

    guessed_scheme: bool = field(default=False, compare=False, metadata={"stored": False})

    OLD: ClassVar[Mapping[str, str]] = {
        **Settings.OLD,
        "max_bytes": "max_size",
        "url_rules": "url_rule",
    }
    #: Portals were not always asked: the checkpoints of such a run know none.
    BEFORE: ClassVar[Mapping[str, Any]] = {"portals": False}

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if not has_scheme(self.url):
            object.__setattr__(self, "guessed_scheme", True)
        object.__setattr__(self, "url", start_url(self.url))
        Types.parse(self.types)
        if self.strategy in REPLICA_ONLY:
            raise UserError(
                f"The strategy {self.strategy} must know the site beforehand: "
                "it runs on replicas, with filon compare."
            )
        one_of("strategy", self.strategy, KNOWN)
        KeyRules.switched(self.url_rule)

    def cost(self) -> str:
        """Return what is to be saved: bytes where only they are bounded, else requests."""
        bound = self.bound()
        return "bytes" if bound.bytes and not bound.requests else "requests"


class Harvest(Verb[HarvestSettings]):
    """Get the data files of a website with the fewest requests.

    What it does is learnt on the way: links like those that led to files are followed first.
    The run folder holds the files, an archive of the pages, a ledger of every step and a report.

    Example: filon harvest https://www.example.org/statistics --budget 500
    """

    name = "harvest"
    settings = HarvestSettings
    usual_export = "files"

    def prepare(self, settings: HarvestSettings) -> "Job":
        """Return a harvest that could begin."""
        from filon.verbs.harvest.job import HarvestJob

        return HarvestJob(settings)

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        return KNOWN

    def outcome(self, folder: Path) -> "Outcome":
        """Return what a harvest cost and brought, and what is odd about it."""
        from filon.run.summary import Plain, summarise
        from filon.verbs.harvest.notes import notes

        return Plain(summarise(folder), notes(folder))
