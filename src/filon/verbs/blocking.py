"""Runs a coroutine to its end, also from a notebook, whose event loop is busy already."""

import asyncio
import contextvars
import functools
import threading
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from filon.run.handle import Run
from filon.verbs.session import run_here

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=Callable[..., Any])


def blocking(function: Callable[P, Coroutine[Any, Any, Run]]) -> Callable[P, Run]:
    """Return the same function for people who do not write `await`."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> Run:
        return run(function(*args, **kwargs))

    return named(call, function)


def named(call: C, function: Callable[..., Any]) -> C:
    """Return what calls a coroutine function, with its name and words as one that does not wait."""
    call.__doc__ = f"Do the same as `{function.__name__}`, without `await`.\n\n{function.__doc__}"
    call.__name__ = call.__qualname__ = function.__name__.removeprefix("a")
    return call


def run(coroutine: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine here, or in a thread where this one already runs an event loop."""
    return _run_in_thread(coroutine) if _is_running() else run_here(coroutine)


def _is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run_in_thread(coroutine: Coroutine[Any, Any, R]) -> R:
    tasks: list[asyncio.Task[R]] = []
    results: list[R] = []
    errors: list[BaseException] = []

    async def hold() -> R:
        tasks.append(asyncio.ensure_future(coroutine))
        return await tasks[0]

    def work() -> None:
        try:
            results.append(run_here(hold()))
        except BaseException as error:
            errors.append(error)

    # In the context of the cell, or a notebook would not know where the thread's output belongs.
    here = contextvars.copy_context()
    thread = threading.Thread(target=here.run, args=(work,), name="filon")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        # The cell was interrupted: let the run end in order before the interrupt goes on.
        for task in tasks:
            task.get_loop().call_soon_threadsafe(task.cancel)
        thread.join()
        raise
    if errors:
        raise errors[0]
    return results[0]
