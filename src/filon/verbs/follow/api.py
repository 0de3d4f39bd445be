"""Follow Linked Data from seed URIs: `filon.follow` and `filon.afollow`."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Unpack

from filon.core import Budget, Strategy
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.follow import Follow, FollowSettings, Graphs, Stop, Within
from filon.verbs.follow.strategies import DEFAULT, Brief
from filon.verbs.follow.strategies.brief import ROLES, Role
from filon.verbs.keywords import NetworkOptions, takes_old_words
from filon.verbs.settings import POLITE_DELAY_S
from filon.verbs.start import start


@takes_old_words(FollowSettings)
async def afollow(
    seeds: str | Iterable[str],
    *,
    budget: str | int | Budget | None = None,
    strategy: str | Callable[[Brief], Strategy] = DEFAULT,
    follow: Iterable[Role] = ROLES,
    within: Within = "any",
    prefix: str | Iterable[str] = (),
    depth: int = 0,
    shortcuts: bool = True,
    stop: Stop = "auto",
    graphs: Graphs = "document",
    seed: int = 0,
    out: str | Path | None = None,
    delay: float = POLITE_DELAY_S,
    parallel: int = 1,
    per_host: int = 1,
    set: Mapping[str, str | float] | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Collect the RDF of the Linked Data web around seed URIs, with the fewest requests.

    seeds: one URI or several.
    budget: what may be spent, like "5000req,1GiB,2h,500finds"; a number is requests.
    strategy: a name, "package.module:Class", or the class itself, which is made from a `Brief`.
    follow: the places of a triple whose URIs are followed: "subject", "object", "predicate",
        "type".
    within: "any", or only the "domain" or the "host" of a seed.
    prefix: only URIs that begin so are followed.
    depth: how many documents away from a seed; 0: no bound.
    shortcuts: use catalogues, dumps, endpoints and links in headers.
    stop: "auto" ends when nothing is to be expected any more, "never" goes on to the last URI.
    graphs: what names the graphs of graph.nq: each "document", or "original", the names that
        documents give their graphs, where they do.
    seed: of the strategy's random choices.
    out: the folder to write, which must not exist; by default filon-runs/HOST-001 and so on.
    delay: seconds between requests to a host.
    parallel: requests in flight in all.
    per_host: requests in flight to one host.
    set: the strategy's own parameters.
    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    network: any of `filon.NetworkOptions`.

    Returns the run; its triples are beside it, a graph a document:

        run = filon.follow("http://dbpedia.org/resource/Quartz", budget=500)
        print(run.graph().path)
    """
    return await start(Follow(), locals())


follow = blocking(afollow)
