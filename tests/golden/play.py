"""The runs whose steps are held. What the golden tests know of Filon's inside is imported here.

On the bundled small web whole runs are made as a user makes them, over loopback, with all guards.
On recorded sites a strategy is driven in process, in the guards of a real run; where the web
fails on purpose (`Timed`), the guards have something to do. There is no clock but that of the
web, and no chance but that of the seed.
"""

import asyncio
import contextlib
import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import filon
from experiments.discover.known import searchers
from experiments.discover.web import DiscoverWeb
from experiments.enrich.datasets import Dataset, Wish, load
from experiments.enrich.hidden import Hidden
from experiments.enrich.strategies import build as build_enrich
from experiments.enrich.trial import Known
from experiments.follow.labelled import labelled
from experiments.follow.strategies import build as build_follow
from experiments.follow.web import LodWeb
from filon.cli import run as command
from filon.compare.oracles import build as build_oracle
from filon.compare.replica import BEGAN_S, Replica
from filon.core import Account, Budget, Find, Request, Response, Step, Strategy, drive
from filon.demo.country import SEARCH, TOPIC, truth
from filon.demo.library import SOURCE
from filon.demo.library.reading_list import reading_list
from filon.demo.linked import SEED
from filon.demo.portal import START
from filon.demo.server import Server, serving
from filon.guards.stack import guarded
from filon.page.types import Types
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.services.calls import HeaderMeter
from filon.services.shape import Limits as Allowed
from filon.verbs.discover.strategies import Brief as DiscoverBrief
from filon.verbs.discover.strategies import Limits
from filon.verbs.discover.strategies import build as build_discover
from filon.verbs.enrich.strategies import Brief as EnrichBrief
from filon.verbs.follow.strategies import Brief as FollowBrief
from filon.verbs.harvest import HarvestSettings, Stop
from filon.verbs.harvest.job import HarvestJob
from filon.verbs.harvest.strategies import Brief as HarvestBrief
from filon.verbs.refresh.session import refresh

if TYPE_CHECKING:
    from golden.trace import Trace

__all__ = [
    "DEMO", "RECORDED", "SEARCH", "SEED", "SOURCE", "START", "TOPIC", "Find", "Response", "Server",
    "Step", "command", "demo", "filon", "reading_list", "recorded", "serving",
]  # fmt: skip

#: Steps of a run; beyond, strategies do what they did before.
MOST = 300
AGENT = "filon-golden"

# Runs on the small web: verb, strategy, and what is asked for beside it.
DEMO: dict[str, dict[str, Any]] = {
    "harvest/demo/vein": {},
    "harvest/demo/vein never stops": {"stop": "never", "budget": "500req"},
    "harvest/demo/vein saves bytes": {"budget": "300KiB"},
    "harvest/demo/vein without portals": {"portals": False, "types": "data,pdf"},
    "harvest/demo/sb": {"seed": 3},
    "harvest/demo/sb stops as in the paper": {"stop": "paper"},
    "harvest/demo/focused": {},
    "harvest/demo/bfs": {},
    "harvest/demo/dfs": {"robots": False},
    "harvest/demo/random": {"seed": 3},
    "follow/demo/lode": {},
    "follow/demo/lode without shortcuts": {"shortcuts": False, "follow": ("object", "type")},
    "follow/demo/ldcoc": {},
    "follow/demo/bfs": {},
    "follow/demo/heuristic": {},
    "discover/demo/scout": {},
    "discover/demo/scout from examples": {"topic": "", "examples": 3},
    "discover/demo/dsdd": {},
    "discover/demo/disco": {},
    "discover/demo/seedfinder": {"examples": 6},
    "discover/demo/ache": {"examples": 6},
    "enrich/demo/prospect": {},
    "enrich/demo/smartcrawl-b": {"set": {"sample": "5"}},
    "enrich/demo/smartcrawl-u": {"set": {"sample": "5"}},
    "enrich/demo/simple": {},
    "enrich/demo/bound": {},
    "enrich/demo/full": {"set": {"sample": "5"}},
    "enrich/demo/full-adaptive": {},
    "enrich/demo/naive": {},
    "refresh/demo/revisit": {},
    "refresh/demo/revisit of linked data": {"of": "follow"},
}


def demo(name: str, folder: Path, trace: "Trace") -> None:
    """Make a run on the small web. folder: an empty one."""
    asyncio.run(_demo(name, folder, trace))


async def _demo(name: str, folder: Path, trace: "Trace") -> None:
    verb, _, words = name.split("/")
    wishes = {"strategy": words.split()[0], "budget": f"{MOST}req", **DEMO[name]}
    async with Server() as server:
        wishes |= {"out": folder / "run", "delay": 0, "connect_to": (server.connect_to,)}
        run = await _VERBS[verb](wishes, folder, trace)
        trace.stopped = run.stopped
        run.close()


async def _harvest(wishes: dict[str, Any], folder: Path, trace: "Trace") -> filon.Run:
    return await filon.aharvest(START, watch=trace.watch, **wishes)


async def _refresh(wishes: dict[str, Any], folder: Path, trace: "Trace") -> filon.Run:
    """Make a run, and look again some days later: the clock is set."""
    verb = wishes.pop("of", "harvest")
    began = {"strategy": "lode" if verb == "follow" else "vein", "budget": "200req"}
    (await _VERBS[verb](wishes | began, folder, type(trace)())).close()
    run, later_s = folder / "run", 3 * 86_400.0
    with contextlib.closing(sqlite3.connect(run / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE steps SET at_s = ? + step", (BEGAN_S,))
    words = {"at": BEGAN_S + later_s, "pages": 0.5, "budget": "120req", "seed": 3, "delay": 0}
    return filon.open_run(await refresh(run, words, watch=trace.watch))


async def _follow(wishes: dict[str, Any], folder: Path, trace: "Trace") -> filon.Run:
    return await filon.afollow(SEED, watch=trace.watch, **wishes)


async def _discover(wishes: dict[str, Any], folder: Path, trace: "Trace") -> filon.Run:
    water = sorted(name for name, subject in truth().items() if subject == "water")
    seeds = [f"http://{name}/" for name in water[: wishes.pop("examples", 0)]]
    return await filon.adiscover(
        wishes.pop("topic", TOPIC),
        seeds=seeds,
        search=f"searxng:url={SEARCH},rate=500/s",
        cache=str(folder / "answers.sqlite"),
        watch=trace.watch,
        **(wishes | {"budget": "150req"}),
    )


async def _enrich(wishes: dict[str, Any], folder: Path, trace: "Trace") -> filon.Run:
    (folder / "books.csv").write_text(reading_list(), "utf-8")
    (folder / "library.toml").write_text(SOURCE, "utf-8")
    return await filon.aenrich(
        folder / "books.csv",
        source=folder / "library.toml",
        match="title,authors",
        add="year,publisher,isbn",
        cache=str(folder / "answers.sqlite"),
        watch=trace.watch,
        **(wishes | {"budget": "80req"}),
    )


_VERBS = {
    "harvest": _harvest,
    "refresh": _refresh,
    "follow": _follow,
    "discover": _discover,
    "enrich": _enrich,
}


# Runs on recorded sites and tables, and on webs that are made of real pages.


class Answering(Protocol):
    """Whatever answers without waiting."""

    def answer(self, request: Request) -> Response:
        """Answer a request."""


class Timed:
    """A web with a clock of its own: a second a request, and it waits where it is told to.

    faulty: one URL in twelve fails at first: 503, 429 with a time to wait, or a lost connection.
    """

    def __init__(self, web: Answering, *, faulty: bool = False) -> None:
        self._web = web
        self._faulty = faulty
        self._now_s = 1_750_000_000.0
        self._failed: set[str] = set()

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        self._now_s = max(self._now_s, request.not_before_s) + 1
        response = replace(self._web.answer(request), at_s=self._now_s, took_s=0.25)
        lot = hashlib.sha256(request.url.encode()).digest()[0]
        if not self._faulty or lot >= 21 or request.url in self._failed:
            return response
        self._failed.add(request.url)
        bare = Response(url=request.url, at_s=self._now_s, took_s=0.25)
        if lot % 3 == 0:
            return replace(bare, error="closed")
        return replace(bare, status=503 if lot % 3 == 1 else 429, headers=(("Retry-After", "40"),))

    async def close(self) -> None:
        """Nothing is open."""


class Nothing:
    """A store that keeps nothing."""

    def __init__(self) -> None:
        self._steps = 0

    def begin(self, step: Step, number: int = 0) -> int:
        """Number a step."""
        self._steps += 1
        return number or self._steps

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Keep no answer."""

    def hold(self, number: int, response: Response) -> None:
        """There is no end of time here."""

    def commit(self) -> None:
        """Nothing has to last."""

    def checkpoint(self, strategy: Strategy) -> None:
        """Keep no state."""


def _drive(
    trace: "Trace",
    strategy: Strategy,
    web: Answering,
    most: int = MOST,
    parallel: int = 1,
    faulty: bool = False,
) -> None:
    account = Account(Budget(requests=most), parallel)
    timed = Timed(web, faulty=faulty)
    trace.stopped = asyncio.run(
        drive(strategy, timed, account, Nothing(), parallel=parallel, watch=trace.watch)
    )


@cache
def _site(shared: Path, name: str) -> Replica:
    return Replica.open(shared / f"data/harvest/replicas/{name}.sqlite")


def _harvest_site(
    site: str, strategy: str, *, seed: int = 0, stop: Stop = "auto", **how: Any
) -> "Play":
    """Harvest a recorded site in all guards."""

    def play(shared: Path, trace: "Trace") -> None:
        web = _site(shared, site).fresh()
        settings = HarvestSettings(
            url=web.start, types="paper", strategy=strategy, seed=seed, stop=stop, delay=0.0
        )
        _drive(trace, HarvestJob(settings).strategy, web, **how)

    return play


def _know_site(site: str, strategy: str) -> "Play":
    """Harvest a recorded site with a strategy that must know it."""

    def play(shared: Path, trace: "Trace") -> None:
        web = _site(shared, site).fresh()
        types = Types.parse("paper")
        brief = HarvestBrief(start=web.start, types=types, stop="never")
        _drive(trace, build_oracle(strategy, brief, web), web)

    return play


@cache
def _linked(shared: Path) -> LodWeb:
    return LodWeb(shared / "data/follow", seed=1, hosts=100, things=800)


@cache
def _school(shared: Path) -> Sequence[Any]:
    """Return what the strategies that must be taught learn from: another web."""
    school = LodWeb(shared / "data/follow", seed=1001, hosts=60, things=500, part="tune")
    return labelled(school, 1, 400)


class _Sized:
    """A Linked Data web whose documents are as long every time.

    Their blank nodes have names that are drawn, and some of these are shorter than others.
    """

    def __init__(self, web: LodWeb) -> None:
        self._web = web

    def answer(self, request: Request) -> Response:
        """Answer a request; the names of blank nodes do not count."""
        response = self._web.answer(request)
        size = len(re.sub(rb"[0-9a-f]{24,}", b"", response.body))
        return replace(response, size_bytes=size, wire_bytes=size)


def _follow_web(strategy: str, **how: Any) -> "Play":
    """Follow Linked Data in all guards."""

    def play(shared: Path, trace: "Trace") -> None:
        web = _linked(shared)
        training = _school(shared) if strategy.startswith("offline") else ()
        brief = FollowBrief(seeds=tuple(web.seeds(20, 1)), seed=1, calls=MOST)
        chosen = build_follow(strategy, brief, web, training)
        kept = guarded(chosen, robots=AGENT, retries=2, retry_s=0.0, host_backoff=True)
        _drive(trace, kept, _Sized(web), **how)

    return play


@cache
def _pages(shared: Path) -> DiscoverWeb:
    return DiscoverWeb(shared / "data", 1)


def _discover_web(strategy: str, *, most: int = 200, faulty: bool = False) -> "Play":
    """Discover repositories in all guards, or with examples sites of a kind."""

    def play(shared: Path, trace: "Trace") -> None:
        web = _pages(shared)
        web.renew()
        name, _, more = strategy.partition(" ")
        asked = searchers(web.registry if name == "scout" else None)
        examples = sorted(url for urls in web.labelled("course").values() for url in urls)
        taught = name in ("seedfinder", "ache", "bipartite") or bool(more)
        brief = DiscoverBrief(
            topic="course" if taught else "health",
            seeds=tuple(examples[::40]) if taught else (),
            searchers=asked,
            seed=1,
            limits=Limits(k=5, terms=5, keyword=20, related=20, backlinks=5, links=10, pages=most),
            sites="host",
            calls=most,
            portals=ADAPTERS,
            recognise=lambda response: places(guess(response)),
        )
        called: list[Any] = [one for one in asked if hasattr(one, "meter")]
        meters = {one.origin: one.meter for one in called}
        kept = guarded(
            build_discover(name, brief),
            robots=AGENT,
            unasked=["search"],
            retries=2,
            retry_s=0.0,
            host_backoff=True,
            questions=["search"],
            quota=meters,
            calls=["search", "retry"],
        )
        _drive(trace, kept, web, most, faulty=faulty)

    return play


@cache
def _tables(shared: Path) -> tuple[Dataset, Hidden]:
    dataset = load(shared / "data/enrich", Wish(table="dblp-scholar"))
    return dataset, Hidden(dataset.hidden, page_size=50)


class _Asked:
    """A hidden table that answers without waiting."""

    def __init__(self, hidden: Hidden) -> None:
        self._hidden = hidden

    def answer(self, request: Request) -> Response:
        """Answer as the table does, which never waits."""
        fetching = self._hidden.fetch(request)
        try:
            fetching.send(None)
        except StopIteration as done:
            response: Response = done.value
            return response
        raise AssertionError("it waits")


def _enrich_table(strategy: str, *, joins: str = "and", faulty: bool = False) -> "Play":
    """Enrich a table whose matches are known, with patience and within a quota."""

    def play(shared: Path, trace: "Trace") -> None:
        dataset, hidden = _tables(shared)
        hidden.joins = joins
        brief = EnrichBrief(
            columns=dataset.columns,
            provider=hidden,
            matcher=dataset,
            seed=1,
            calls=100,
            sample=dataset.sample(0.005, 1),
        )
        chosen = build_enrich(strategy, brief, Known(hidden, dataset))
        allowed = Allowed(rate="2/s", quota="60/h")
        meter = HeaderMeter(
            "hidden", allowed, lambda response: (hidden.parse(response).problem, "")
        )
        kept = guarded(chosen, retries=2, retry_s=0.0, quota=meter)
        _drive(trace, kept, _Asked(hidden), 100, faulty=faulty)

    return play


Play = Callable[[Path, "Trace"], None]


def _recorded() -> Iterator[tuple[str, Play]]:
    for site in ("ipho", "armdata"):
        yield f"harvest/{site}/vein", _harvest_site(site, "vein", most=1_000)
        yield f"harvest/{site}/sb", _harvest_site(site, "sb", seed=3)
    yield "harvest/ipho/sb stops", _harvest_site("ipho", "sb", stop="paper", most=1_000)
    yield "harvest/ipho/vein never stops", _harvest_site("ipho", "vein", stop="never", most=1_000)
    yield "harvest/armdata/vein parallel", _harvest_site("armdata", "vein", parallel=4)
    yield "harvest/armdata/vein faulty", _harvest_site("armdata", "vein", faulty=True)
    yield "harvest/armdata/sb faulty", _harvest_site("armdata", "sb", faulty=True)
    for name in ("focused", "bfs", "dfs", "random"):
        yield f"harvest/armdata/{name}", _harvest_site("armdata", name, seed=3)
    for name in ("sb-oracle", "omniscient", "clairvoyant", "tp-off"):
        yield f"harvest/ipho/{name}", _know_site("ipho", name)
    for name in ("lode", "ldcoc", "bfs", "heuristic", "oracle"):
        yield f"follow/graphs/{name}", _follow_web(name)
    for name in ("offline-svm", "offline-knn", "offline-nb"):
        yield f"follow/graphs/{name}", _follow_web(name)
    yield "follow/graphs/lode parallel", _follow_web("lode", parallel=4)
    yield "follow/graphs/lode faulty", _follow_web("lode", faulty=True)
    yield "follow/graphs/ldcoc faulty", _follow_web("ldcoc", faulty=True)
    for name in ("scout", "dsdd", "disco", "seedfinder", "bipartite", "ache"):
        yield f"discover/pages/{name}", _discover_web(name)
    yield "discover/pages/scout from examples", _discover_web("scout from examples")
    yield "discover/pages/disco from examples", _discover_web("disco from examples")
    yield "discover/pages/scout faulty", _discover_web("scout", faulty=True)
    yield "discover/pages/dsdd faulty", _discover_web("dsdd", faulty=True)
    names = ("prospect", "smartcrawl-b", "smartcrawl-u", "simple", "bound", "full")
    for name in (*names, "full-adaptive", "naive", "ideal"):
        yield f"enrich/papers/{name}", _enrich_table(name)
    yield "enrich/papers/prospect any word", _enrich_table("prospect", joins="or")
    yield "enrich/papers/prospect faulty", _enrich_table("prospect", faulty=True)
    yield "enrich/papers/simple faulty", _enrich_table("simple", faulty=True)


#: Runs on what is recorded, by name: verb, where, strategy.
RECORDED: dict[str, Play] = dict(_recorded())


def recorded(name: str, shared: Path, trace: "Trace") -> None:
    """Make a run on what is recorded."""
    RECORDED[name](shared, trace)
