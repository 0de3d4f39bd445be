"""The links that are known and not yet followed, in arrays, so that all are re-ranked at once."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.learn.ridge import Rows, Vector

#: The value of a slot that holds no link.
EMPTY = -1.0
#: Rows that are kept together: a checkpoint packs them one such block at a time.
BLOCK = 16_384


class Candidate(NamedTuple):
    """A link taken out of the frontier, with what was thought of it."""

    url: str
    parent: str
    arm: int
    row: Rows
    prior: float
    chance: float
    promise: float
    value: float


class Links(NamedTuple):
    """Links of the frontier with what is thought of each."""

    arms: NDArray[np.int32]
    priors: Vector
    chances: Vector
    promises: Vector


class Frontier:
    """Slots of links with what is thought of each.

    chance: that it is a live target. promise: targets expected of it, itself or behind it. value:
    what the choice goes by; EMPTY where the slot is free.
    """

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._parents: list[str] = []
        self._free: list[int] = []
        self._rows: Rows = np.zeros((0, 0), dtype=np.uint16)
        self._arms = np.zeros(0, dtype=np.int32)
        self._priors = np.zeros(0, dtype=np.float32)
        self._chances = np.zeros(0, dtype=np.float32)
        self._promises = np.zeros(0, dtype=np.float32)
        self._values = np.zeros(0, dtype=np.float32)

    def __len__(self) -> int:
        return len(self._urls) - len(self._free)

    def put(self, url: str, parent: str, arm: int, row: Rows, prior: float) -> int:
        """Add a link, whose value is still to be told; return its slot."""
        if self._free:
            slot = self._free.pop()
            self._urls[slot], self._parents[slot] = url, parent
        else:
            slot = len(self._urls)
            self._grow(slot + 1, len(row))
            self._urls.append(url)
            self._parents.append(parent)
        self._rows[slot] = row
        self._arms[slot] = arm
        self._priors[slot] = prior
        self._values[slot] = 0.0
        return slot

    def taken(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """Return the slots that hold a link."""
        return np.flatnonzero(self._values[: len(self._urls)] > EMPTY)

    def look(self, slots: Any) -> tuple[Rows, Vector]:
        """Return what is known of links: their features and priors."""
        return self._rows[slots], self._priors[slots].astype(np.float64)

    def rate(self, slots: Any, chances: Vector, promises: Vector, values: Vector) -> None:
        """Set what is thought of links."""
        self._chances[slots] = chances
        self._promises[slots] = promises
        self._values[slots] = values

    def untried(self, barren: NDArray[np.bool_]) -> bool:
        """Tell whether there is a link of an arm that is not known to be barren."""
        return not barren[self._arms[self.taken()]].all()

    def best(self, barren: NDArray[np.bool_] | None = None) -> Candidate | None:
        """Take out the link with the highest value, the oldest slot among equals.

        barren: arms whose links come last.
        """
        if not len(self):
            return None
        values = self._values[: len(self._urls)]
        slot = int(np.argmax(values))
        if barren is not None:
            fresh = np.where(barren[self._arms[: len(values)]], np.float32(EMPTY), values)
            slot = int(np.argmax(fresh)) if fresh.max() > EMPTY else slot
        candidate = Candidate(
            self._urls[slot],
            self._parents[slot],
            int(self._arms[slot]),
            self._rows[slot].copy(),
            float(self._priors[slot]),
            float(self._chances[slot]),
            float(self._promises[slot]),
            float(self._values[slot]),
        )
        self._clear(slot)
        return candidate

    def drop(self, unwanted: Callable[[str], bool]) -> None:
        """Forget the links whose URLs are unwanted."""
        for slot in self.taken().tolist():
            if unwanted(self._urls[slot]):
                self._clear(slot)

    def _clear(self, slot: int) -> None:
        self._urls[slot] = self._parents[slot] = ""
        self._values[slot] = EMPTY
        self._free.append(slot)

    def promises(self) -> Vector:
        """Return the promises of all links, in no order."""
        promises: Vector = self._promises[self.taken()].astype(np.float64)
        return promises

    def links(self) -> Links:
        """Return what is thought of all links, in no order."""
        taken = self.taken()
        told = (self._priors, self._chances, self._promises)
        return Links(self._arms[taken], *(each[taken].astype(np.float64) for each in told))

    def _grow(self, size: int, width: int) -> None:
        room = len(self._values)
        if size <= room:
            return
        more = max(1024, room // 4)
        rows = np.zeros((room + more, width), dtype=np.uint16)
        rows[:room] = self._rows if room else 0
        self._rows = rows
        self._arms = np.concatenate([self._arms, np.zeros(more, dtype=np.int32)])
        self._priors = np.concatenate([self._priors, np.zeros(more, dtype=np.float32)])
        self._chances = np.concatenate([self._chances, np.zeros(more, dtype=np.float32)])
        self._promises = np.concatenate([self._promises, np.zeros(more, dtype=np.float32)])
        empty = np.full(more, EMPTY, dtype=np.float32)
        self._values = np.concatenate([self._values, empty])

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: a million links: arrays without their room, each parent once.
        size = len(self._urls)
        rows = self._rows[:size]
        return {
            "version": 1,
            "urls": list(self._urls),
            "parents": _once(self._parents),
            "arms": self._arms[:size].copy(),
            "free": list(self._free),
            "rows": [rows[i : i + BLOCK].copy() for i in range(0, size, BLOCK)],
            "told": np.stack([self._priors, self._chances, self._promises, self._values])[:, :size],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._urls, self._free = list(state["urls"]), list(state["free"])
        self._parents = [state["parents"][0][number] for number in state["parents"][1].tolist()]
        self._arms = np.array(state["arms"])
        self._rows = np.concatenate(state["rows"]) if state["rows"] else self._rows[:0]
        told = np.array(state["told"])
        self._priors, self._chances, self._promises, self._values = told


def _once(texts: list[str]) -> list[Any]:
    """Return texts that repeat as a list of those that differ, and the number of each."""
    numbers: dict[str, int] = {}
    told = (numbers.setdefault(text, len(numbers)) for text in texts)
    which = np.fromiter(told, dtype=np.int32, count=len(texts))
    return [list(numbers), which]
