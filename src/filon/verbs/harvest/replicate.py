"""An offline copy of a site, a harvest that leaves nothing out: `filon.replicate`."""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Unpack

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.harvest import Harvest
from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.keywords import NetworkOptions, listed, shared, takes_old_words
from filon.verbs.settings import POLITE_DELAY_S
from filon.verbs.start import start

#: Breadth first and never early, so that the copy does not depend on what a strategy likes;
#: the paper's types, as comparisons count them. A list would lead past the pages.
COPY = {"verb": "replicate", "strategy": "bfs", "stop": "never", "portals": False}


class Replicate(Harvest):
    """Make an offline copy of a site, to compare strategies on."""

    name = "replicate"


def settings_for(url: str, wishes: Mapping[str, Any]) -> HarvestSettings:
    """Return the settings of a copy."""
    return HarvestSettings(url=url, **{"types": "paper", **wishes, **COPY})


@takes_old_words(HarvestSettings)
async def areplicate(
    url: str,
    *,
    budget: str | int | Budget | None = None,
    types: str = "paper",
    seed: int = 0,
    out: str | Path | None = None,
    delay: float = POLITE_DELAY_S,
    parallel: int = 1,
    max_size: int = 0,
    url_rule: str | Iterable[str] = (),
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Make an offline copy of a site, to compare strategies on.

    Every page and file is fetched once, breadth first, to the last link. All keywords are as for
    `aharvest`; by default the types are those of the paper.

        filon.replicate("https://www.example.org/", budget=3000, out="copy")
    """
    wishes = {"types": types, "delay": delay, "max_size": max_size, "url_rule": listed(url_rule)}
    wishes |= shared(budget, seed, parallel, None, network)
    return await start(Replicate(), settings_for(url, wishes), out, halt, watch)


replicate = blocking(areplicate)
