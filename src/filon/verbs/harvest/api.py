"""Harvest or copy a site: `filon.harvest` and `filon.replicate`, and both to be awaited."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Unpack

from filon.core import Budget, Strategy, UserError
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.harvest import FilesFrom, Harvest, HarvestSettings, Stop
from filon.verbs.harvest.replicate import Replicate, ReplicateSettings
from filon.verbs.harvest.strategies import DEFAULT, Brief
from filon.verbs.keywords import NetworkOptions, takes_old_words
from filon.verbs.option import texts
from filon.verbs.settings import POLITE_DELAY_S
from filon.verbs.start import start


@takes_old_words(HarvestSettings)
async def aharvest(
    url: str | Iterable[str] = "",
    *,
    sites: str | Path | Iterable[str] = (),
    per_site: int = 0,
    budget: str | int | Budget | None = None,
    types: str = "data",
    strategy: str | Callable[[Brief], Strategy] = DEFAULT,
    seed: int = 0,
    stop: Stop = "auto",
    out: str | Path | None = None,
    delay: float = POLITE_DELAY_S,
    parallel: int = 1,
    max_size: int | str = 0,
    portals: bool = True,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    depth: int = 0,
    files_from: FilesFrom = "site",
    url_rule: str | Iterable[str] = (),
    prior: str | Path = "",
    set: Mapping[str, str | float] | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Get the data files of a website with the fewest requests.

    url: where the site starts, or several such places of one site.
    sites: addresses of many sites in place of it, or a file with one a line: they are harvested at
        the same time under one budget, as `aacquire` does it.
    per_site: with sites, the most requests that one of them may have; 0: no bound.
    budget: what may be spent, like "2000req,1GiB,2h,50finds"; a number is requests.
    types: what counts as a find: "data", "data,pdf", "csv,xlsx", media types, "paper".
    strategy: a name, "package.module:Class", or the class itself, which is made from a `Brief`.
    seed: of the strategy's random choices.
    stop: "auto" ends when the next requests are not worth it, "paper" as in the paper, "never" at
        the last link.
    out: the folder to write, which must not exist; by default filon-runs/HOST-001 and so on.
    delay: seconds between requests to a host.
    parallel: requests in flight.
    max_size: the largest file that is downloaded, in bytes or like "500MB"; 0: no bound of yours.
    portals: a portal whose software is known is asked for its list of files.
    include: globs of paths ("/data/*") or URLs ("//b.org/*"): only what fits is asked for, pages
        and files, besides the start pages.
    exclude: what fits is not asked for.
    depth: how many links away from a start page; 0: no bound.
    files_from: "site", or "linked-hosts": also files on other hosts that its pages link to.
    url_rule: when two URLs are one page: "drop_www=on".
    prior: what `vein` knows of other sites: a file of `filon learn`, "none", or "" for the one that
        comes with Filon.
    set: the strategy's own parameters.
    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    network: any of `filon.NetworkOptions`.

    Returns the run, to iterate over its finds:

        run = filon.harvest("https://www.example.org/", budget=300)
        for find in run:
            print(find.name, find.path)
    """
    return await start(Harvest(), _apart(locals()))


harvest = blocking(aharvest)


@takes_old_words(ReplicateSettings)
async def areplicate(
    url: str | Iterable[str],
    *,
    budget: str | int | Budget | None = None,
    types: str = "paper",
    seed: int = 0,
    out: str | Path | None = None,
    delay: float = POLITE_DELAY_S,
    parallel: int = 1,
    max_size: int | str = 0,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    depth: int = 0,
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
    return await start(Replicate(), _apart(locals()))


replicate = blocking(areplicate)


def _apart(keywords: dict[str, Any]) -> dict[str, Any]:
    """Return keywords with the first start URL, and the others, by the words of the settings."""
    urls = tuple(filter(None, texts(keywords["url"])))
    if not urls and not keywords.get("sites"):
        raise UserError("Where to start? Name a URL.")
    urls = urls or ("",)
    return {**keywords, "url": urls[0], "more_urls": urls[1:]}
