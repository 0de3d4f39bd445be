"""Room for the links that wait, by shelves: a checkpoint writes those that have changed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.core.blocks import blocks
from filon.learn.ridge import Rows

#: Slots whose highest value is known: a choice looks at one such shelf. A checkpoint writes those
#: that have changed.
SHELF = 1024
#: What of a shelf may have changed: addresses, features, or what is thought of its links.
TEXTS, ROWS, THOUGHTS = range(3)
#: The value of a slot that holds no link.
EMPTY = -1.0


class Shelves:
    """The room of a frontier, and its state; what is in it is said there."""

    _urls: list[str]
    _parents: list[str]
    _free: list[int]
    _rows: Rows
    _arms: NDArray[np.int32]
    _told: NDArray[np.float32]
    _chain: NDArray[np.int32]
    _ends: dict[int, list[int]]
    _tops: NDArray[np.float32]
    _rated: NDArray[np.int64]
    _marks: tuple[list[int], ...]  # by shelf: how often it has changed
    _models: int
    _turn: int

    def _grow(self, size: int, width: int) -> None:
        room = len(self._arms)
        if size <= room:
            return
        more = SHELF * max(1, room // 4 // SHELF)
        while size > room + more:
            more *= 2
        if not room:
            self._rows = np.zeros((0, width), dtype=np.uint16)
        columns = ("_rows", 0, 0), ("_arms", 0, 0), ("_told", 1, EMPTY), ("_chain", 1, -1)
        shelves = ("_tops", 0, EMPTY), ("_rated", 0, -1)
        for names, size in ((columns, more), (shelves, more // SHELF)):
            for name, axis, blank in names:
                setattr(self, name, _widen(getattr(self, name), axis, size, blank))
        for marks in self._marks:
            marks += [0] * (more // SHELF)

    def state(self) -> dict[str, Any]:
        """Return plain data, the most of it by shelves."""
        shelves = -(-len(self._urls) // SHELF)
        reads = {"texts": self._texts, "rows": self._features, "told": self._thoughts}
        parts = {
            name: blocks(self, name, marks[:shelves], read)
            for (name, read), marks in zip(reads.items(), self._marks, strict=True)
        }
        return {
            "version": 3,
            "size": len(self._urls),
            **parts,
            "free": list(self._free),
            "ends": [[arm, *ends] for arm, ends in self._ends.items()],
            "rated": [self._rated.copy(), self._models, self._turn],
        }

    def _shelf(self, number: int) -> slice:
        return slice(number * SHELF, min((number + 1) * SHELF, len(self._urls)))

    def _texts(self, number: int) -> list[Any]:
        at = self._shelf(number)
        return [self._urls[at], _once(self._parents[at]), self._arms[at].copy()]

    def _features(self, number: int) -> Rows:
        return self._rows[self._shelf(number)].copy()

    def _thoughts(self, number: int) -> list[Any]:
        at = self._shelf(number)
        return [self._told[:, at].copy(), self._chain[:, at].copy()]


def _widen(array: NDArray[Any], axis: int, more: int, blank: float) -> NDArray[Any]:
    shape = [*array.shape]
    shape[axis] = more
    return np.concatenate([array, np.full(shape, blank, array.dtype)], axis=axis)


def shelved(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state of an older version, which was in one piece each, by shelves."""
    size = len(state["urls"])
    parents, which = state["parents"]
    rows = np.concatenate(state["rows"]) if size else np.zeros((0, 0), dtype=np.uint16)
    chain = state["chain"] if "chain" in state else np.full((2, size), -1, dtype=np.int32)
    shelves = [slice(start, start + SHELF) for start in range(0, size, SHELF)]
    return state | {
        "size": size,
        "texts": [[state["urls"][at], [parents, which[at]], state["arms"][at]] for at in shelves],
        "rows": [rows[at] for at in shelves],
        "told": [[state["told"][:, at], chain[:, at]] for at in shelves],
    }


def _once(texts: list[str]) -> list[Any]:
    """Return texts that repeat as a list of those that differ, and the number of each."""
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    which = np.fromiter(map(numbers.__getitem__, texts), dtype=np.int32, count=len(texts))
    return [list(numbers), which]
