"""Blocking work beside the event loop."""

import asyncio
import threading

from filon.core.background import end_threads, in_thread
from patience import until


def test_the_loop_goes_on_meanwhile() -> None:
    async def go() -> list[str]:
        begun, told = threading.Event(), threading.Event()

        def wait() -> str:
            begun.set()
            told.wait()
            return threading.current_thread().name

        waiting = asyncio.create_task(in_thread(wait))
        await until(begun.is_set)
        told.set()
        return [await waiting, threading.current_thread().name]

    there, here = asyncio.run(go())
    assert there.startswith("background")
    assert there != here


def test_its_threads_end_with_the_server_and_come_again() -> None:
    async def go() -> None:
        await in_thread(sorted, [2, 1])
        end_threads()
        await until(lambda: not any(map(_is_ours, threading.enumerate())))
        assert await in_thread(sorted, [2, 1]) == [1, 2]
        end_threads()

    asyncio.run(go())


def _is_ours(thread: threading.Thread) -> bool:
    return thread.name.startswith("background")
