"""AUER: the upper-confidence bandit whose arms may sleep (section 3.2 of SB-CLASSIFIER)."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Keeps an arm that was never pulled finite, and above all others.
EPSILON = 1e-6


class Auer:
    """Arms with a mean reward and a number of pulls; sleeping ones are passed over.

    >>> bandit = Auer(alpha=0.1)
    >>> first, second = bandit.add(), bandit.add()
    >>> bandit.pull(first); bandit.reward(first, 3.0)
    >>> bandit.pull(second); bandit.reward(second, 1.0)
    >>> bandit.choose(np.array([True, True]), t=2)
    0
    """

    def __init__(self, alpha: float = 2 * math.sqrt(2)) -> None:
        self.alpha = alpha
        self._size = 0
        self._pulls = np.zeros(64)
        self._means = np.zeros(64)

    def __len__(self) -> int:
        return self._size

    @property
    def pulls(self) -> NDArray[np.float64]:
        """How often each arm was pulled: N_t(a)."""
        return self._pulls[: self._size]

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean reward of each arm: R_mean(a)."""
        return self._means[: self._size]

    def add(self) -> int:
        """Add an arm and return its number."""
        if self._size == len(self._pulls):
            self._pulls = np.concatenate([self._pulls, np.zeros(self._size)])
            self._means = np.concatenate([self._means, np.zeros(self._size)])
        self._size += 1
        return self._size - 1

    def scores(self, t: int) -> NDArray[np.float64]:
        """Return the score s_MAB of every arm, awake or not."""
        bonus = np.sqrt(math.log(max(t, 1)) / (self.pulls + EPSILON))
        return self.means + self.alpha * bonus

    def choose(self, awake: NDArray[np.bool_], t: int) -> int:
        """Return the awake arm with the highest score, the oldest among equals; -1 if all sleep."""
        if not awake.any():
            return -1
        return int(np.argmax(np.where(awake, self.scores(t), -np.inf)))

    def pull(self, arm: int) -> None:
        """Count a selection of an arm."""
        self._pulls[arm] += 1

    def reward(self, arm: int, reward: float) -> None:
        """Move an arm's mean towards a reward: the last line of Algorithm 4."""
        self._means[arm] += (reward - self._means[arm]) / max(self._pulls[arm], 1)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: arrays that grow are stored without the room that is kept free.
        return {"version": 1, "pulls": self.pulls.copy(), "means": self.means.copy()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._size = len(state["pulls"])
        room = np.zeros(max(64, self._size))
        self._pulls = np.concatenate([state["pulls"], room])
        self._means = np.concatenate([state["means"], room])
