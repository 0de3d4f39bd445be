"""What keeps a worker from sites that may be another's by now: its own clock.

A worker that was stopped, or cut off, and wakes up does not know it. So it asks the clock before it
sends or writes anything: its lease runs from when it began to ask for it, and ends here some time
before it ends in the store, so that what it has sent is answered by then.
"""

import asyncio
import contextlib
import sys
import time

from filon.core import Request, Response, Web
from filon.core.clock import now_s as wall_s

#: Of the clock that goes on while a machine sleeps; only some systems have it.
_CLOCK: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def now_s() -> float:
    """Return the time of a clock that never jumps, nor stops where it need not."""
    if sys.platform == "win32" or _CLOCK is None:
        return time.monotonic()
    return time.clock_gettime(_CLOCK)


class ClosedError(Exception):
    """The lease has run out: nothing may leave."""


class Fence:
    """Says whether a worker may send and write.

    margin_s: so long before the end of a lease it closes.
    """

    def __init__(self, margin_s: float = 0.0) -> None:
        self._margin_s, self._until_s, self.ends_s = margin_s, float("-inf"), float("-inf")
        self._opened = asyncio.Event()

    def extend(self, asked_s: float, lease_s: float) -> None:
        """Take in a lease that was asked for at a time; a margin is at most half of it."""
        self.ends_s = asked_s + lease_s
        self._until_s = self.ends_s - min(self._margin_s, lease_s / 2)
        if self.is_open:
            self._opened.set()

    def shut(self) -> None:
        """Close it: the sites are another's."""
        self._until_s = self.ends_s = float("-inf")

    @property
    def is_open(self) -> bool:
        """It is known that the sites are still this worker's."""
        return now_s() < self._until_s

    def check(self) -> None:
        """Raise where it is closed."""
        if not self.is_open:
            raise ClosedError

    async def opened(self) -> None:
        """Wait until it is open."""
        while not self.is_open:
            self._opened.clear()
            await self._opened.wait()


class Fenced:
    """A web that sends nothing while a fence is closed; it waits, which is nobody's failure.

    An answer that has not come when the lease ends is given up: another worker may ask that host.
    """

    def __init__(self, web: Web, fence: Fence) -> None:
        self._web, self._fence = web, fence

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        while True:
            await self._fence.opened()
            with contextlib.suppress(ClosedError):  # between the question and the connection
                return await self._fetch(request)

    async def _fetch(self, request: Request) -> Response:
        fetching = asyncio.ensure_future(self._web.fetch(request))
        try:
            while not fetching.done() and (left_s := self._fence.ends_s - now_s()) > 0:
                await asyncio.wait({fetching}, timeout=left_s)
            if fetching.done():
                return fetching.result()
        finally:
            if not fetching.done():
                fetching.cancel()
                await asyncio.gather(fetching, return_exceptions=True)
        return Response(
            url=request.url,
            error="timeout",
            detail="The hold of the site ended before its answer came.",
            at_s=wall_s(),
        )

    async def close(self) -> None:
        """Close the web within."""
        await self._web.close()
