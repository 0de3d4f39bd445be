"""What the store of a fleet bears: a million sites listed, leased and finished on PostgreSQL.

python -m experiments.fleet_store [--sites 1000000] [--workers 16] [--open 32] [--store ADDRESS]

The statements are those of real workers, in their order, on a server with default durability; the
web is left out. A turn stands for TURN_S seconds, in which a worker has --open sites at work at one
request a second each; where one ends, another follows that was leased before. Sites are invented:
their sizes are log-normal, four of ten lie at an address that serves others, too, and one of twenty
requests brings a file. Workers are tasks of as many processes as there are cores.
"""

import argparse
import asyncio
import json
import math
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from experiments.postgresql import DURABLE, serving
from filon.core import Budget
from filon.fleet.model import Commit, Figures, Grant, Lease, Site
from filon.fleet.sql import SqlStore
from filon.fleet.store import open_store

#: What a worker tells together.
TURN_S = 20
#: Requests of a site: the median, and the spread of the logarithm; the mean is 20.
MEDIAN, SPREAD = 9.0, 1.26
#: Sites at shared addresses, and how many of these there are; the first have most.
SHARED, ADDRESSES = 0.4, 20_000
FIND_EVERY = 20
#: Sites that are leased for each that is at work.
AHEAD = 3


def sites(count: int) -> Iterator[Site]:
    """Yield invented sites; only their workers know how many pages and which address each has."""
    for number in range(count):
        name = f"site-{number:07}.test"
        yield Site(name=name, url=f"https://{name}/", host=name, promise=1.0)


def size(number: int) -> int:
    """Return how many requests a site takes."""
    drawn = random.Random(f"size {number}").gauss(math.log(MEDIAN), SPREAD)
    return max(1, min(2000, round(math.exp(drawn))))


def address(number: int) -> str:
    """Return the address of a site: one of 350 is at the most crowded."""
    rng = random.Random(f"address {number}")
    if rng.random() > SHARED:
        return f"own-{number}"
    return f"shared-{int(ADDRESSES * rng.random() ** 2)}"


@dataclass
class Told:
    """What workers have measured."""

    ended: int = 0
    requests: int = 0
    statements: int = 0
    given_back: int = 0
    idle_turns: int = 0
    lease_ms: list[float] = field(default_factory=list)
    commit_ms: list[float] = field(default_factory=list)


@dataclass
class Held:
    """A site that a worker has."""

    lease: Lease
    left: int
    requests: int = 0
    finds: int = 0


class Worker:
    """Asks a store what a real worker does, and the web nothing."""

    def __init__(self, name: str, store: SqlStore, hold: int, told: Told) -> None:
        self._name, self._store, self._hold, self._told = name, store, hold, told
        self._held: dict[str, Held] = {}
        self._allowed = 0

    async def run(self, until_s: float) -> None:
        """Work until nothing is left, or that time has come."""
        await self._store.join(self._name)
        while time.monotonic() < until_s:
            orders = await self._store.beat(self._name, Figures(sites=len(self._held)))
            if orders.over:
                break
            await self._fill()
            if not self._held:
                self._told.idle_turns += 1
                await asyncio.sleep(1.0)  # what is left waits for sites of other workers
                continue
            await self._turn()
        await self._store.leave(self._name)

    async def _fill(self) -> None:
        room = AHEAD * self._hold - len(self._held)
        if room <= 0:
            return
        began_s = time.perf_counter()
        leases = await self._store.lease(self._name, room, [*self._held])
        self._told.lease_ms.append(1000 * (time.perf_counter() - began_s))
        new = {lease.site.name: lease for lease in leases if not lease.site.address}
        kept = {lease.site.name for lease in leases}
        if new:
            known = {name: address(_number(name)) for name in new}
            kept -= set(new) - await self._store.place(self._name, known)
        self._told.given_back += len(leases) - len(kept)
        for lease in leases:
            if lease.site.name in kept:
                number = _number(lease.site.name)
                self._held[lease.site.name] = Held(lease, size(number) - lease.requests)

    async def _turn(self) -> None:
        wanted = self._hold * TURN_S
        if self._allowed < wanted:
            grant: Grant = await self._store.draw(self._name, 2 * wanted)
            self._allowed += grant.requests or 0
        waiting, worked = iter([*self._held.values()]), list[Held]()
        for _ in range(self._hold):
            left = TURN_S  # one place: a site, and others after it where that ends
            while left and (held := next(waiting, None)):
                left -= self._send(held, left)
                worked.append(held)
        await self._tell(worked)

    def _send(self, held: Held, most: int) -> int:
        sent = min(most, held.left, self._allowed)
        self._allowed -= sent
        held.left -= sent
        held.requests += sent
        self._told.requests += sent
        return sent

    async def _tell(self, worked: list[Held]) -> None:
        commits = [self._commit(held) for held in worked]
        began_s = time.perf_counter()
        heard = await self._store.commit(self._name, commits)
        self._told.commit_ms.append(1000 * (time.perf_counter() - began_s))
        if len(heard) < len(commits):
            raise RuntimeError("a lease was lost")
        ended = [name for name, held in self._held.items() if not held.left]
        for name in ended:
            del self._held[name]
        self._told.ended += len(ended)

    def _commit(self, held: Held) -> Commit:
        found = held.requests // FIND_EVERY
        rows = [_find(number) for number in range(held.finds, found)]
        held.finds = found
        return Commit(
            site=held.lease.site.name,
            epoch=held.lease.epoch,
            piece=held.requests,
            piece_epoch=held.lease.epoch,
            requests=held.requests,
            bytes=50_000 * held.requests,
            finds=held.finds,
            cpu_s=0.005 * held.requests,
            stored_bytes=40_000 * held.requests,
            expected=1.0 / (1 + held.requests),
            state="" if held.left else "exhausted",
            rows=rows,
        )


def _number(name: str) -> int:
    return int(name.removeprefix("site-").removesuffix(".test"))


def _find(number: int) -> dict[str, Any]:
    return {
        "find": number + 1,
        "step": number * FIND_EVERY + 1,
        "kind": "file",
        "url": f"https://example.test/data/{number}.csv",
        "name": f"{number}.csv",
        "mime": "text/csv",
        "parent": "https://example.test/data/",
        "size_bytes": 50_000,
        "sha256": f"{number:064x}",
        "at_s": 0.0,
        "link_text": f"Table {number}",
        "page_title": "Data",
        "headings": "Data > Tables",
    }


async def _work(store_address: str, names: list[str], hold: int, most_s: float) -> Told:
    told = Told()
    stores = [await open_store(store_address) for _ in names]
    workers = [
        Worker(name, store, hold, told)
        for name, store in zip(names, stores, strict=True)
        if isinstance(store, SqlStore)
    ]
    await asyncio.gather(*(worker.run(time.monotonic() + most_s) for worker in workers))
    told.statements = sum(store.statements for store in stores)
    for store in stores:
        await store.close()
    return told


def work(store_address: str, names: list[str], hold: int, most_s: float) -> Told:
    """Have workers in this process."""
    return asyncio.run(_work(store_address, names, hold, most_s))


async def _listed(store_address: str, count: int) -> float:
    store = await open_store(store_address)
    await store.create({}, Budget.parse(f"{100 * count}"))
    began_s = time.perf_counter()
    assert await store.add(sites(count)) == count  # noqa: S101
    took_s = time.perf_counter() - began_s
    await store.close()
    return took_s


async def _looked(store_address: str) -> dict[str, Any]:
    store = await open_store(store_address)
    began_s = time.perf_counter()
    overview = await store.overview()
    took_s = time.perf_counter() - began_s
    assert isinstance(store, SqlStore)  # noqa: S101
    rows = await store.db.ask(
        "SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class"
        " WHERE relkind = 'r' AND relname IN ('sites', 'finds', 'holds', 'events', 'workers')"
    )
    await store.close()
    return {
        "states": dict(overview.states),
        "requests": overview.requests,
        "overview_s": round(took_s, 3),
        "bytes": {row["name"]: row["bytes"] for row in rows},
    }


def measure(
    store_address: str, count: int, workers: int, hold: int, most_s: float = math.inf
) -> dict[str, Any]:
    """List, lease and finish sites; return the figures."""
    listed_s = asyncio.run(_listed(store_address, count))
    cores = min(workers, os.cpu_count() or 1)
    names = [[f"w{number}" for number in range(core, workers, cores)] for core in range(cores)]
    began_s = time.perf_counter()
    with ProcessPoolExecutor(cores) as pool:
        tolds = list(
            pool.map(work, [store_address] * cores, names, [hold] * cores, [most_s] * cores)
        )
    took_s = time.perf_counter() - began_s
    total = Counter[str]()
    for told in tolds:
        for name in ("ended", "requests", "statements", "given_back", "idle_turns"):
            total[name] += getattr(told, name)
    leases = sorted(ms for told in tolds for ms in told.lease_ms)
    commits = sorted(ms for told in tolds for ms in told.commit_ms)
    return {
        "sites": count,
        "workers": workers,
        "listed_a_s": round(count / listed_s),
        "finished_a_s": round(total["ended"] / took_s),
        "listed_and_finished_a_s": round(total["ended"] / (took_s + listed_s)),
        "requests_a_statement": round(total["requests"] / total["statements"], 1),
        **total,
        "lease_ms": {"p50": _part(leases, 0.5), "p99": _part(leases, 0.99)},
        "commit_ms": {"p50": _part(commits, 0.5), "p99": _part(commits, 0.99)},
        **asyncio.run(_looked(store_address)),
    }


def _part(values: list[float], share: float) -> float:
    return round(values[int(share * (len(values) - 1))], 1)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--open", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=math.inf, help="end after so long")
    parser.add_argument("--store", help="a PostgreSQL; without, one is started here")
    asked = parser.parse_args()
    with nullcontext() if asked.store else serving(DURABLE) as server:
        place = asked.store or (server.empty() if server else "")
        print(
            json.dumps(
                measure(place, asked.sites, asked.workers, asked.open, asked.seconds), indent=2
            )
        )


if __name__ == "__main__":
    main()
