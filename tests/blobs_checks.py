"""What all blobs of a fleet promise, as checks that each is held to."""

import asyncio
import inspect
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from filon.fleet.blobs import Blobs, ExistsError

Check = Callable[[Blobs, Path], Coroutine[Any, Any, None]]


async def what_is_put_is_read_back(blobs: Blobs, folder: Path) -> None:
    await blobs.put("sites/a/1/000001", b"one")
    assert await blobs.get("sites/a/1/000001") == b"one"
    await blobs.download("sites/a/1/000001", folder / "copy")
    assert (folder / "copy").read_bytes() == b"one"


async def a_file_is_put_as_its_bytes_are(blobs: Blobs, folder: Path) -> None:
    path = folder / "long.csv"
    path.write_bytes(bytes(range(256)) * 5000)
    await blobs.put("files/ab/abcd", path)
    assert await blobs.get("files/ab/abcd") == path.read_bytes()


async def nothing_is_ever_written_over(blobs: Blobs, folder: Path) -> None:
    await blobs.put("a/1", b"first")
    with pytest.raises(ExistsError):
        await blobs.put("a/1", b"second")
    assert await blobs.get("a/1") == b"first"


async def of_many_who_write_the_same_name_one_does(blobs: Blobs, folder: Path) -> None:
    bodies = [str(number).encode() for number in range(8)]
    told = await asyncio.gather(
        *(blobs.put("race", body) for body in bodies), return_exceptions=True
    )
    assert sum(one is None for one in told) == 1
    assert sum(isinstance(one, ExistsError) for one in told) == 7
    assert await blobs.get("race") == bodies[told.index(None)]


async def names_are_listed_in_their_order_below_a_folder(blobs: Blobs, folder: Path) -> None:
    for key in ("s/b/2", "s/b/1", "s/bb/1", "s/a/1"):
        await blobs.put(key, b"x")
    assert list(await blobs.list("s/b")) == ["s/b/1", "s/b/2"]
    assert len(await blobs.list("s")) == 4
    assert list(await blobs.list("nothing")) == []


async def what_is_not_there_is_told(blobs: Blobs, folder: Path) -> None:
    with pytest.raises(KeyError):
        await blobs.get("a/1")
    with pytest.raises(KeyError):
        await blobs.download("a/1", folder / "copy")


CHECKS: dict[str, Check] = {
    name: check
    for name, check in vars(sys.modules[__name__]).items()
    if inspect.iscoroutinefunction(check)
}
