"""Logistic regression that learns online and stays sparse: FTRL-proximal.

Features are numbers of a table of weights (binary vectors, hashed).
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Beyond this a sigmoid is 0 or 1 for every purpose.
_FAR = 35.0


class Ftrl:
    """Predicts the chance that a label is 1, and learns from one label at a time.

    size: of the table of weights, a power of two.
    alpha, beta: the learning rate of a weight is alpha / (beta + sqrt(sum of squared gradients)).
    l1: a weight is zero until its gradients add up to more. l2: pulls weights towards zero.

    Four of 64 features decide; each label is wrong with a chance of 5%:

    >>> from random import Random
    >>> chance, model, right = Random(1), Ftrl(size=64, alpha=0.5, l1=1.0), 0
    >>> for number in range(1000):
    ...     features = sorted(chance.sample(range(64), 10))
    ...     label = (features[0] < 4) != (chance.random() < 0.05)
    ...     right += (model.predict(features) > 0.5) == label and number >= 500
    ...     chance_before = model.learn(features, label)
    >>> print(f"accuracy {right / 500:.1%} on the second half")
    accuracy 94.8% on the second half
    >>> [round(model.margin([feature]), 1) for feature in (0, 3, 4, 40)]
    [2.8, 3.0, -0.2, 0.2]

    Reference: H. B. McMahan et al., "Ad Click Prediction: a View from the Trenches", KDD 2013,
    doi:10.1145/2487575.2488200, Algorithm 1; in Filon after H. Huang and F. Gandon, "Learning URI
    Selection Criteria to Improve the Crawling of Linked Open Data", ESWC 2019 (hal-02073854),
    section 4.4, Algorithm 1 and equation 3.
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

    def predict(self, features: Sequence[int], offset: float = 0.0) -> float:
        """Return the chance that the label is 1; offset: as in `learn`."""
        return _sigmoid(self.margin(features) + offset)

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
        # The closed form of the minimum of LDCOC's equation 3, with an L2 term beside the L1 term.
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
