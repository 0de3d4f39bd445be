"""A worker of a fleet: it holds sites, harvests them, and tells the store what became of them.

It owes its sites to a lease, which it has renewed while it lives. It sends and writes only while it
knows by its own clock that they are its own. Its folder survives it: a worker that is begun anew in
the same folder goes on where it was, and nothing is asked for again but what was in flight. Where
the folder is lost too, another goes on from the pieces among the blobs.
"""

import asyncio
import contextlib
import os
import shutil
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from filon.core import MachineError, Web
from filon.core.loop import Watch
from filon.fleet.asked_hosts import AskedHosts, addresses_of
from filon.fleet.blobs import Blobs
from filon.fleet.fence import Fence, Fenced, now_s
from filon.fleet.grants import Grants
from filon.fleet.leased_sites import DRAINED, LeasedSite, LeasedSites
from filon.fleet.model import DAMAGED, Commit, Event, Figures, Lease, Orders, Progress, Site
from filon.fleet.pieces import DamagedError, Pieces
from filon.fleet.profiling import Profiling
from filon.fleet.run_folders import RunFolders, read_text
from filon.fleet.settings import FleetSettings
from filon.fleet.store import Store
from filon.fleet.traces import Traces
from filon.page.url import host
from filon.run.disk import Lock, replace_text, writing
from filon.verbs.acquire.index import SITES
from filon.verbs.acquire.index import Site as Arm
from filon.verbs.acquire.job import AcquireJob
from filon.verbs.job import live_options
from filon.web.live import Live
from filon.web.polite import Polite

T = TypeVar("T")
#: So many times a worker tells that it lives before it would be taken for dead.
BEATS = 4
#: What is new is told to the store together: after so many requests, or so long.
COMMIT_AFTER, COMMIT_S = 320, 60.0
#: Sites are asked for so often, and more often where this share of the places is free. So many are
#: had in store, and at the beginning taken at a time: workers that begin together share few sites.
LEASE_S, IDLE_S, SPARE = 20.0, 1.0, 1 / 2
#: Where the time of the budget is nearly over, that is asked for so often.
SOON_S = 0.1
#: How all stands is asked for so often, to know what the budget has left.
LOOK_S = 60.0
#: A store or a bucket that fails is asked again for so long.
PATIENCE_S = 1800.0
#: In place of a start, for parts that are the same for all sites.
_START = "http://filon.invalid/"


class Worker:
    """One worker, in a folder of its own.

    keep: leave the run folders of sites that have ended in place. lock_s: who has the folder now is
    waited for so long.
    shown: hears of every answer. told: hears sentences on what happens. traces: hears of sites.
    """

    def __init__(
        self,
        store: Store,
        blobs: Blobs,
        folder: Path,
        settings: FleetSettings,
        *,
        keep: bool = False,
        lock_s: float = 1.0,
        shown: Watch | None = None,
        told: Callable[[str], None] = lambda sentence: None,
        traces: Traces | None = None,
    ) -> None:
        self._store, self._blobs, self._folder, self._settings = store, blobs, folder, settings
        self._keep, self._tell, self._traces = keep, told, traces or Traces()
        self._lock_s = lock_s
        self._fence = Fence(settings.timeout)
        options = live_options(settings, _START, folder / "spool")
        options = replace(options, connections_per_host=1, gate=self._fence.check)
        if settings.max_size:
            options = replace(options, max_bytes=settings.max_size)
        self._live = Live(options)
        self._web = Polite(Fenced(self._live, self._fence), delay_s=settings.delay, per_host=1)
        self._grants = Grants(settings.parallel)
        self._folders = RunFolders(folder / SITES, blobs)
        self._profiling = Profiling() if settings.profile else None
        self._leased = LeasedSites(
            *(self._grants, self._web, folder, settings, self._fence),
            profiling=self._profiling,
            woken=self._wake,
            shown=shown,
        )
        self._make = AcquireJob(settings.acquiring(_START)).maker(folder)
        self._events: list[Event] = []
        self._woken, self._beat_now = asyncio.Event(), asyncio.Event()
        self._taking: dict[str, asyncio.Task[None]] = {}
        self._moments: dict[str, float] = {}  # when things were done last
        self._cpu_s = time.process_time()
        self._life = 0  # what was leased in an earlier one is another's
        self._told_requests = 0
        self._left_finds: int | None = None  # of the goal, when it was heard of last
        self._over_s = float("inf")  # when the time of the budget will be over
        self._is_filled = False  # all places were taken once
        self._was_short = False  # the store had fewer sites than there was room for
        self.name = ""

    # Its life.

    async def run(self, halt: asyncio.Event | None = None) -> str:
        """Work until there is nothing left to do; return why.

        That is "exhausted", "budget", "goal", "drained" or "interrupted".
        """
        with writing(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        lock = Lock(self._folder, self._lock_s)
        self.name = _name_in(self._folder)
        self._grants.keep(self._folder / "unspent")
        beside: list[asyncio.Task[None]] = []
        try:
            asked_s, orders = now_s(), await self._patiently(self._join)
            if await self._patiently(lambda: self._grants.recover(self._store, self.name)):
                asked_s = now_s()  # before that there may have been nothing left to spend
                orders = await self._patiently(lambda: self._store.beat(self.name))
            self._hear(asked_s, orders)
            await self._patiently(self._look)
            beside = [self._beside(self._beats()), self._beside(self._keep_up())]
            over = await self._leased.run(halt)
            beside.pop().cancel()
            await self._part()
            return DRAINED if self._leased.over == DRAINED else over
        finally:
            left = [*beside, *self._taking.values()]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            if self._profiling:
                await asyncio.to_thread(self._profiling.close)
            await self._web.close()
            _sweep(self._folder / "spool")
            self._grants.close()
            lock.release()

    def _beside(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do something beside the turns; where it fails, all ends."""
        task = asyncio.ensure_future(work)
        task.add_done_callback(self._fail_with)
        return task

    def _fail_with(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()):
            self._leased.fail(error)

    async def _join(self) -> Orders:
        return await self._store.join(self.name, socket.gethostname())

    async def _part(self) -> None:
        """Give all back, in order, and leave."""
        await asyncio.gather(*self._taking.values(), return_exceptions=True)
        for held in self._leased.held.values():
            if not held.is_closing:  # it was never awake
                held.is_done = True
        await self._leased.settled()
        await self._patiently(self._commit)
        await self._patiently(lambda: self._grants.give_back(self._store, self.name))
        await self._patiently(lambda: self._store.leave(self.name))

    # Telling that it lives.

    async def _beats(self) -> None:
        every_s = self._settings.lease / BEATS
        while True:
            with contextlib.suppress(TimeoutError):
                left_s = max(SOON_S, self._over_s - now_s())
                async with asyncio.timeout(min(every_s, left_s)):
                    await self._beat_now.wait()
            self._beat_now.clear()
            asked_s = now_s()
            try:
                async with asyncio.timeout(self._settings.lease):
                    orders = await self._store.beat(self.name, self._figures())
            except (MachineError, OSError) as error:  # TimeoutError is one
                self._tell(f"The store does not answer: {error}")
                await asyncio.sleep(min(1.0, every_s))
                self._beat_now.set()
                continue
            if orders.is_lost:
                await self._lose()
            else:
                self._hear(asked_s, orders)

    def _hear(self, asked_s: float, orders: Orders) -> None:
        """Take in what the store says."""
        self._fence.extend(asked_s, orders.lease_s)
        leased = self._leased
        leased.is_paused, leased.best = orders.is_paused, orders.best
        self._left_finds = orders.left_finds
        self._over_s = float("inf") if orders.left_s is None else asked_s + orders.left_s
        if orders.is_draining:
            leased.end(DRAINED)
        elif orders.over and not (self._taking or (orders.over == "exhausted" and leased.held)):
            leased.end(orders.over)
        leased.wake()
        self._wake()

    async def _lose(self) -> None:
        """Drop all: it was taken for dead, and its sites are others'."""
        self._fence.shut()
        self._life += 1
        self._tell("It was taken for dead: its sites are others' now.")
        for task in self._taking.values():
            task.cancel()
        for name in list(self._leased.held):
            await self._drop(name)
        asked_s = now_s()
        self._hear(asked_s, await self._patiently(self._join))

    def _figures(self) -> Figures:
        return Figures(
            sites=len(self._leased.held),
            flying=self._grants.account.in_flight,
            cpu_s=time.process_time(),
            memory_bytes=_memory_bytes(),
            can_send=self._grants.can_send,
        )

    # What is done beside.

    def _wake(self) -> None:
        self._woken.set()

    async def _keep_up(self) -> None:
        """Draw, lease and tell, whenever there is need."""
        while True:
            await self._fence.opened()
            if self._is_due("look", LOOK_S):
                await self._patiently(self._look)
            if not self._leased.over:
                await self._draw_more()
                if not self._leased.is_paused:
                    await self._lease_more()
            if self._is_worth_telling():
                await self._patiently(self._commit)
            self._woken.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(IDLE_S):
                    await self._woken.wait()
            await asyncio.sleep(0.02)  # what comes together is told together

    def _is_due(self, what: str, every_s: float) -> bool:
        return now_s() - self._moments.get(what, float("-inf")) >= every_s

    async def _look(self) -> None:
        """Ask how all stands."""
        self._grants.look(await self._store.spending())
        self._moments["look"] = now_s()

    async def _draw_more(self) -> None:
        if not self._leased.held:
            if not self._taking:
                # Kept, it would be missing where there are sites: those wait for it without end.
                await self._patiently(lambda: self._grants.give_back(self._store, self.name))
            return
        is_dry = await self._patiently(lambda: self._grants.draw(self._store, self.name))
        if is_dry and not self._grants.can_send:
            self._beat_now.set()  # who hears that nobody can send says that all is over
        self._leased.wake()

    # Sites.

    async def _lease_more(self) -> None:
        leased = self._leased
        some = max(1, int(self._settings.hold * SPARE))
        closing = sum(held.is_closing for held in leased.held.values())
        open_ = len(leased.held) - closing + len(self._taking)
        # Sites that are only to be read and told do not count, unless they heap up.
        room = self._settings.hold + some - open_ - max(0, closing - self._settings.hold)
        is_idle = not leased.held and not self._taking
        is_rich = not self._was_short and room > some
        if room <= 0 or not self._is_due("lease", IDLE_S if is_idle or is_rich else LEASE_S):
            return
        names, most = [*leased.held, *self._taking], room if self._is_filled else min(room, some)
        self._is_filled = self._is_filled or room <= some
        life = self._life
        leases = await self._patiently(lambda: self._store.lease(self.name, most, names))
        self._moments["lease"], self._was_short = now_s(), len(leases) < most
        if not leases and is_idle:
            self._beat_now.set()  # it says whether all is over
        for lease in await self._placed(leases):
            if self._life != life:
                return
            task = asyncio.ensure_future(self._take(lease))
            self._taking[lease.site.name] = task
            task.add_done_callback(partial(self._took, lease.site.name))

    async def _placed(self, leases: list[Lease]) -> list[Lease]:
        """Find out at which addresses sites are; leave out those whose address is asked now."""
        if self._is_by_name:
            return leases
        unknown = [lease.site for lease in leases if not lease.site.address]
        found = await asyncio.gather(*(addresses_of(host(site.url)) for site in unknown))
        places = {site.name: " ".join(at) for site, at in zip(unknown, found, strict=True) if at}
        if not places:
            return leases
        kept = await self._patiently(lambda: self._store.place(self.name, places))
        return [
            replace(lease, site=replace(lease.site, address=places.get(name, lease.site.address)))
            for lease in leases
            if (name := lease.site.name) in kept or name not in places
        ]

    @property
    def _is_by_name(self) -> bool:
        """What a host resolves to here is not where its requests go."""
        return bool(self._settings.proxy or self._settings.connect_to)

    def _web_of(self, site: Site) -> Web:
        """Return the web for the run of a site."""

        async def hold(places: Collection[str]) -> bool:
            return await self._patiently(lambda: self._store.hold(self.name, site.name, places))

        delay_s = self._settings.delay
        return AskedHosts(self._web, site, hold, delay_s=delay_s, by_name=self._is_by_name)

    async def _take(self, lease: Lease) -> None:
        """Have the run of a site at hand, as far as others or an earlier life came with it."""
        name = lease.site.name
        try:
            after, spent = await self._patiently(lambda: self._folders.bring(lease))
        except DamagedError as error:
            return await self._leave_alone(lease, str(error))
        self._live.allow(lease.site.url)
        arm = Arm(name=name, url=lease.site.url, promise=lease.site.promise)
        held = LeasedSite(
            lease,
            self._make(arm),
            Pieces(self._blobs, name, lease.epoch, self._folders.path(name), after),
            self._web_of(lease.site),
            requests=spent.requests,
            bytes=spent.bytes,
            finds=spent.finds,
            read_find=min(lease.finds, spent.finds),
        )
        held.part.ready_s = time.monotonic() + self._settings.delay  # another may just have asked
        self._leased.take(held)
        self._traces.leased(self.name, lease)
        self._events.append(Event(worker=self.name, site=name, kind="lease"))
        return None

    async def _leave_alone(self, lease: Lease, why: str) -> None:
        """End a site that nobody can go on with: it is a dead letter, and no harm to others."""
        name = lease.site.name
        known = {one.name: getattr(lease, one.name) for one in fields(Progress)}
        ended = Commit(site=name, state=DAMAGED, note=why, release=True, **known)
        event = Event(worker=self.name, site=name, kind="end", text=DAMAGED)
        await self._patiently(lambda: self._store.commit(self.name, [ended], [event]))

    def _took(self, name: str, task: "asyncio.Task[None]") -> None:
        self._taking.pop(name, None)
        self._fail_with(task)
        self._leased.wake()
        self._wake()

    async def _drop(self, name: str) -> None:
        """Let go of a site that is another's by now."""
        if name not in self._leased.held:
            return  # it was told of twice at once
        await self._leased.drop(name)
        self._traces.lost(name)
        self._events.append(Event(worker=self.name, site=name, kind="lost"))
        self._folders.remove(name)

    # Telling what is true.

    def _is_worth_telling(self) -> bool:
        held = self._leased.held.values()
        done = sum(one.is_done for one in held)
        if not any(one.has_news for one in held):
            return False
        if done == len(held) or self._has_goal():
            return self._is_due("commit", IDLE_S)
        new = self._grants.account.spent.requests - self._told_requests
        return new >= COMMIT_AFTER or self._is_due("commit", COMMIT_S)

    def _has_goal(self) -> bool:
        """Say whether what is not told yet may be all that was asked for."""
        untold = sum(len(held.rows) for held in self._leased.held.values())
        return self._left_finds is not None and untold >= max(1, self._left_finds)

    async def _commit(self) -> None:
        """Tell the store what is true of all sites by now, in one go."""
        held = [one for one in self._leased.held.values() if one.has_news]
        self._share_cpu(held)
        expected = self._leased.allocation.expected
        events, told = list(self._events), [one.figures for one in held]
        commits = [one.said(expected(one.name)) for one in held]
        if not (commits or events):
            return
        self._told_requests = self._grants.account.spent.requests
        with self._traces.committing(self.name, commits):
            heard = await self._store.commit(self.name, commits, events)
        self._moments["commit"] = now_s()
        if self._left_finds is not None:
            self._beat_now.set()  # which tells whether that was the goal
        del self._events[: len(events)]
        for one, commit, figures in zip(held, commits, told, strict=True):
            if self._leased.held.get(one.name) is not one:
                continue
            if one.name not in heard:
                await self._drop(one.name)
                continue
            one.told = figures
            del one.rows[: len(commit.rows)]
            if commit.release:
                self._let_go(one, commit)

    def _let_go(self, held: LeasedSite, commit: Commit) -> None:
        self._leased.forget(held.name)
        self._traces.ended(commit)
        if not (self._keep and commit.state):
            self._folders.remove(held.name)
        if commit.state:
            end = Event(worker=self.name, site=held.name, kind="end", text=commit.state)
            self._events.append(end)

    def _share_cpu(self, held: Sequence[LeasedSite]) -> None:
        """Share out the work of this process since the last time, by answers."""
        cpu_s, self._cpu_s = time.process_time() - self._cpu_s, time.process_time()
        answers = sum(one.answers for one in held)
        for one in held:
            one.pieces.cpu_s += cpu_s * one.answers / answers if answers else 0.0
            one.answers = 0

    # Patience.

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask the store or the blobs, again and again where they fail."""
        until_s, pause_s = now_s() + PATIENCE_S, 0.1
        while True:
            try:
                return await ask()
            except (MachineError, OSError) as error:
                if now_s() > until_s or isinstance(error, DamagedError):
                    raise
                self._tell(f"It is tried again: {error}")
            await asyncio.sleep(pause_s)
            pause_s = min(5.0, 2 * pause_s)


def _name_in(folder: Path) -> str:
    """Return the name of the worker of a folder, which it has for ever."""
    path = folder / "worker"
    if not (name := read_text(path)):
        name = f"{socket.gethostname().partition('.')[0]}-{uuid4().hex[:8]}"
        replace_text(path, name)
    return name


def _memory_bytes() -> int:
    """Return the memory that this process has; 0 where the system does not tell it."""
    if sys.platform == "win32":
        return 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def _sweep(spool: Path) -> None:
    shutil.rmtree(spool, ignore_errors=True)
