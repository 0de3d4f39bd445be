"""Logistic regression that learns online and stays sparse: FTRL-proximal.

Features are numbers of a table of weights (binary vectors, hashed). After McMahan et al., "Ad
click prediction: a view from the trenches", Algorithm 1.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Beyond this a sigmoid is 0 or 1 for every purpose.
_FAR = 35.0


class Ftrl:
    """Learns the chance that a label is 1.

    size: of the table of weights, a power of two.
    alpha, beta: the learning rate of a weight; l1, l2: how hard a weight must earn its place.
    """

    def __init__(
        self,
        size: int = 1 << 20,
        *,
        alpha: float = 0.1,
        beta: float = 1.0,
        l1: float = 0.1,
        l2: float = 1.0,
    ) -> None:
        self._alpha, self._beta, self._l1, self._l2 = alpha, beta, l1, l2
        self._z = np.zeros(size)
        self._n = np.zeros(size)

    @property
    def size(self) -> int:
        """How many weights there are."""
        return len(self._z)

    def predict(self, features: Sequence[int]) -> float:
        """Return the chance that the label is 1."""
        return _sigmoid(self.margin(features))

    def margin(self, features: Sequence[int]) -> float:
        """Return the logarithm of the odds that the label is 1."""
        return float(self._weights(np.asarray(features, dtype=np.int64)).sum())

    def margins(self, features: Sequence[int], starts: Sequence[int]) -> NDArray[np.float64]:
        """Return the margins of many, whose features stand one after the other from `starts` on.

        None may be without features.
        """
        weights = self._weights(np.asarray(features, dtype=np.int64))
        return np.add.reduceat(weights, np.asarray(starts, dtype=np.int64))

    def learn(
        self, features: Sequence[int], label: float, weight: float = 1.0, offset: float = 0.0
    ) -> float:
        """Learn a label, or the chance of one; return the prediction before.

        weight: how many examples this one stands for.
        offset: what something else says of the margin: what is learnt is added to it.
        """
        at = np.asarray(features, dtype=np.int64)
        weights = self._weights(at)
        chance = _sigmoid(float(weights.sum()) + offset)
        gradient = (chance - label) * weight
        before = self._n[at]
        after = before + gradient * gradient
        sigma = (np.sqrt(after) - np.sqrt(before)) / self._alpha
        self._z[at] += gradient - sigma * weights
        self._n[at] = after
        return chance

    def _weights(self, at: NDArray[np.int64]) -> NDArray[np.float64]:
        z = self._z[at]
        shrunk = np.sign(z) * self._l1 - z
        rate = (self._beta + np.sqrt(self._n[at])) / self._alpha + self._l2
        return np.where(np.abs(z) <= self._l1, 0.0, shrunk / rate)

    def state(self) -> dict[str, Any]:
        """Return what was learnt: the few weights that were ever touched."""
        # By hand: most weights are zero.
        at = np.flatnonzero(self._n)
        return {"version": 1, "at": at, "z": self._z[at], "n": self._n[at]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._z[:] = 0.0
        self._n[:] = 0.0
        at = np.asarray(state["at"], dtype=np.int64)
        self._z[at], self._n[at] = state["z"], state["n"]


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-_FAR, min(_FAR, value))))
