"""A fleet of many workers on up to a million sites, as a simulation of events.

python -m experiments.fleet_simulation [SITES …] [--workers N …] [--chunk N] [--budget SHARE]

Real: the store with its SQL (SQLite here), so leases, hosts and addresses that one worker has at a
time, the budget that is drawn in grants, and commits; and who gets the next request
(`filon.learn.allocation`). Simulated: the clock, the web, and what a request costs a worker.

The web is drawn from what others have published:

- pages of a site: a power law with exponent 1.8 (Huberman and Adamic, Growth dynamics of the
  World-Wide Web, Nature 399, 1999: 1.65 to 1.91 in two crawls), cut at what a site may have;
- time until an answer begins: log-normal through a median of 0.2 s and a 90th percentile of 1.5 s
  (HTTP Archive, Web Almanac 2024, Performance: resource TTFB by percentile);
- sites of an address: 17.5 % have one of their own, more than 60 % share it with at least ten
  others (Hoang et al., The Web is Still Small After More Than a Decade, CCR 2020).

Guesses of ours, since nobody publishes them: half of the sites have no data at all, the rest a file
for a request in twenty, with a log-normal spread; one site in twenty does not answer; shares of
addresses beyond ten follow the exponent of pages up to a thousand sites.
"""

import argparse
import asyncio
import heapq
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from filon.core import Budget
from filon.fleet.leased_sites import ENDED, REMEMBERED
from filon.fleet.model import Commit, Figures, Lease, Site
from filon.fleet.settings import HOLD, PARALLEL
from filon.fleet.sql import SqlStore
from filon.fleet.sqlite import Sqlite
from filon.fleet.worker import COMMIT_S, IDLE_S, LEASE_S, SPARE
from filon.learn.allocation import Allocation

Floats = NDArray[np.float64]
#: The web: exponent of pages, requests that a site may have, and its robots.txt and sitemap.
EXPONENT, MOST, BESIDES = 1.8, 1000, 2
#: Median and spread of the time until an answer begins; pause between requests to a site.
TTFB_S, TTFB_SPREAD, DELAY_S = 0.2, 1.57, 1.0
#: Sites alone on their address, with up to ten, and the most that share one.
ALONE, FEW, SHARE = 0.175, 0.225, 1000
BARREN, RATE, RATE_SPREAD, DEAD = 0.5, 0.05, 1.2, 0.05
#: CPU of a request and of opening a site, as measured on generated sites.
CPU_REQUEST_S, CPU_SITE_S = 0.008, 0.03
#: A worker tells that it lives so often; it asks for sites ever less often while there are none.
BEAT_S, PAUSE_MOST_S = 10.0, 600.0
#: What an event begins with that is an answer which waits for the core.
CAME = "+"
#: A site is left open for so many requests, at least: to open it costs as much as a few pages.
STAY = 20
#: What a worker draws at once: this share of what is left for each, within bounds.
GRANT, GRANT_LEAST, GRANT_MOST = 0.01, 20, 2000


@dataclass
class World:
    """What sites are like: by number, the requests that exhaust it, its rate, and its address."""

    pages: NDArray[np.int64]
    rates: Floats
    address: NDArray[np.int64]

    @property
    def requests(self) -> int:
        """How many requests exhaust all sites."""
        return int(self.pages.sum())


def world(sites: int, seed: int, share: int = SHARE) -> World:
    """Draw a web."""
    chance = np.random.default_rng(seed)
    whole = np.floor((1.0 - chance.random(sites)) ** (-1.0 / (EXPONENT - 1.0)))
    pages = np.minimum(whole, MOST).astype(np.int64) + BESIDES
    rates = np.minimum(0.8, RATE * np.exp(RATE_SPREAD * chance.standard_normal(sites)))
    rates[chance.random(sites) < BARREN] = 0.0
    dead = chance.random(sites) < DEAD
    pages[dead], rates[dead] = 1, 0.0
    return World(pages, rates, _addresses(sites, share, chance))


def _addresses(sites: int, share: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """Return the address of each site: alone, with a few, or with many."""
    address, place, number = np.zeros(sites, dtype=np.int64), int(ALONE * sites), 0
    address[:place] = np.arange(place)
    number = place
    while place < sites:
        is_few = place < int((ALONE + FEW) * sites)
        many = 11.0 * (1.0 - chance.random()) ** (-1.0 / (EXPONENT - 1.0))
        size = min(share, int(chance.integers(2, 11)) if is_few else int(min(1e6, many)))
        address[place : place + size] = number
        place, number = place + size, number + 1
    chance.shuffle(address)
    return address


@dataclass
class Held:
    """A site that a worker has."""

    lease: Lease
    number: int
    requests: int
    finds: int
    since: int = 0  # requests since it was opened
    ready_s: float = 0.0
    is_busy: bool = False
    cost_s: float = 0.0  # of the CPU, for what is in flight


@dataclass
class Worker:
    """A worker: its sites, what it knows of them, and what it may still send."""

    name: str
    allocation: Allocation = field(default_factory=Allocation)
    held: dict[str, Held] = field(default_factory=dict)
    said: list[Commit] = field(default_factory=list)
    grant: int = 0
    requests: int = 0
    cpu_s: float = 0.0
    free_s: float = 0.0  # when its core has done what it has
    best: float | None = None
    told_s: float = 0.0
    wakes_s: float = float("inf")  # the one moment for which it has set itself
    asked_s: float = float(
        "-inf"
    )  # when it asked for sites, and how long it waits beyond the usual
    pause_s: float = 0.0
    is_over: bool = False


class Simulation:
    """Plays a fleet to its end."""

    def __init__(
        self, web: World, folder: Path, *, workers: int, chunk: int, budget: int, seed: int
    ) -> None:
        self._web, self._chunk, self._budget = web, chunk, budget
        self.now_s = 0.0
        clock = self._clock
        self.store = SqlStore(Sqlite(folder / "fleet.sqlite", clock=clock), clock=clock)
        self.workers = [Worker(f"w{number:04}") for number in range(workers)]
        self._chance = np.random.default_rng(seed + 1)
        self._events: list[tuple[float, int, int, str]] = []
        self._count = 0
        self.spent = self.finds = self.ended = self.flying = 0
        self.first_s = np.full(len(web.pages), np.nan)  # when a site was first asked
        self.ended_s = np.full(len(web.pages), np.nan)
        self.asked = np.zeros(len(web.pages), dtype=np.int64)
        self.minutes: list[tuple[float, int, int]] = []  # time, requests, statements

    def _clock(self) -> float:
        return self.now_s

    async def play(self) -> None:
        """Play until all is spent or exhausted."""
        await self.store.create({}, Budget(requests=self._budget))
        await self.store.add(self._sites())
        self.listed = self.store.statements
        for number, worker in enumerate(self.workers):
            await self.store.join(worker.name)
            worker.wakes_s = 0.001 * number
            self._at(worker.wakes_s, number, "wake")
        while self._events and self._goes_on():
            self.now_s, _, number, what = heapq.heappop(self._events)
            if not self.minutes or self.now_s >= self.minutes[-1][0] + 60.0:
                self.minutes.append((self.now_s, self.spent, self.store.statements))
            worker = self.workers[number]
            if what == "beat":
                await self._beat(worker, number)
            elif what == "wake":
                if worker.wakes_s == self.now_s:  # of no other: one that is to come sooner is
                    worker.wakes_s = float("inf")
                    await self._give(worker, number)
            elif what.startswith(CAME):
                # The core does one thing after the other: an answer waits until it comes to it.
                name = what.removeprefix(CAME)
                worker.free_s = max(worker.free_s, self.now_s) + worker.held[name].cost_s
                self._at(worker.free_s, number, name)
            else:
                self._answered(worker, worker.held[what])
                await self._give(worker, number)
        await self.store.close()

    def _goes_on(self) -> bool:
        """Tell whether anything is left to send, or to hear of."""
        return self.ended < len(self.ended_s) and (self.spent < self._budget or self.flying > 0)

    def _sites(self) -> Iterator[Site]:
        for number, address in enumerate(self._web.address):
            host = f"s{number}.test"
            yield Site(name=host, url=f"http://{host}/", host=host, address=f"a{address}")

    def _at(self, moment_s: float, worker: int, what: str) -> None:
        self._count += 1
        heapq.heappush(self._events, (moment_s, self._count, worker, what))

    # A worker.

    async def _give(self, worker: Worker, number: int) -> None:
        """Let a worker ask whom it may."""
        await self._refill(worker)
        if worker.told_s == 0.0:
            self._at(self.now_s + BEAT_S, number, "beat")
            worker.told_s = self.now_s + 0.001
        while worker.grant >= self._chunk or await self._drawn(worker):
            ready = [
                name
                for name, one in worker.held.items()
                if not one.is_busy and one.ready_s <= self.now_s
            ]
            soon = [name for name, one in worker.held.items() if one.is_busy]
            if len(soon) >= PARALLEL:
                break
            chosen = worker.allocation.choose(ready, left=self._left(), soon=soon)
            if chosen is None:
                break
            self._send(worker, number, worker.held[chosen])
        waits = [one.ready_s for one in worker.held.values() if not one.is_busy]
        later = [moment for moment in waits if moment > self.now_s]
        if len(worker.held) < HOLD and not worker.is_over:  # it may ask for sites
            later.append(self.now_s + max(IDLE_S, worker.pause_s))
        if later and min(later) < worker.wakes_s:
            worker.wakes_s = min(later)
            self._at(worker.wakes_s, number, "wake")

    def _left(self) -> float:
        return max(1.0, float(self._budget - self.spent))

    async def _drawn(self, worker: Worker) -> bool:
        """Draw of the budget; False: there is nothing left, or nobody to ask."""
        if worker.is_over or not worker.held:
            return False
        want = int(GRANT * self._left() / len(self.workers))
        want = max(GRANT_LEAST, self._chunk, min(GRANT_MOST, want))
        grant = await self.store.draw(worker.name, want)
        worker.grant += grant.requests or 0
        worker.is_over = not grant.requests
        return worker.grant > 0

    def _send(self, worker: Worker, number: int, one: Held) -> None:
        many = min(self._chunk, worker.grant, int(self._web.pages[one.number]) - one.requests)
        if np.isnan(self.first_s[one.number]):
            self.first_s[one.number] = self.now_s
        cost_s = many * CPU_REQUEST_S + (CPU_SITE_S if one.since == 0 else 0.0)
        waits = TTFB_S * np.exp(TTFB_SPREAD * self._chance.standard_normal(many))
        came_s = self.now_s + float(waits.sum()) + (many - 1) * DELAY_S
        worker.cpu_s += cost_s
        one.cost_s = cost_s
        worker.grant -= many
        self.spent += many
        self.flying += 1
        one.requests, one.since, one.is_busy = one.requests + many, one.since + many, True
        worker.allocation.sent(one.lease.site.name)
        self._at(came_s, number, f"{CAME}{one.lease.site.name}")

    def _answered(self, worker: Worker, one: Held) -> None:
        name, place = one.lease.site.name, one.number
        many = one.requests - int(self.asked[place])
        found = int(self._chance.binomial(many, self._web.rates[place]))
        self.asked[place] = one.requests
        worker.requests += many
        one.finds, one.is_busy, one.ready_s = one.finds + found, False, self.now_s + DELAY_S
        self.finds += found
        self.flying -= 1
        worker.allocation.learn(name, many, float(found))
        if one.requests >= self._web.pages[place]:
            self.ended_s[place] = self.now_s
            self.ended += 1
            self._drop(worker, one, "exhausted")
        elif self._is_better(worker, one):
            self._drop(worker, one, "")

    def _is_better(self, worker: Worker, one: Held) -> bool:
        """Tell whether a site that waits in the store is worth more than this one."""
        expected = worker.allocation.expected(one.lease.site.name)
        return worker.best is not None and one.since >= STAY and worker.best > expected

    def _drop(self, worker: Worker, one: Held, state: str) -> None:
        name = one.lease.site.name
        commit = Commit(
            site=name,
            epoch=one.lease.epoch,
            requests=one.requests,
            finds=one.finds,
            expected=worker.allocation.expected(name),
            state=state,
            release=True,
        )
        worker.said.append(commit)
        worker.allocation.end(name)
        worker.allocation.forget_ended(ENDED)
        del worker.held[name]

    async def _tell(self, worker: Worker) -> None:
        """Make true what was said, all at once."""
        if worker.said:
            await self.store.commit(worker.name, worker.said)
            worker.said.clear()

    async def _refill(self, worker: Worker) -> None:
        """Get sites at the rhythm of a worker; what has ended is told before."""
        some = max(1, int(HOLD * SPARE))
        room = HOLD + some - len(worker.held)
        is_rich = not worker.pause_s and room > some
        due_s = worker.asked_s + (IDLE_S if not worker.held or is_rich else LEASE_S)
        if worker.is_over or room <= 0 or self.now_s < max(due_s, worker.asked_s + worker.pause_s):
            return
        await self._tell(worker)
        leases = await self.store.lease(worker.name, room, list(worker.held))
        worker.asked_s = self.now_s
        for lease in leases:
            name = lease.site.name
            number = int(name[1:].partition(".")[0])
            worker.held[name] = Held(lease, number, lease.requests, lease.finds)
            worker.allocation.add(name)
            worker.allocation.wake(name)
            if asked := min(lease.requests, REMEMBERED):
                worker.allocation.learn(name, asked, lease.finds * asked / lease.requests)
        # Who gets nothing asks less and less often: all that is left is held by others.
        worker.pause_s = 0.0 if leases else min(PAUSE_MOST_S, max(LEASE_S, 2.0 * worker.pause_s))

    async def _beat(self, worker: Worker, number: int) -> None:
        """Tell that it lives, and how its sites stand."""
        if self.now_s >= worker.told_s + COMMIT_S:
            for one in worker.held.values():
                expected = worker.allocation.expected(one.lease.site.name)
                told = {"requests": one.requests, "finds": one.finds, "expected": expected}
                site, epoch = one.lease.site.name, one.lease.epoch
                worker.said.append(Commit(site=site, epoch=epoch, **told))  # type: ignore[arg-type]
            await self._tell(worker)
            worker.told_s = self.now_s
        if not worker.held:
            await self._tell(worker)
        if not worker.held and worker.grant:
            # Kept, it would be missing where there are sites: the budget is one.
            await self.store.give_back(worker.name, worker.grant)
            worker.grant = 0
        orders = await self.store.beat(worker.name, Figures(can_send=worker.grant > 0))
        worker.best, worker.is_over = orders.best, bool(orders.over)
        if orders.over and not any(one.is_busy for one in worker.held.values()):
            await self._tell(worker)
            await self.store.leave(worker.name)
            return
        self._at(
            self.now_s + (BEAT_S if worker.held else max(IDLE_S, worker.pause_s)), number, "beat"
        )
        if not any(one.is_busy for one in worker.held.values()):
            await self._give(worker, number)


def told(play: Simulation, web: World) -> dict[str, float]:
    """Return what a fleet did, in figures."""
    hours = play.now_s / 3600.0
    begun = ~np.isnan(play.first_s)
    ended = ~np.isnan(play.ended_s)
    each = np.array([worker.requests for worker in play.workers], dtype=np.float64)
    peak = max(
        (
            (b[2] - a[2]) / (b[0] - a[0])
            for a, b in zip(play.minutes, play.minutes[1:], strict=False)
        ),
        default=0.0,
    )
    done = sorted(play.ended_s[ended])
    most = int(np.bincount(web.address).max())
    return {
        "sites": len(web.pages),
        "workers": len(play.workers),
        "requests": play.spent,
        "finds": play.finds,
        "hours": hours,
        "hours_to_99": float(done[int(0.99 * len(done))]) / 3600.0 if done else 0.0,
        "requests_s": _busy(play, web),
        "cores": sum(w.cpu_s for w in play.workers) / max(1.0, _busy_s(play)),
        "begun": float(begun.mean()),
        "ended": float(ended.mean()),
        "first_p50_s": float(np.median(play.first_s[begun])),
        "first_p99_s": float(np.quantile(play.first_s[begun], 0.99)),
        "fair": float(each.sum() ** 2 / (len(each) * (each**2).sum())),
        "statements": play.store.statements - play.listed,
        "statements_request": (play.store.statements - play.listed) / max(1, play.spent),
        "statements_peak_s": peak,
        "sites_on_fullest_address": most,
    }


def _busy_s(play: Simulation) -> float:
    """Return when nine tenths of the requests were sent: what comes after is a tail."""
    bound = 0.9 * play.spent
    return next((moment for moment, sent, _ in play.minutes if sent >= bound), play.now_s)


def _busy(play: Simulation, web: World) -> float:
    return 0.9 * play.spent / max(1.0, _busy_s(play))


async def measure(
    sites: int,
    workers: int,
    *,
    chunk: int,
    spends: float,
    share: int,
    seed: int,
    folder: str | None = None,
) -> dict[str, float]:
    """Play one fleet; return its figures."""
    web = world(sites, seed, share)
    budget = max(1, int(spends * web.requests))
    with tempfile.TemporaryDirectory(dir=folder) as place:
        play = Simulation(web, Path(place), workers=workers, chunk=chunk, budget=budget, seed=seed)
        await play.play()
    return told(play, web)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, and print a line and a JSON object for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sites", nargs="*", type=int, default=[1000])
    parser.add_argument("--workers", nargs="+", type=int, default=[16])
    parser.add_argument("--chunk", type=int, default=1, help="requests of a turn at a site")
    parser.add_argument("--budget", type=float, default=1.0, help="share of what exhausts all")
    parser.add_argument("--share", type=int, default=SHARE, help="sites on an address, at most")
    parser.add_argument("--folder", help="where the store lies; a disk in memory is quickest")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    for sites in asked.sites:
        for workers in asked.workers:
            figures = asyncio.run(
                measure(
                    sites,
                    workers,
                    chunk=asked.chunk,
                    spends=asked.budget,
                    share=asked.share,
                    seed=asked.seed,
                    folder=asked.folder,
                )
            )
            print(
                json.dumps({name: round(value, 4) for name, value in figures.items()}), flush=True
            )


if __name__ == "__main__":
    main()
