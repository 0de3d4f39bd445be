"""A Web that does not crowd a host: spacing, pauses, and few requests at a time.

Hosts do not wait for each other. Within a host, first come is first served. Processes that were
told of each other share a host's turns (`turns.py`), and so its spacing.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from filon.core import Request, Response, Web
from filon.core.clock import now_s
from filon.page.url import origin
from filon.web.turns import VARIABLE, Turn, Turns

#: A host may ask for more, but nobody waits for it: the run's budget is better spent elsewhere.
MAX_PAUSE_S = 3600.0
#: The back-off of a host that says 429 or 503 without saying for how long.
FIRST_BACK_OFF_S, MAX_BACK_OFF_S = 1.0, 60.0
#: How often is looked whether another process is done with a host.
LOOK_S = 0.05
#: Idle hosts are forgotten beyond this number.
MAX_LANES = 10_000


@dataclass(slots=True)
class _Lane:
    """What is known of one host; times are the clock's."""

    slots: asyncio.Semaphore
    left_s: float = float("-inf")
    free_s: float = float("-inf")
    refusals: int = 0
    users: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Polite:
    """Keeps requests to one host apart, by at least `delay_s` and what the host asks for.

    per_host: the requests that may be in flight to one host.
    turns: shared with other processes; by default those that the environment names, mostly none.
    clock, wall, sleep: monotonic time, Unix time and waiting, for tests.
    """

    def __init__(
        self,
        web: Web,
        delay_s: float = 1.0,
        per_host: int = 1,
        *,
        turns: Turns | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = now_s,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.web = web
        self._delay_s = delay_s
        self._per_host = per_host
        self._turns = turns or (Turns.shared() if VARIABLE in os.environ else None)
        self._clock, self._wall, self._sleep = clock, wall, sleep
        self._lanes: dict[str, _Lane] = {}

    async def fetch(self, request: Request) -> Response:
        """Answer a request when it is its turn."""
        began_s = self._clock()
        deadline_s = began_s + request.wait_s if request.wait_s else float("inf")
        lane = self._lane(request.url)
        lane.users += 1
        try:
            early_s = request.not_before_s - self._wall() if request.not_before_s else 0.0
            # Waits outside the queue: others need not wait for a retry that must not leave yet.
            if not await self._wait_until(began_s + early_s, deadline_s):
                return self._too_late(request)
            async with lane.slots:
                if not await self._take_turn(lane, request, deadline_s):
                    return self._too_late(request)
                try:
                    if request.wait_s:
                        left_s = max(0.001, deadline_s - self._clock())
                        request = replace(request, max_s=min(left_s, request.max_s or left_s))
                    response = await self.web.fetch(request)
                    self._learn(lane, response)
                    return response
                finally:
                    if self._per_host == 1:
                        self._give_turn(lane, request)
        finally:
            lane.users -= 1

    async def close(self) -> None:
        """Close the web within."""
        await self.web.close()
        if self._turns:
            self._turns.close()
            self._turns = None

    async def _take_turn(self, lane: _Lane, request: Request, deadline_s: float) -> bool:
        async with lane.turn:
            delay_s = max(self._delay_s, request.delay_s)
            # Anew after each wait: an answer that came in meanwhile may have asked for a pause.
            while (
                start_s := self._start_s(lane, request, delay_s, now_s := self._clock())
            ) > now_s:
                if not await self._wait_until(start_s, deadline_s):
                    return False
            lane.left_s = self._clock()
            if self._per_host > 1:  # others keep the spacing too; in flight are as many as each has
                self._give_turn(lane, request)
            return True

    def _start_s(self, lane: _Lane, request: Request, delay_s: float, now_s: float) -> float:
        """Return when a request may leave; where that is now, the host is held for it."""
        start_s = max(lane.left_s + delay_s, lane.free_s)
        if not self._turns or start_s > now_s:
            return start_s
        seen = self._turns.take(host_of(request.url))
        if seen is None:
            return now_s + LOOK_S
        ago_s = now_s - self._wall()
        # Of a clock that was set back nobody waits longer than for a request that left just now.
        lane.left_s = max(lane.left_s, min(seen.left_s + ago_s, now_s))
        lane.free_s = max(lane.free_s, min(seen.free_s + ago_s, now_s + MAX_PAUSE_S))
        start_s = max(lane.left_s + delay_s, lane.free_s)
        if start_s > now_s:
            self._turns.give(host_of(request.url), seen)  # nobody is kept from it by who waits
        return start_s

    def _give_turn(self, lane: _Lane, request: Request) -> None:
        if self._turns:
            ahead_s = self._wall() - self._clock()
            turn = Turn(lane.left_s + ahead_s, max(0.0, lane.free_s + ahead_s))
            self._turns.give(host_of(request.url), turn)

    async def _wait_until(self, start_s: float, deadline_s: float) -> bool:
        """Wait, unless that would be in vain."""
        if start_s >= deadline_s:
            return False
        while (wait_s := start_s - self._clock()) > 0:
            await self._sleep(wait_s)
        return True

    def _learn(self, lane: _Lane, response: Response) -> None:
        now_s = self._clock()
        # Connecting takes time: the request left later than its turn came.
        lane.left_s = max(lane.left_s, now_s - response.took_s)
        if response.status in (429, 503):
            lane.refusals += 1
            pause_s = retry_after_s(response)
            if pause_s is None:
                pause_s = min(FIRST_BACK_OFF_S * 2**lane.refusals, MAX_BACK_OFF_S)
            lane.free_s = max(lane.free_s, now_s + pause_s)
        elif response.status:
            lane.refusals = 0

    def _lane(self, url: str) -> _Lane:
        host = host_of(url)
        lane = self._lanes.get(host)
        if lane is None:
            if len(self._lanes) >= MAX_LANES:
                self._forget()
            lane = self._lanes[host] = _Lane(asyncio.Semaphore(self._per_host))
        return lane

    def _forget(self) -> None:
        """Drop the hosts that owe nothing: no request, no pause, no spacing."""
        now_s = self._clock()
        self._lanes = {
            host: lane
            for host, lane in self._lanes.items()
            if lane.users or lane.refusals or max(lane.left_s + self._delay_s, lane.free_s) > now_s
        }

    def _too_late(self, request: Request) -> Response:
        return Response(
            url=request.url,
            error="timeout",
            detail="The host's turn comes after the time that is left; nothing was sent.",
            cut="time",
            at_s=self._wall(),
            sent="withheld",
        )


def host_of(url: str) -> str:
    """Return the host that a URL names, with its port where it is not the scheme's own.

    >>> host_of("https://me@Example.org/a"), host_of("http://example.org:8080/")
    ('example.org', 'example.org:8080')
    """
    return origin(url).partition("://")[2]


def retry_after_s(response: Response) -> float | None:
    """Return how long the host asks to wait, at most an hour; None: it does not say.

    >>> retry_after_s(Response(url="http://a.org/", headers=(("Retry-After", "120"),)))
    120.0
    """
    asked_s = response.retry_after_s
    return None if asked_s is None else min(asked_s, MAX_PAUSE_S)
