"""An offline copy of a site, a harvest that leaves nothing out: `filon.replicate`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filon.core import Budget
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.harvest import Harvest
from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.keywords import takes_old_words
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
    out: str | Path | None = None,
    **more: Any,
) -> Run:
    """Make an offline copy of a site, to compare strategies on.

    Every page and file is fetched once, breadth first, to the last link.

    url, budget, out: as for `aharvest`.
    more: any other field of `filon.verbs.harvest.settings.HarvestSettings`.
    """
    wishes = {"budget": "" if budget is None else str(budget), **more}
    return await start(Replicate(), settings_for(url, wishes), out)


replicate = blocking(areplicate)
