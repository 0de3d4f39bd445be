"""`filon harvest`: the data files of one website, with the fewest requests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.core.plugins import Registry
    from filon.run.summary import Outcome
    from filon.verbs.job import Job


class Harvest(Verb[HarvestSettings]):
    """Get the data files of a website with the fewest requests.

    What it does is learnt on the way: links like those that led to files are followed first.
    The run folder holds the files, an archive of the pages, a ledger of every step and a report.

    Example: filon harvest https://www.example.org/statistics --budget 500
    """

    name = "harvest"

    @property
    def settings(self) -> type[HarvestSettings]:
        """The settings that it takes."""
        return HarvestSettings

    def prepare(self, settings: HarvestSettings) -> Job:
        """Return a harvest that could begin."""
        from filon.verbs.harvest.job import HarvestJob

        return HarvestJob(settings)

    def reopen(self, folder: Path, settings: HarvestSettings) -> Job:
        """Return a harvest that a folder holds."""
        return self.prepare(settings)

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        from filon.verbs.harvest.strategies import KNOWN

        return KNOWN

    def outcome(self, folder: Path) -> Outcome:
        """Return what a harvest cost and brought, and what is odd about it."""
        from filon.run.summary import Plain, summarise
        from filon.verbs.harvest.notes import notes

        return Plain(summarise(folder), notes(folder))
