"""Writes what a discovery has found: as the strategy orders it, or as its folder tells it."""

from collections.abc import Sequence
from pathlib import Path

from filon.core import Strategy
from filon.core.abilities import Ranks, able
from filon.run import readonly
from filon.run.folder import RunFolder
from filon.verbs.discover import DiscoverSettings
from filon.verbs.discover.found import Site, numbered, write_sites
from filon.verbs.discover.review import judged


def ranked(chosen: Strategy) -> list[Site]:
    """Return all that a strategy has found, best first."""
    if ranking := able(chosen, Ranks):
        return [Site.of(one.row()) for one in ranking.ranked()]
    return [Site.of(row) for row in chosen.summary().get("found", [])]


def write_found(run_path: Path, sites: Sequence[Site]) -> None:
    """Write the list of a run in all its forms.

    sites: as the strategy orders them.
    """
    write_sites(run_path, judged(run_path, sites))


def restore_found(run_path: Path) -> None:
    """Write the list as the strategy would order it: it is brought to where the run stands."""
    from filon.verbs.discover.job import reopen

    job = reopen(run_path, DiscoverSettings.of(readonly.config(run_path)))
    with RunFolder.open(run_path, read_only=True) as run:
        run.replay(job.strategy)
    write_found(run_path, numbered(ranked(job.chosen)))
