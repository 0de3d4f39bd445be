"""Follow Linked Data from seed URIs: `filon.follow` and `filon.afollow`."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.follow import Follow
from filon.verbs.follow.rdf.mentions import ROLES
from filon.verbs.follow.settings import FollowSettings
from filon.verbs.follow.strategies import DEFAULT
from filon.verbs.keywords import takes_old_words
from filon.verbs.start import start


@takes_old_words(FollowSettings)
async def afollow(
    seeds: str | Iterable[str],
    *,
    budget: str | int | Budget | None = None,
    strategy: str = DEFAULT,
    follow: Sequence[str] = ROLES,
    within: str = "any",
    prefix: str | Sequence[str] = (),
    depth: int = 0,
    shortcuts: bool = True,
    stop: str = "auto",
    seed: int = 0,
    out: str | Path | None = None,
    delay: float = 1.0,
    parallel: int = 1,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **more: Any,
) -> Run:
    """Collect the RDF of the Linked Data web around seed URIs, with the fewest requests.

    seeds: one URI or several.
    budget: what may be spent, like "5000req,1GiB,2h,500finds"; a number is requests.
    follow: the places of a triple whose URIs are followed: "subject", "object", "predicate",
        "type".
    within: "any", or only the "domain" or the "host" of a seed; prefix: only URIs that begin so.
    depth: how many documents away from a seed; 0: no bound.
    shortcuts: use catalogues, dumps, endpoints and links in headers.
    stop: "auto" ends when nothing is to be expected any more, "never" goes on to the last URI.
    out: the folder to write, which must not exist; by default filon-runs/HOST-001 and so on.
    parallel: requests in flight in all; a host gets one at a time.
    more: any other field of `filon.verbs.follow.settings.FollowSettings`.

    Returns the run; its triples are beside it, a graph a document:

        run = filon.follow("http://dbpedia.org/resource/Quartz", budget=500)
        print(run.path / "graph.nq")
    """
    settings = FollowSettings(
        seeds=(seeds,) if isinstance(seeds, str) else tuple(seeds),
        budget="" if budget is None else str(budget),
        strategy=strategy,
        follow=tuple(follow),
        within=within,
        prefix=(prefix,) if isinstance(prefix, str) else tuple(prefix),
        depth=depth,
        shortcuts=shortcuts,
        stop=stop,
        seed=seed,
        delay=delay,
        parallel=parallel,
        **more,
    )
    return await start(Follow(), settings, out, halt, watch)


follow = blocking(afollow)
