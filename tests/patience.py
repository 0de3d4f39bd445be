"""How long a test waits for what must come.

It is the time after which something hangs, not the time that it takes: on a machine where twenty
programs want each core, a second of work takes half a minute. A test waits for a condition and
goes on as soon as it holds, so that this costs nothing where all is well.
"""

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 600.0


async def until(condition: Callable[[], bool]) -> None:
    """Let the event loop run until a condition holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - who makes it true tells nobody
            await asyncio.sleep(0.005)


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s, "what was waited for did not come"
        time.sleep(0.01)
