"""Long states in blocks, so that a store can write those alone that have changed.

Whoever has a long state says in `blocks` how its parts are read, and a mark for each that changes
whenever the part does. Mostly that is a list of all parts. Within `by_blocks` nothing is read yet:
a store that knows the marks of its last state reads what has another one, before anything changes.

>>> parts = [[1, 2], [3]]
>>> blocks(parts, "all", [1, 1], parts.__getitem__)
[[1, 2], [3]]
>>> with by_blocks():
...     told = blocks(parts, "all", [1, 2], parts.__getitem__)
>>> told.marks, told.read(1)
([1, 2], [3])
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

_are_wanted: ContextVar[bool] = ContextVar("blocks", default=False)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """A part of a state that is not read yet.

    owner, name: what it is a part of, the same from one state to the next.
    marks: a number a block, another one whenever the block has changed.
    read: returns a block as plain data, by its place.
    """

    owner: object
    name: str
    marks: list[int]
    read: Callable[[int], Any]


def blocks(owner: object, name: str, marks: list[int], read: Callable[[int], Any]) -> Any:
    """Return a part of a state: a list of blocks, or where they are wanted, the way to them."""
    told = Blocks(owner, name, list(marks), read)
    return told if _are_wanted.get() else [read(place) for place in range(len(marks))]


@contextmanager
def by_blocks() -> Iterator[None]:
    """Let states be told in blocks that are not read yet."""
    token = _are_wanted.set(True)
    try:
        yield
    finally:
        _are_wanted.reset(token)
