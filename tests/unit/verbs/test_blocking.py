import asyncio
import threading

import pytest

from filon.verbs.blocking import run


async def where() -> str:
    await asyncio.sleep(0)
    return threading.current_thread().name


def test_without_a_loop_a_coroutine_runs_here() -> None:
    assert run(where()) == threading.current_thread().name


def test_within_a_loop_a_coroutine_runs_in_a_thread() -> None:
    async def cell() -> str:
        return run(where())

    assert asyncio.run(cell()) == "filon"


def test_an_error_comes_out_of_the_thread() -> None:
    async def fail() -> None:
        raise LookupError("as it was")

    async def cell() -> None:
        run(fail())

    with pytest.raises(LookupError, match="as it was"):
        asyncio.run(cell())
