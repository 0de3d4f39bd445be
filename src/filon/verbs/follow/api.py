"""Follow Linked Data from seed URIs: `filon.follow` and `filon.afollow`."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import Budget, Find, Response, Step, Strategy, UserError, Web
from filon.core.abilities import CountsTriples, able
from filon.core.loop import Watch
from filon.guards.host_backoff import HostBackoff
from filon.guards.retry import RetryGuard
from filon.guards.robots import RobotsGuard
from filon.page.url import host, parse
from filon.run.folder import Run
from filon.run.report import write_report
from filon.run.text import counted
from filon.verbs import network
from filon.verbs.blocking import blocking
from filon.verbs.follow.first_seed import FirstSeed
from filon.verbs.follow.graph import write_graph
from filon.verbs.follow.rdf.mentions import ROLES
from filon.verbs.follow.settings import FollowSettings
from filon.verbs.follow.strategies import DEFAULT, Brief, Scope, build
from filon.verbs.look import open_run
from filon.verbs.outage import Blackout
from filon.verbs.place import discard, place
from filon.verbs.session import all_of, see_through, take_up
from filon.web.live import Live
from filon.web.polite import Polite

#: A document is read whole: what strategies ask for is not longer. A dump beyond is a file.
MEMORY_BYTES = 64 * 1024 * 1024


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
    delay_s: float = 1.0,
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
    trail = FollowSettings(
        seeds=(seeds,) if isinstance(seeds, str) else tuple(seeds),
        budget="" if budget is None else str(budget),
        strategy=strategy,
        follow=tuple(follow),
        within=within,
        prefixes=(prefix,) if isinstance(prefix, str) else tuple(prefix),
        depth=depth,
        shortcuts=shortcuts,
        stop=stop,
        seed=seed,
        delay_s=delay_s,
        parallel=parallel,
        **more,
    )
    return await start(trail, place(out, trail.url), halt, watch)


follow = blocking(afollow)


def brief_of(trail: FollowSettings) -> Brief:
    """Return what the strategy is asked to do."""
    return Brief(
        seeds=trail.seeds,
        seed=trail.seed,
        roles=trail.follow,
        scope=Scope(within=trail.within, prefixes=trail.prefixes, depth=trail.depth),
        calls=trail.bound().requests,
        shortcuts=trail.shortcuts,
        stop=trail.stop,
        options=trail.options,
    )


def dressed(chosen: Strategy, trail: FollowSettings) -> Strategy:
    """Return a strategy that obeys robots.txt, is patient, and lets hosts rest that ask for it."""
    if trail.robots:
        chosen = RobotsGuard(chosen, network.agent(trail))
    return HostBackoff(RetryGuard(chosen, 1 + trail.retries, base_s=trail.delay_s))


def web_of(trail: FollowSettings, spool_dir: Path) -> Web:
    """Return the live web: only hosts of seeds may have a private address."""
    options = replace(
        network.live_options(trail, trail.url, spool_dir),
        allow_hosts=tuple(dict.fromkeys(host(parse(seed)) for seed in trail.seeds)),
        memory_bytes=MEMORY_BYTES,
        connections_per_host=trail.per_host,
    )
    return Polite(Live(options), delay_s=trail.delay_s, per_host=trail.per_host)


async def start(
    trail: FollowSettings,
    folder: Path,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Begin a run and see it through; where no seed has RDF, leave nothing behind."""
    chosen = build(trail.strategy, brief_of(trail))
    web = web_of(trail, folder / "spool")
    run = Run.create(folder, trail.config())
    first = FirstSeed(trail.seeds)
    try:
        stopped = await _sit(run, trail, chosen, web, halt, all_of(first.watch, watch))
        complaint = first.complaint() if stopped == "exhausted" else ""
        if complaint:
            raise UserError(complaint)
    except UserError:
        discard(folder)
        raise
    return open_run(folder)


async def go_on(
    folder: Path,
    trail: FollowSettings,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Take a run up where it was left and see it through."""
    chosen = build(trail.strategy, brief_of(trail))
    web = web_of(trail, folder / "spool")
    run = await take_up(folder, trail, web)
    await _sit(run, trail, chosen, web, halt, watch)
    return open_run(folder)


async def _sit(
    run: Run,
    trail: FollowSettings,
    chosen: Strategy,
    web: Web,
    halt: asyncio.Event | None,
    watch: Watch | None,
) -> str:
    """See a sitting through; what was fetched is written as N-Quads, also after a failure."""
    watches = all_of(Blackout().watch, _telling(run, chosen, watch))
    strategy = dressed(chosen, trail)
    return await see_through(run, trail, strategy, web, halt=halt, watch=watches, wrap_up=wrap_up)


def wrap_up(run_path: Path) -> None:
    """Write what a run has brought, from its archive: it can be done again at any time."""
    write_graph(run_path)
    write_report(run_path)


def _telling(run: Run, chosen: Strategy, watch: Watch | None) -> Watch | None:
    """Return a watch that is told how many triples there are, and from how many hosts."""
    if watch is None:
        return None
    hosts = {host(find.url) for find in run}
    counter = able(chosen, CountsTriples)

    def tell(step: Step, response: Response, finds: Sequence[Find]) -> None:
        hosts.update(host(find.url) for find in finds)
        triples = counter.triples if counter else 0
        parts = [counted(triples, "triple"), counted(len(hosts), "host"), step.reason.outlook]
        reason = replace(step.reason, outlook=" · ".join(filter(None, parts)))
        watch(replace(step, reason=reason), response, finds)

    return tell
