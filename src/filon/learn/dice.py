"""A seeded source of chance whose state is plain data."""

import random
from typing import Any


class Dice:
    """A random generator; the same seed or state gives the same draws on every machine.

    >>> dice = Dice(7)
    >>> draws = [dice.beta(8, 2) for _ in range(1000)]
    >>> print(f"a mean of {sum(draws) / 1000:.1f}: 8 hits and 2 misses")
    a mean of 0.8: 8 hits and 2 misses
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to bound - 1, all equally likely."""
        return self._random.randrange(bound)

    def beta(self, alpha: float, beta: float) -> float:
        """Return a chance drawn from a Beta distribution: what so many hits and misses suggest."""
        return self._random.betavariate(alpha, beta)

    def gamma(self, shape: float, scale: float) -> float:
        """Return a rate drawn from a Gamma distribution: what so many events suggest."""
        return self._random.gammavariate(shape, scale)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: the standard library's generator has a state of its own.
        version, internal, gauss = self._random.getstate()
        return {"version": 1, "random": [version, list(internal), gauss]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        version, internal, gauss = state["random"]
        self._random.setstate((version, tuple(internal), gauss))
