"""Turns for many runs under one account: who gets the next request, and who is awake.

One account and one web for all. Each run waits at its gate until it is given a turn; the turn goes
to the run that is expected to bring most for a request (`filon.learn.allocation`), among those
whose host may be asked now. Only some runs are awake at a time; the others are closed, with a
checkpoint, and cost a few numbers each.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import Account, MachineError, Request, Response, UserError, Web
from filon.core.loop import Watch
from filon.learn.allocation import Allocation
from filon.verbs.acquire.index import CAPPED, NOTHING, OUTAGE
from filon.verbs.acquire.part import PAUSES, Part
from filon.verbs.acquire.share import Share

#: Runs that are open at a time: each holds five files and the memory of its strategy.
MOST_AWAKE = 32
#: A run that woke is left awake for so many requests: to open it costs as much as a few pages.
STAY = 20
#: A request that takes longer no longer holds a place that others could use …
SLOW_S = 5.0
#: … as long as there are not more than so many times the places.
SLOW_MOST = 4
#: After so long it is looked again whether there is anything to do.
LOOK_S = 2.0


class Turns(ABC):
    """Gives turns to runs until the account is spent or nothing is left.

    parallel: requests in flight in all. delay_s: between two to the same site.
    most: the requests that a site may have; 0: no bound.
    """

    def __init__(
        self,
        account: Account,
        web: Web,
        spool: Path,
        allocation: Allocation,
        *,
        patient: bool,
        parallel: int = 1,
        delay_s: float = 1.0,
        most: int = 0,
    ) -> None:
        self.account, self.allocation = account, allocation
        self._web, self._spool = web, spool
        self._parallel, self._delay_s, self._most = parallel, delay_s, most
        # One after the other, whom the clock does not choose: the same runs end the same.
        self._waits_its_turn = patient and parallel == 1
        self.parts: dict[str, Part] = {}
        self._earlier_s = account.spent.seconds
        self._began_s = time.monotonic()
        self._changed = asyncio.Event()
        self._over = ""

    # What others do about it.

    @abstractmethod
    def _watch(self, part: Part) -> Watch:
        """Return what hears of the answers of a run."""

    @abstractmethod
    def _now_and_then(self) -> None:
        """Do what is to be done between turns."""

    @abstractmethod
    def _closed(self, part: Part) -> None:
        """Hear that a run has closed: it sleeps, or has ended."""

    @abstractmethod
    def _ended(self, part: Part) -> None:
        """Hear that a run will not go on, as its site says."""

    @abstractmethod
    async def _finish(self) -> None:
        """Let go of what was held, whatever has happened."""

    @abstractmethod
    def _ending(self, halted: "asyncio.Future[Any] | None") -> str:
        """Return why all is over; "": it is not."""

    def _web_of(self, part: Part) -> Web:
        """Return the web that a run is to use."""
        return self._web

    def _places(self) -> int:
        """Return how many runs may be awake at a time."""
        return MOST_AWAKE

    # What runs tell of their requests.

    def elapsed_s(self) -> float:
        """Return how long the whole has lasted, earlier sessions included."""
        return self._earlier_s + time.monotonic() - self._began_s

    def left(self, name: str, request: Request) -> None:
        """Hear that a request leaves: its host is not to be asked again at once."""
        part, now_s = self.parts[name], time.monotonic()
        part.left(now_s)
        self.allocation.sent(name)
        if part.site.kind == "site":
            part.ready_s = now_s + max(self._delay_s, request.delay_s)

    def came(self, name: str, response: Response) -> None:
        """Hear that an answer came, or that there is none for now."""
        part = self.parts[name]
        part.came(response)
        if response.sent != "yes" and part.site.kind == "site":
            part.ready_s = 0.0  # its host was not asked
        self._changed.set()

    def returned(self, name: str) -> None:
        """Hear that a turn is not used now."""
        self._changed.set()

    # Giving turns.

    async def run(self, halt: asyncio.Event | None) -> str:
        """Give turns until all is over; return why it is."""
        halted = asyncio.ensure_future(halt.wait()) if halt else None
        try:
            while not self._over:
                self._reap()
                self._over = self._ending(halted)
                if not self._over:
                    self._give()
                    self._now_and_then()
                    await self._something(halted)
            await self._close()
        except BaseException:
            self._over = self._over or "interrupted"
            for part in self.parts.values():
                part.sleep()
            await asyncio.gather(*self._tasks(), return_exceptions=True)
            raise
        finally:
            if halted:
                halted.cancel()
            await self._finish()
        return self._over

    def _give(self) -> None:
        """Give out as many turns as there are places."""
        self._make_room()
        while self.account.refusal(self.elapsed_s()) == "" and self._free():
            ready = [part.site.name for part in self._ready()]
            chosen = self.allocation.choose(ready, left=self._left(), soon=self._soon())
            if chosen is None:
                return
            part = self.parts[chosen]
            part.outlook = self.allocation.expected(chosen)
            if not part.share:
                self._wake(part)
            if part.share:
                part.given_s = time.monotonic()
                part.share.give()

    def _left(self) -> float | None:
        """Return for how many requests the rest of the budget will do; None: any number."""
        budget, spent = self.account.budget, self.account.spent
        left = [] if budget.requests is None else [float(budget.requests - spent.requests)]
        if budget.bytes is not None and spent.bytes:
            left.append((budget.bytes - spent.bytes) * spent.requests / spent.bytes)
        return max(1.0, min(left)) if left else None

    def _soon(self) -> list[str]:
        """Return the runs that could send another request in a moment; no slow host is one."""
        since_s = time.monotonic() - SLOW_S
        return [part.site.name for part in self._awake() if part.is_back_soon(since_s)]

    def _free(self) -> bool:
        now_s = time.monotonic()
        left = [left_s for part in self._awake() for left_s in part.flights.values()]
        turns = sum(bool(part.share and part.share.open) for part in self._awake())
        young = sum(now_s - left_s < SLOW_S for left_s in left)
        return turns + young < self._parallel and turns + len(left) < SLOW_MOST * self._parallel

    def _ready(self) -> Iterator[Part]:
        """Yield the runs that could send a request now."""
        now_s = time.monotonic()
        room = sum(1 for _ in self._awake()) < self._places()
        for part in self.parts.values():
            rests = part.ready_s > now_s and not self._waits_its_turn
            if part.site.state or part.is_closing or rests:
                continue
            if part.is_awake:
                open_turn = part.share is None or part.share.open
                if not open_turn and len(part.flights) < part.width:
                    yield part
            elif room:
                yield part

    def _awake(self) -> Iterator[Part]:
        return (part for part in self.parts.values() if part.is_awake)

    def _make_room(self) -> None:
        """Put a run to sleep where all places are taken and one that sleeps is the better one."""
        awake = list(self._awake())
        if len(awake) < self._places() or any(part.is_closing for part in awake):
            return
        idle = {part.site.name: part for part in awake if part.served >= STAY and not part.is_busy}
        asleep = [name for name, part in self.parts.items() if part.is_asleep]
        if idle and self.allocation.choose([*idle, *asleep], left=self._left()) not in idle:
            idle[min(idle, key=self.allocation.expected)].sleep()

    def _wake(self, part: Part) -> None:
        name, is_site = part.site.name, part.site.kind == "site"
        most = self._most if is_site else 0
        share = Share(name, self, lambda: self._over, sent=part.requests, most=most, counts=is_site)
        task = part.wake(share, self._web_of(part), self._spool, self._watch)
        task.add_done_callback(lambda _: self._changed.set())

    async def _something(self, halted: "asyncio.Future[Any] | None") -> None:
        """Wait until something has changed, or a host may be asked again."""
        now_s = time.monotonic()
        moments = [part.ready_s for part in self.parts.values()]
        for part in self._awake():  # a turn that is not taken yet is as good as a request
            left = [*part.flights.values(), *([part.given_s] if part.is_busy else [])]
            moments += [left_s + SLOW_S for left_s in left]
        waits = [moment_s - now_s for moment_s in moments if moment_s > now_s]
        changed = asyncio.ensure_future(self._changed.wait())
        awaited = [changed, *filter(None, [halted])]
        timeout_s = max(0.001, min([LOOK_S, *waits]))
        await asyncio.wait(awaited, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        changed.cancel()
        self._changed.clear()

    # Ending.

    def _reap(self) -> None:
        """Take note of runs that have closed."""
        for part in [part for part in self._awake() if part.task and part.task.done()]:
            was_there, asked = part.requests > 0, part.served > 0
            try:
                stopped = part.slept()
            except (UserError, MachineError) as error:
                # What is wrong with one run alone shows when it is opened, and holds up no other.
                if isinstance(error, MachineError) and (asked or not was_there):
                    raise
                stopped, part.note = OUTAGE if was_there else NOTHING, str(error)
            self._closed(part)
            self._end(part, stopped)

    def _end(self, part: Part, stopped: str) -> None:
        if stopped in PAUSES and not part.is_capped:
            return
        state = CAPPED if part.is_capped else stopped
        part.site = replace(part.site, state=state, note=part.note)
        self.allocation.end(part.site.name)
        self._ended(part)

    async def _close(self) -> None:
        """Let all runs end: those at their gate see that all is over."""
        for part in list(self._awake()):
            if self._over == "interrupted":
                part.sleep()
            elif part.share:
                part.share.give()
        while tasks := self._tasks():
            await asyncio.wait(tasks)
            self._reap()

    def _tasks(self) -> list["asyncio.Task[str]"]:
        return [part.task for part in self._awake() if part.task]
