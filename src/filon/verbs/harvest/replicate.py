"""An offline copy of a site, a harvest that leaves nothing out: `filon.replicate`."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.harvest import Harvest
from filon.verbs.harvest.settings import HarvestSettings, Stop
from filon.verbs.keywords import NetworkOptions, listed, shared, takes_old_words
from filon.verbs.option import option
from filon.verbs.settings import POLITE_DELAY_S
from filon.verbs.start import start


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicateSettings(HarvestSettings):
    """One copy; the rest of the fields are those of `HarvestSettings`.

    Breadth first and never early, so that the copy does not depend on what a strategy likes; the
    paper's types, as comparisons count them. A list of a portal would lead past the pages.
    """

    verb: str = "replicate"
    types: str = option(
        "paper",
        "What counts as a find: data (default), names like csv,xlsx, pdf, media types, "
        "or paper (the 38 types of the paper).",
        metavar="LIST",
    )
    strategy: str = "bfs"
    stop: Stop = "never"
    portals: bool = False
    seed: int = 0
    set: Mapping[str, str | float] = field(default_factory=dict)


class Replicate(Harvest):
    """Make an offline copy of a site, to compare strategies on.

    Every page and file is fetched once, breadth first, to the last link. The copy is a run folder
    like any other: it can be resumed, exported and looked at.

    Example: filon replicate https://www.example.org/ --out example
    """

    name = "replicate"

    @property
    def settings(self) -> type[ReplicateSettings]:
        """The settings that it takes."""
        return ReplicateSettings


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
    settings = ReplicateSettings(
        url=url,
        types=types,
        delay=delay,
        max_size=max_size,
        url_rule=listed(url_rule),
        **shared(budget, seed, parallel, None, network),
    )
    return await start(Replicate(), settings, out, halt, watch)


replicate = blocking(areplicate)
