"""What is done beside all else: blocking work (SQLite, DuckDB, files), and what never ends."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

#: Each piece may hold a connection and its pages in memory; a browser asks for six at a time.
WORKERS = 6


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(WORKERS, thread_name_prefix="background")


async def in_thread(function: Callable[P, R], *args: P.args, **more: P.kwargs) -> R:
    """Return what a function returns that would hold up the other visitors.

    >>> asyncio.run(in_thread(sorted, [2, 1]))
    [1, 2]
    """
    return await asyncio.get_running_loop().run_in_executor(
        _pool(), lambda: function(*args, **more)
    )


@asynccontextmanager
async def running(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Have something done as long as a block lasts; it is cancelled then."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def end_threads() -> None:
    """Let the threads end when they have done what they were given; others come when needed."""
    _pool().shutdown(wait=False)
    _pool.cache_clear()
