"""Go on with a run: `filon.resume` and `filon.aresume`."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filon.core import Budget, Spent, UserError
from filon.core.loop import Watch
from filon.run.folder import Run
from filon.run.readonly import reading
from filon.verbs import network
from filon.verbs.asked import KINDS, Asked
from filon.verbs.blocking import blocking
from filon.verbs.discover import api as discover
from filon.verbs.discover.found import is_listed
from filon.verbs.discover.found.verdicts import pages_of
from filon.verbs.discover.settings import DiscoverSettings
from filon.verbs.enrich import api as enrich
from filon.verbs.enrich.records import is_filled
from filon.verbs.enrich.settings import EnrichSettings
from filon.verbs.follow import api as follow
from filon.verbs.follow.graph import is_written
from filon.verbs.follow.settings import FollowSettings
from filon.verbs.harvest import parts
from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.look import open_run
from filon.verbs.session import sit, take_up


async def aresume(
    path: str | Path,
    *,
    budget: str | int | Budget | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **changes: Any,
) -> Run:
    """Go on with a run that was interrupted, or whose budget was spent.

    budget: the new bound of the whole run; as before where it is None.
    changes: other values for fields of `filon.verbs.settings.Settings` that concern the network:
        delay_s, parallel, connect_to, proxy, headers.
    """
    if budget is not None:
        changes["budget"] = str(budget)
    folder = Path(path)
    settings, _ = settings_of(folder, changes)
    return await go_on(folder, settings, halt, watch)


resume = blocking(aresume)


def settings_of(folder: Path, changes: Mapping[str, Any]) -> tuple[Asked, Spent]:
    """Return the settings of a run with what changes in them, and what it has spent so far."""
    with open_run(folder) as run:
        kind = KINDS.get(str(run.config.get("verb")), HarvestSettings)
        # A run from before portals were asked goes on without: its checkpoints know none.
        settings = kind.of({"portals": False, **run.config}).changed(**changes)
        spent, stopped = run.spent, run.stopped
    if isinstance(settings, DiscoverSettings) and stopped:
        # Only then: what was said since must not change steps that are told again.
        accepted, rejected = (pages_of(folder, said) for said in ("accepted", "rejected"))
        settings = settings.changed(accepted=accepted, rejected=rejected)
    refusal = network.account(settings, spent).refusal(spent.seconds)
    if refusal and stopped in ("budget", "goal") and not _is_unfinished(folder, settings):
        raise UserError(
            f"The budget {settings.budget} of {folder} is spent: give a larger one with --budget."
        )
    return settings, spent


def _is_unfinished(folder: Path, settings: Asked) -> bool:
    """Say whether a run was cut short after its last answer, while its output was written."""
    if isinstance(settings, HarvestSettings):
        return False
    with reading(folder) as ledger:
        if isinstance(settings, DiscoverSettings):
            return not is_listed(folder, ledger)
        if isinstance(settings, FollowSettings):
            return not is_written(folder, ledger)
        return not is_filled(folder, ledger)


async def go_on(
    folder: Path,
    settings: Asked,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Take a run up where it was left and see it through."""
    if isinstance(settings, EnrichSettings):
        return await enrich.go_on(folder, settings, halt, watch)
    if isinstance(settings, DiscoverSettings):
        return await discover.go_on(folder, settings, halt, watch)
    if isinstance(settings, FollowSettings):
        return await follow.go_on(folder, settings, halt, watch)
    strategy = parts.strategy(settings)
    web = parts.web(settings, folder / "spool")
    run = await take_up(folder, settings, web)
    await sit(run, settings, strategy, web, halt=halt, watch=watch)
    return open_run(folder)
