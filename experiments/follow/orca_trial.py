"""ORCA's measures: how much of each node type came, what was forbidden, which delays were kept."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from experiments.follow.orca import KINDS, Clock, OrcaWeb, Visit
from filon.core import Account, Budget, Find, Response, Step, Strategy, Web, drive
from filon.guards.robots import RobotsGuard
from filon.verbs.follow.rdf.dump import is_packed, read_packed
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.strategies import Brief, build
from filon.web.polite import Polite


class Harvest:
    """A Store that keeps the triples of what was found."""

    def __init__(self) -> None:
        self.triples: set[str] = set()
        self.requests = 0

    def begin(self, step: Step, number: int = 0) -> int:
        """Count a request."""
        self.requests += 1
        return self.requests

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Read what was found, as the output does."""
        if not finds:
            return
        mime = response.header("content-type")
        if is_packed(response.body):
            bounds = {"most_bytes": 100_000_000, "most": 1_000_000}
            document = read_packed(response.body, response.url, mime, **bounds)
        else:
            document = read(response.body, response.url, mime)
        self.triples.update(map(str, document.triples))

    def hold(self, number: int, response: Response) -> None:
        """There is no end of time here."""

    def commit(self) -> None:
        """Nothing has to last."""

    def checkpoint(self, strategy: Strategy) -> None:
        """Nothing to keep."""


@dataclass(slots=True)
class Outcome:
    """What a run came to.

    recall: by node type, the part of its triples that came, of all its nodes together (micro).
    macro: the mean over nodes. forbidden: requests that a robots.txt forbids.
    gaps: by host, the least time between two requests as a part of what its robots.txt asks for.
    """

    requests: int
    recall: dict[str, float] = field(default_factory=dict)
    macro: float = 0.0
    micro: float = 0.0
    forbidden: int = 0
    gaps: dict[str, float] = field(default_factory=dict)


def trial(web: OrcaWeb, strategy: str, *, seed: int = 0, budget: int = 5_000) -> Outcome:
    """Let a strategy follow an ORCA web in simulated time, through the wrappers of a real run."""
    polite = Polite(web, 0.0, clock=web.clock, wall=web.clock, sleep=web.clock.sleep)
    harvest = asyncio.run(follow(web.seeds, polite, strategy, seed=seed, budget=budget))
    return outcome(web, harvest, web.visits)


async def follow(
    seeds: tuple[str, ...],
    web: Web,
    strategy: str,
    *,
    seed: int = 0,
    budget: int = 5_000,
    parallel: int = 1,
) -> Harvest:
    """Let a strategy follow a web, with the permission that a real run needs."""
    inner = build(strategy, Brief(seeds=seeds, seed=seed))
    harvest, account = Harvest(), Account(Budget(requests=budget), parallel)
    try:
        await drive(RobotsGuard(inner, "filon"), web, account, harvest, parallel=parallel)
    finally:
        await web.close()
    return harvest


def outcome(web: OrcaWeb, harvest: Harvest, visits: Sequence[Visit]) -> Outcome:
    """Measure a run by what it brought and by what the nodes saw of it."""
    told = Outcome(harvest.requests, forbidden=sum(visit.forbidden for visit in visits))
    came = {node.number: len(node.triples & harvest.triples) for node in web.nodes}
    for kind in KINDS:
        nodes = [node for node in web.nodes if node.kind == kind]
        if nodes:
            whole = sum(len(node.triples) for node in nodes)
            told.recall[kind] = sum(came[node.number] for node in nodes) / whole
    told.micro = sum(came.values()) / sum(len(node.triples) for node in web.nodes)
    told.macro = sum(came[n.number] / len(n.triples) for n in web.nodes) / len(web.nodes)
    hosts = {node.root.partition("://")[2] for node in web.nodes}
    told.gaps = _gaps([one for one in visits if one.host in hosts], web.delay_s)
    return told


def _gaps(visits: Sequence[Visit], delay_s: float) -> dict[str, float]:
    """Return each host's least gap between two requests, its robots.txt among them."""
    times: dict[str, list[float]] = {}
    for visit in visits:
        times.setdefault(visit.host, []).append(visit.at_s)
    return {
        host: min(later - sooner for sooner, later in pairwise(seen)) / delay_s
        for host, seen in times.items()
        if len(seen) > 1 and delay_s
    }


__all__ = ["Clock", "Harvest", "Outcome", "follow", "outcome", "trial"]
