"""`filon discover`: the sites and dataset repositories of a domain, ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.verbs.discover.settings import DiscoverSettings
from filon.verbs.option import Option
from filon.verbs.verb import Review, Verb

if TYPE_CHECKING:
    import sqlite3

    from filon.core.plugins import Registry
    from filon.run.export.format import Export, Kinds
    from filon.run.frame import Frame
    from filon.run.report import Page
    from filon.run.summary import Outcome
    from filon.verbs.job import Job


class Discover(Verb[DiscoverSettings]):
    """Find the sites and dataset repositories of a domain, ranked, with why.

    Search services are asked, what they bring is looked at, and the next questions go where the
    last ones paid. The run folder holds the list as sites.csv, sites.json and catalog.ttl (DCAT),
    harvest.txt for filon harvest, an archive of all answers, a ledger of every step and a report.

    Example: filon discover "ethiopia food security" --budget 2000req --parallel 8
    """

    name = "discover"
    review_option = Option(
        help="After the run, ask about the best and the most doubtful sites, and order them anew."
    )

    @property
    def settings(self) -> type[DiscoverSettings]:
        """The settings that it takes."""
        return DiscoverSettings

    def prepare(self, settings: DiscoverSettings) -> Job:
        """Return a discovery that could begin: the examples are read, the services known."""
        from filon.verbs.discover.job import prepare

        return prepare(settings)

    def reopen(self, folder: Path, settings: DiscoverSettings) -> Job:
        """Return a discovery that a folder holds."""
        from filon.verbs.discover.job import reopen

        return reopen(folder, settings)

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        from filon.verbs.discover.strategies import KNOWN

        return KNOWN

    def revise(self, folder: Path, settings: DiscoverSettings, stopped: str) -> DiscoverSettings:
        """Take what the user said in a review into account.

        Only in a run that has ended: what was said since must not change steps that are told again.
        """
        from filon.verbs.discover.found.verdicts import pages_of

        if not stopped:
            return settings
        accepted, rejected = (pages_of(folder, said) for said in ("accepted", "rejected"))
        return settings.changed(accepted=accepted, rejected=rejected)

    def wrap_up(self, folder: Path) -> None:
        """Write the list, with the strategy as the last checkpoint and the ledger have it."""
        from filon.verbs.discover.listing import restore_found

        restore_found(folder)

    def is_wrapped_up(self, folder: Path) -> bool:
        """Say whether the list is that of all answers."""
        from filon.run import readonly
        from filon.verbs.discover.found import is_listed

        with readonly.reading(folder) as ledger:
            return is_listed(folder, ledger)

    def page(self, folder: Path, ledger: sqlite3.Connection) -> Page:
        """Return the report: the ranked list with why, operators, services and their failures."""
        from filon.verbs.discover.report import page

        return page(folder, ledger)

    def rows(self) -> Kinds:
        """Return its list; it keeps no files."""
        from filon.verbs.discover.export import sites

        return {"table": sites, "sites": sites}

    def formats(self) -> Mapping[str, Export]:
        """Return the format of its list alone."""
        from filon.verbs.discover.export import DCAT

        return {"dcat": DCAT}

    def frames(self) -> Mapping[str, Callable[[Path], Frame]]:
        """Return its ranked list."""
        from filon.verbs.discover.found.frame import site_frame

        return {"sites": site_frame}

    def subject(self, config: Mapping[str, Any]) -> str:
        """Return the topic, or the first example."""
        return str(config.get("topic") or config.get("url") or "")

    def why(self, folder: Path, wanted: str) -> str:
        """Tell why a site is on the list, and what led to it."""
        from filon.verbs.discover.why import why

        return why(folder, wanted)

    def reasons(self, folder: Path, wanted: str) -> dict[str, Any]:
        """Return the same as plain data."""
        from filon.verbs.discover.why import site_of

        site = site_of(folder, wanted)
        steps = super().reasons(folder, str(site["url"]) if site else wanted)["steps"]
        told = {"run": str(folder), "url": wanted, "steps": steps}
        return {**told, "site": site} if site else told

    def outcome(self, folder: Path) -> Outcome:
        """Return what a discovery cost and found."""
        from filon.verbs.discover.summary import discovered

        return discovered(folder)

    def review(self, folder: Path, most: int) -> Review:
        """Return a review of the list."""
        from filon.verbs.discover.review import SiteReview

        return SiteReview(folder, most)

    def is_reviewable(self, folder: Path) -> bool:
        """Say whether there is anything on the list."""
        from filon.verbs.discover.summary import discovered

        return bool(discovered(folder).sites)
