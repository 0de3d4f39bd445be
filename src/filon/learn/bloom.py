"""A set of texts that forgets nothing, remembers a little too much, and needs few bytes."""

from typing import Any

import mmh3
import numpy as np


class Bloom:
    """Bits that several hashes of a text set.

    bits: a power of two; with ten bits a text and seven hashes one in a hundred is taken for known.

    >>> known = Bloom(1024)
    >>> known.add("a")
    >>> "a" in known, "b" in known
    (True, False)
    """

    def __init__(self, bits: int = 1 << 20, hashes: int = 7) -> None:
        self._bits = bits
        self._hashes = hashes
        self._bytes = np.zeros(bits // 8, dtype=np.uint8)

    def add(self, text: str) -> None:
        """Remember a text."""
        for at in self._places(text):
            self._bytes[at >> 3] |= 1 << (at & 7)

    def __contains__(self, text: str) -> bool:
        return all(self._bytes[at >> 3] >> (at & 7) & 1 for at in self._places(text))

    def _places(self, text: str) -> list[int]:
        first, second = mmh3.hash64(text.encode(), signed=False)
        return [(first + number * second) % self._bits for number in range(self._hashes)]

    def state(self) -> dict[str, Any]:
        """Return the bits: those bytes that have any."""
        # By hand: most bytes are zero.
        at = np.flatnonzero(self._bytes)
        return {"version": 1, "at": at, "bytes": self._bytes[at]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._bytes[:] = 0
        self._bytes[np.asarray(state["at"], dtype=np.int64)] = state["bytes"]
