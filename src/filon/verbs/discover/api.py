"""Discover sites and dataset repositories: `filon.discover` and `filon.adiscover`."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.discover import Discover
from filon.verbs.discover.examples import examples
from filon.verbs.discover.settings import DiscoverSettings
from filon.verbs.keywords import takes_old_words
from filon.verbs.start import start


@takes_old_words(DiscoverSettings)
async def adiscover(
    topic: str = "",
    *,
    seeds: str | Path | Iterable[str | Path] = (),
    search: str | Sequence[str] = (),
    local: str | Path | Sequence[str | Path] = (),
    registry: str | Path = "",
    budget: str | int | Budget | None = None,
    strategy: str = "",
    language: str | Sequence[str] = (),
    seed: int = 0,
    out: str | Path | None = None,
    delay: float = 1.0,
    parallel: int = 1,
    fresh: bool = False,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **more: Any,
) -> Run:
    """Find the sites and dataset repositories of a domain, ranked, with why.

    topic: words that describe the domain, "ethiopia food security".
    seeds: addresses of sites that are examples of it, or files with one a line.
    search: the services to ask, "datacite" or "searxng:url=http://localhost:8888"; by default
        all that need no key, and those whose key is in the environment or the keyring.
    local: your own runs, WARC files and folders of pages, to be searched too.
    registry: a file of known catalogues.
    budget: what may be spent, like "2000req,1h,50finds"; a number is requests.
    fresh: ask services again for what the cache holds from earlier runs.
    parallel: requests in flight in all; a host gets one at a time.
    more: any other field of `filon.verbs.discover.settings.DiscoverSettings`.

    Returns the run; its list is beside it:

        run = filon.discover("ethiopia food security", budget=500)
        print(run.path / "sites.csv")
    """
    settings = DiscoverSettings(
        topic=topic,
        seeds=examples(seeds),
        search=(search,) if isinstance(search, str) else tuple(search),
        local=(str(local),) if isinstance(local, str | Path) else tuple(map(str, local)),
        registry=str(registry),
        budget="" if budget is None else str(budget),
        strategy=strategy,
        language=(language,) if isinstance(language, str) else tuple(language),
        seed=seed,
        delay=delay,
        parallel=parallel,
        fresh=fresh,
        **more,
    )
    return await start(Discover(), settings, out, halt, watch)


discover = blocking(adiscover)
