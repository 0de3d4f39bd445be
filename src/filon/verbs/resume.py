"""Go on with a run: `filon.resume` and `filon.aresume`."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from filon.core import Budget, Strategy, UserError
from filon.core.loop import Watch
from filon.core.plugins import is_passing, loaded
from filon.run import readonly
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.keywords import NetworkOptions, takes_old_words
from filon.verbs.look import open_run
from filon.verbs.registry import verb_of
from filon.verbs.session import settings_of
from filon.verbs.settings import Settings


@takes_old_words(Settings)
async def aresume(
    path: Run | str | Path,
    *,
    budget: str | int | Budget | None = None,
    strategy: str | Callable[[Any], Strategy] | None = None,
    delay: float | None = None,
    parallel: int | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Go on with a run that was interrupted, or whose budget was spent.

    path: the run, or its folder.
    budget: the new bound of the whole run; as before where it is None.
    strategy: the one that the run has, where it cannot be imported: a class of a notebook.
    delay, parallel: as before where they are None.
    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    network: any of `filon.NetworkOptions` that are to change; secrets are not stored, and must be
        given again.

        run = filon.resume("filon-runs/example.org-001", budget=600)
    """
    folder = Path(path)
    given = {"budget": budget, "delay": delay, "parallel": parallel, **network}
    changes = Settings.values(given)
    if strategy is not None:
        changes["strategy"] = _same(folder, strategy)
    verb, settings, _ = settings_of(folder, changes)
    await loaded(f"{verb.session}:go_on")(verb, folder, settings, halt, watch)
    return open_run(folder)


def _same(folder: Path, strategy: str | Callable[[Any], Strategy]) -> str:
    """Return the name of a strategy that is handed over again; a UserError where it is another.

    What was made in a notebook may have moved into a module since.
    """
    stored = str(readonly.config(readonly.find_run(folder)).get("strategy", ""))
    name = verb_of(folder).strategies().name_of(strategy)
    moved = is_passing(stored) and _class(stored) == _class(name)
    if name != stored and not moved:
        raise UserError(
            f"{folder} has learnt with the strategy {stored}: it cannot go on with {name}."
        )
    return name


def _class(path: str) -> str:
    return path.rpartition(":")[2].rpartition(".")[2]


resume = blocking(aresume)
