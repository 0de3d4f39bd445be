"""Discover sites and dataset repositories: `filon.discover` and `filon.adiscover`."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Unpack

from filon.core import Budget, Strategy
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.discover import AT_LEAST, Discover, DiscoverSettings, SameSite
from filon.verbs.discover.strategies import DEFAULT, Brief
from filon.verbs.keywords import NetworkOptions, takes_old_words
from filon.verbs.settings import POLITE_DELAY_S
from filon.verbs.start import start


@takes_old_words(DiscoverSettings)
async def adiscover(
    topic: str = "",
    *,
    seeds: str | Path | Iterable[str | Path] = (),
    search: str | Iterable[str] = (),
    local: str | Path | Iterable[str | Path] = (),
    registry: str | Path = "",
    budget: str | int | Budget | None = None,
    strategy: str | Callable[[Brief], Strategy] = DEFAULT,
    sites: SameSite = "domain",
    at_least: int = AT_LEAST,
    language: str | Iterable[str] = (),
    seed: int = 0,
    out: str | Path | None = None,
    delay: float = POLITE_DELAY_S,
    parallel: int = 1,
    per_host: int = 1,
    fresh: bool = False,
    cache: str | Path = "",
    set: Mapping[str, str | float] | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Find the sites and dataset repositories of a domain, ranked, with why.

    topic: words that describe the domain, "ethiopia food security".
    seeds: addresses of sites that are examples of it, or files with one a line.
    search: the services to ask, "datacite" or "searxng:url=http://localhost:8888"; by default
        all that need no key, and those whose key is in the environment or the keyring.
    local: your own runs, WARC files and folders of pages, to be searched too.
    registry: a file of known catalogues.
    budget: what may be spent, like "2000req,1h,50finds"; a number is requests.
    strategy: a name, "package.module:Class", or the class itself, which is made from a `Brief`.
    sites: what makes two pages one site: the registered "domain", or the "host".
    at_least: data files that make a repository, for scout.
    language: other languages to ask in, as codes.
    seed: of the strategy's random choices.
    out: the folder to write, which must not exist; by default one below filon-runs.
    delay: seconds between requests to a host.
    parallel: requests in flight in all.
    per_host: requests in flight to one host.
    fresh: ask services again for what the cache holds from earlier runs.
    cache: the file in which answers of services are kept; by default the user's own.
    set: the strategy's own parameters.
    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    network: any of `filon.NetworkOptions`.

    Returns the run, with its ranked list:

        run = filon.discover("ethiopia food security", budget=500)
        for site in run.sites():
            print(site["rank"], site["url"], site["why"])
    """
    return await start(Discover(), locals())


discover = blocking(adiscover)
