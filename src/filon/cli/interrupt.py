"""Ctrl-C and SIGTERM: the first ends the run in order, the second ends the process at once."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType

EXIT_CODE = 130


@contextlib.contextmanager
def interruptible(halt: asyncio.Event, say: Callable[[str], None]) -> Iterator[None]:
    """Set `halt` at the first signal; within a running event loop of the main thread."""
    loop = asyncio.get_running_loop()
    signals = 0

    def stop() -> None:
        say("Stopping: what is in flight may still come in. Once more ends at once.")
        halt.set()

    def handle(_signum: int, _frame: FrameType | None) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            # Nothing to tidy up: what is acknowledged is on disk already.
            os._exit(EXIT_CODE)
        # The handler may have cut into a write to the terminal: the loop speaks in its turn.
        loop.call_soon_threadsafe(stop)

    before = {signum: signal.signal(signum, handle) for signum in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
