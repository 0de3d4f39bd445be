"""Strategies of all verbs, oracles too, and every guard, as cases."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any

from experiments.enrich import strategies as enriching
from experiments.follow import strategies as following
from filon.compare import oracles
from filon.core import Record, Request, Response, Strategy
from filon.core.portal import Dataset, File, Listing
from filon.guards.host_backoff import HostBackoff
from filon.guards.outage import OutageGuard
from filon.guards.quota import QuotaGuard
from filon.guards.retry import RetryGuard
from filon.guards.robots import RobotsGuard
from filon.run.history import Thing
from filon.testing import Case, discover_case, harvest_case
from filon.testing.case import answer, harvest_brief
from filon.testing.discovery import discover_brief
from filon.testing.site import CSV, HOST, ToySite
from filon.verbs.discover import strategies as discovery
from filon.verbs.enrich import strategies as enrichment
from filon.verbs.enrich.strategies.coverage import Recheck
from filon.verbs.follow.strategies import Brief, Candidate
from filon.verbs.harvest.portal import Enumerated
from filon.verbs.harvest.relisted import Before, Relisted
from filon.verbs.harvest.strategies import build
from filon.verbs.refresh.job import Taught
from filon.verbs.refresh.outlook import Known
from filon.verbs.refresh.revisit import Revisit
from toytable import ToyTable
from toyweb import SEED, ToyWeb
from unit.guards.meters import Toy

TRAINING = [
    (Candidate(uri=f"http://{host}.example/{n}", document="http://x.example/"), "text/plain", label)
    for n in range(5)
    for host, label in (("b", True), ("d", True), ("dead", False))
]


class Portal:
    """Takes the small site for a portal that lists two of its files."""

    name = "toy"

    def confirm(self, root: str) -> Request:
        return Request(url=f"{root}/topic/0?confirm")

    def confirmed(self, response: Response) -> str:
        return HOST if response.ok else ""

    def begin(self, base: str) -> Request:
        return Request(url=f"{base}/topic/0?list")

    def read(self, response: Response) -> Listing:
        if not response.ok:
            return Listing(problem="down")
        files = [File(url=f"{HOST}/files/0-{n}.csv", mime="text/csv") for n in range(2)]
        return Listing(datasets=(Dataset(id="1", url=f"{HOST}/set/0-0", files=tuple(files)),))


def portal(inner: Any) -> Strategy:
    """A guard that reads a portal's lists first."""
    return Enumerated(inner, inner.site, {"toy": Portal()}, lambda page: [("toy", HOST)])


def relisted(inner: Any) -> Strategy:
    """A guard that asks a portal what has changed."""
    listed = frozenset({f"{HOST}/files/0-0.csv"})
    known = Before(name="toy", base=HOST, since_s=1e9, listed=listed)
    return Relisted(inner, inner.site, {"toy": Portal()}, known)


class Doubting:
    """A matcher that is sure of no row before the second time that it sees its record."""

    def __init__(self, table: ToyTable) -> None:
        self.table = table
        self.doubts: dict[int, bool] = {}

    def rows(self, record: Record) -> list[int]:
        found = list(self.table.dataset.rows(record))
        self.doubts |= {row: row not in self.doubts for row in found}
        return found


def recheck(table: ToyTable) -> Strategy:
    """A guard that asks once more for rows in doubt."""
    matcher = Doubting(table)
    brief = replace(table.brief(), matcher=matcher)
    inner = enrichment.build("simple", brief)
    return Recheck(inner, table.hidden, matcher, brief.documents)


def revisit(inner: Strategy) -> Strategy:
    """A round: a file that is as it was, one that is not, one that is gone, and a page."""
    files = {f"{HOST}/files/0-0.csv": sha256(CSV + b"/set/0-0").hexdigest()}
    files |= dict.fromkeys((f"{HOST}/files/1-1.csv", f"{HOST}/files/none.csv"), "")
    things = [Thing(url=url, kind="file", at_s=1.0, sha256=held) for url, held in files.items()]
    things.append(Thing(url=f"{HOST}/topic/0", kind="page", at_s=1.0, weight=3.0))
    return Revisit(inner, Known(things=things, looks=(), now_s=1e9, pages=1))


def taught(inner: Strategy) -> Strategy:
    """A round that begins with what another had learnt from a first page."""

    def teach() -> None:
        learnt, web = build("sb", harvest_brief()), ToySite()
        if step := learnt.propose():
            learnt.observe(step, answer(web, step.request))
        inner.restore(learnt.state())

    return Taught(inner, teach)


#: Every guard, to stand round a strategy.
GUARDS: dict[str, Callable[[Strategy], Strategy]] = {
    "retry": RetryGuard,
    "robots": partial(RobotsGuard, agent="filon"),
    "retry+robots": lambda inner: RetryGuard(RobotsGuard(inner, agent="filon")),
    "host backoff": HostBackoff,
    "outage": OutageGuard,
    "quota": lambda inner: QuotaGuard(inner, Toy()),
    "portal": portal,
    "relisted": relisted,
    "revisit": revisit,
    "taught": taught,
}


def harvest(name: str) -> Case:
    """On a small site; strategies that know it beforehand, too, and guards round `sb`."""
    guard, _, inner = name.partition(": ")

    def make(web: Any, seed: int) -> Strategy:
        brief = harvest_brief(seed)
        return GUARDS[guard](build(inner, brief)) if inner else oracles.build(name, brief, web)

    # What a round looks at again, its strategy knows in a run; here it does not.
    return replace(harvest_case(f"{__name__}:harvest"), make=make, repeats=guard == "revisit")


def follow(name: str) -> Case:
    """On a small web of Linked Data."""

    def make(web: Any, seed: int) -> Strategy:
        return following.build(name, Brief(seeds=(SEED,), seed=seed), web, TRAINING)

    return Case(make=make, web=ToyWeb, ends=0)


#: Those of them that can draw their sample themselves.
DRAWING = [name for name, known in enrichment.OPTIONS.items() if "sample" in known]
RECHECK = "recheck: simple"
ENRICHING = (*enriching.NAMES, *(f"{name}, drawing" for name in DRAWING), "retry: simple", RECHECK)
#: What a service may say besides: words that fit its form, and hold nothing.
EMPTY = {
    "no such record": b'{"rows": [999999999], "page": 1, "more": false}',
    "no results": b'{"rows": [], "page": 1, "more": false, "total": 0}',
}


def enrich(name: str) -> Case:
    """On a small table and a service that holds most of it.

    The seed is the run's: it orders what is worth the same, and is no part of a state.
    """
    guard, _, inner = name.rpartition(": ")
    inner, _, drawing = inner.partition(", ")

    def make(table: Any, seed: int) -> Strategy:
        if name == RECHECK:
            return recheck(table)
        brief = table.brief(given=False, sample=12) if drawing else table.brief()
        built = enriching.build(inner, brief, table.truth)
        return GUARDS[guard](built) if guard else built

    return Case(
        make=make,
        web=ToyTable,
        small=partial(ToyTable, rows=8, hidden=16),
        wrong={kind: {"status": 200, "body": body} for kind, body in EMPTY.items()},
        brings=lambda response: False,
        # Algorithm 3 asks again; what a recheck asks again is at hand in the cache.
        repeats=inner == "bound" or name == RECHECK,
        ends=1500,
        at_once=10,
        retries=True,
    )


def modes(name: str) -> tuple[str, ...]:
    """The modes of a strategy that discovers; none where it has no such option."""
    made: Any = discovery.STRATEGIES[name]
    return tuple(made.modes)


#: A strategy that discovers, with each of its modes.
DISCOVERING = [
    f"{name} {mode}".strip() for name in discovery.STRATEGIES for mode in modes(name) or ("",)
]


def discover(kind: str) -> Case:
    """On a small web with a search service, and another that always wants to see a person."""
    name, _, mode = kind.partition(" ")

    def make(web: Any, seed: int) -> Strategy:
        brief = discover_brief(seed)
        return discovery.build(name, replace(brief, options={"mode": mode} if mode else {}))

    return replace(discover_case(f"{__name__}:discover"), make=make)


#: By name, as "VERB NAME".
CASES = [
    *(f"harvest {name}" for name in (*oracles.NAMES, *(f"{guard}: sb" for guard in GUARDS))),
    *(f"follow {name}" for name in following.NAMES),
    *(f"enrich {name}" for name in ENRICHING),
    *(f"discover {kind}" for kind in DISCOVERING),
]


def case(name: str) -> Case:
    """Return a case by its name."""
    verb, _, strategy = name.partition(" ")
    makers = {"harvest": harvest, "follow": follow, "enrich": enrich, "discover": discover}
    return replace(makers[verb](strategy), again=(f"{__name__}:case", name))
