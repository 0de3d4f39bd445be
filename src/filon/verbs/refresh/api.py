"""Look again at what a run has brought: `filon.refresh` and `filon.arefresh`."""

import asyncio
from pathlib import Path
from typing import Unpack

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.keywords import NetworkOptions
from filon.verbs.look import open_run
from filon.verbs.refresh import RefreshSettings
from filon.verbs.refresh.session import refresh as see_through


async def arefresh(
    path: Run | str | Path,
    *,
    budget: str | int | Budget | None = None,
    pages: float | None = None,
    seed: int | None = None,
    delay: float | None = None,
    parallel: int | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Look again at what a run has brought: what is new, what changed, what is gone.

    A round that was cut short goes on; else a new one begins. Returns the round.

    path: the run, or its folder.
    budget: what the round may spend, like "200req,1h"; a number is requests.
    pages: the share of the known pages that is looked at again; 0.2 by default.
    seed: of random choices.
    delay, parallel: as the run had them where they are None.
    halt: when set, the round ends in order and goes on the next time.
    watch: called with the step, the response and the finds after each answer.
    network: any of `filon.NetworkOptions` that are to change; secrets must be given again.

        round = filon.refresh("filon-runs/example.org-001", budget=200)
        print([find.name for find in round])
    """
    given = {"budget": budget, "pages": pages, "seed": seed, "delay": delay, "parallel": parallel}
    changes = RefreshSettings.values({**given, **network})
    return open_run(await see_through(Path(path), changes, halt, watch))


refresh = blocking(arefresh)
