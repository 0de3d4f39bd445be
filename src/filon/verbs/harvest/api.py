"""Harvest a site: `filon.harvest` and `filon.aharvest`."""

import asyncio
from pathlib import Path
from typing import Any

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.harvest import Harvest
from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.harvest.strategies import DEFAULT
from filon.verbs.keywords import takes_old_words
from filon.verbs.start import start


@takes_old_words(HarvestSettings)
async def aharvest(
    url: str,
    *,
    budget: str | int | Budget | None = None,
    types: str = "data",
    strategy: str = DEFAULT,
    seed: int = 0,
    stop: str = "auto",
    out: str | Path | None = None,
    delay: float = 1.0,
    parallel: int = 1,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **more: Any,
) -> Run:
    """Get the data files of a website with the fewest requests.

    url: where the site starts.
    budget: what may be spent, like "2000req,1GiB,2h,50finds"; a number is requests.
    types: what counts as a find: "data", "data,pdf", "csv,xlsx", media types, "paper".
    out: the folder to write, which must not exist; by default filon-runs/HOST-001 and so on.
    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    more: any other field of `filon.verbs.harvest.settings.HarvestSettings`.

    Returns the run, to iterate over its finds:

        run = filon.harvest("https://www.example.org/", budget=300)
        for find in run:
            print(find.name, find.path)
    """
    settings = HarvestSettings(
        url=url,
        budget="" if budget is None else str(budget),
        types=types,
        strategy=strategy,
        seed=seed,
        stop=stop,
        delay=delay,
        parallel=parallel,
        **more,
    )
    return await start(Harvest(), settings, out, halt, watch)


harvest = blocking(aharvest)
