"""Acquire the files of a topic: `filon.acquire` and `filon.aacquire`."""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Unpack

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.acquire import PARALLEL, Acquire, AcquireSettings, Stop
from filon.verbs.blocking import blocking
from filon.verbs.keywords import NetworkOptions, takes_old_words
from filon.verbs.settings import POLITE_DELAY_S
from filon.verbs.start import start


@takes_old_words(AcquireSettings)
async def aacquire(
    topic: str = "",
    *,
    sites: str | Path | Iterable[str] = (),
    budget: str | int | Budget | None = None,
    only: str | Iterable[str] = (),
    per_site: int = 0,
    types: str = "data",
    stop: Stop = "auto",
    search: str | Iterable[str] = (),
    profile: bool = True,
    max_size: int | str = 0,
    seed: int = 0,
    out: str | Path | None = None,
    delay: float = POLITE_DELAY_S,
    parallel: int = PARALLEL,
    harvest: Mapping[str, Any] | None = None,
    discover: Mapping[str, Any] | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Get the data files of a topic from many sites, under one budget, into one catalog.

    topic: words that describe it, "ethiopia food security".
    sites: addresses of sites to begin with, or a file with one a line; without a topic, the only
        ones.
    budget: what may be spent in all, like "20000req,5GiB"; a number is requests.
    only: hosts, or globs of addresses, that sites must fit.
    per_site: the most requests that one site may have; 0: no bound.
    types: what counts as a find, as for `aharvest`.
    stop: when a site is left for good, as for `aharvest`.
    search: the services to ask for sites, as for `adiscover`.
    profile: whether the files are read, for the catalog.
    max_size: the largest file that is downloaded, in bytes or like "500MB"; 0: no bound of yours.
    seed: of random choices.
    out: the folder to write, which must not exist; by default one below filon-runs.
    delay: seconds between requests to a host.
    parallel: requests in flight in all, one to a host.
    harvest, discover: more settings of the runs of which it is made, by their words.
    halt: when set, all runs end in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    network: any of `filon.NetworkOptions`, but for header.

    Returns the whole, to iterate over the finds of all sites:

        run = filon.acquire("ethiopia food security", budget=2000)
        for site in run.sites():
            print(site["site"], site["requests"], site["finds"])
    """
    return await start(Acquire(), locals())


acquire = blocking(aacquire)
