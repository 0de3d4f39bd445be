"""Go on with a run: `filon.resume` and `filon.aresume`."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filon.core import Budget, Spent, UserError
from filon.core.loop import Watch
from filon.run.folder import Run
from filon.run.found import is_listed
from filon.run.found.verdicts import pages_of
from filon.run.graph import is_written
from filon.run.readonly import reading
from filon.run.records import is_filled
from filon.verbs import assemble, discover, enrich, follow
from filon.verbs.asked import KINDS, Asked
from filon.verbs.blocking import blocking
from filon.verbs.look import open_run
from filon.verbs.quest import Quest
from filon.verbs.settings import Settings
from filon.verbs.sitting import sit, take_up
from filon.verbs.trail import Trail
from filon.verbs.wants import Wants


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
        kind = KINDS.get(str(run.config.get("verb")), Settings)
        # A run from before portals were asked goes on without: its checkpoints know none.
        settings = kind.of({"portals": False, **run.config}).changed(**changes)
        spent, stopped = run.spent, run.stopped
    if isinstance(settings, Quest) and stopped:
        # Only then: what was said since must not change steps that are told again.
        accepted, rejected = (pages_of(folder, said) for said in ("accepted", "rejected"))
        settings = settings.changed(accepted=accepted, rejected=rejected)
    refusal = assemble.account(settings, spent).refusal(spent.seconds)
    if refusal and stopped in ("budget", "goal") and not _is_unfinished(folder, settings):
        raise UserError(
            f"The budget {settings.budget} of {folder} is spent: give a larger one with --budget."
        )
    return settings, spent


def _is_unfinished(folder: Path, settings: Asked) -> bool:
    """Say whether a run was cut short after its last answer, while its output was written."""
    if isinstance(settings, Settings):
        return False
    with reading(folder) as ledger:
        if isinstance(settings, Quest):
            return not is_listed(folder, ledger)
        if isinstance(settings, Trail):
            return not is_written(folder, ledger)
        return not is_filled(folder, ledger)


async def go_on(
    folder: Path,
    settings: Asked,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Take a run up where it was left and see it through."""
    if isinstance(settings, Wants):
        return await enrich.go_on(folder, settings, halt, watch)
    if isinstance(settings, Quest):
        return await discover.go_on(folder, settings, halt, watch)
    if isinstance(settings, Trail):
        return await follow.go_on(folder, settings, halt, watch)
    strategy = assemble.strategy(settings)
    web = assemble.web(settings, folder / "spool")
    run = await take_up(folder, settings, web)
    await sit(run, settings, strategy, web, halt=halt, watch=watch)
    return open_run(folder)
