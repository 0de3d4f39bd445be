"""Go on with a run: `filon.resume` and `filon.aresume`."""

import asyncio
from pathlib import Path
from typing import Any

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.keywords import takes_old_words
from filon.verbs.look import open_run
from filon.verbs.session import go_on, settings_of
from filon.verbs.settings import Settings


@takes_old_words(Settings)
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
        delay, parallel, connect_to, proxy, header.
    """
    if budget is not None:
        changes["budget"] = str(budget)
    folder = Path(path)
    verb, settings, _ = settings_of(folder, changes)
    await go_on(verb, folder, settings, halt, watch)
    return open_run(folder)


resume = blocking(aresume)
