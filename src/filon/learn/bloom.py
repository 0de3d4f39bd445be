"""A Bloom filter: a set of texts in few bytes, with false positives and no false negatives."""

from typing import Any

import mmh3
import numpy as np


class Bloom:
    """Tells whether a text was added; a text that was not is taken for known now and then.

    bits: the size of the table, a power of two. hashes: bits that a text sets. With ten bits a text
    and seven hashes the false positive rate is about (1 - e^(-7/10))^7 = 0.8%.

    >>> known = Bloom(bits=4096)
    >>> for number in range(409):
    ...     known.add(f"https://a.org/{number}")
    >>> all(f"https://a.org/{number}" in known for number in range(409))
    True
    >>> wrong = sum(f"https://b.org/{number}" in known for number in range(1000))
    >>> print(f"{wrong / 1000:.1%} of unknown texts are taken for known")
    0.7% of unknown texts are taken for known

    Reference: B. H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors",
    Communications of the ACM 13(7), 1970, doi:10.1145/362686.362692. The hashes are sums of two, as
    A. Kirsch and M. Mitzenmacher have it, "Less Hashing, Same Performance: Building a Better Bloom
    Filter", ESA 2006.
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
