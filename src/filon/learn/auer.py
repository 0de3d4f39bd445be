"""AUER: an upper-confidence bandit of which only some arms can be pulled at a time."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Keeps an arm that was never pulled finite, and above all others.
EPSILON = 1e-6


class Auer:
    """Chooses among numbered arms by mean reward and a bonus for those that were seldom pulled.

    An arm that cannot be pulled now is asleep and is passed over. Arms can be added at any time.

    alpha: the weight of the bonus, in units of reward; 2 sqrt(2) is optimal for rewards in [0, 1].

    Two arms pay 1 with a chance of 0.6 and of 0.3:

    >>> from random import Random
    >>> bandit, chance = Auer(alpha=0.5), Random(1)
    >>> arms, both = [bandit.add(), bandit.add()], np.array([True, True])
    >>> for t in range(1, 1001):
    ...     arm = bandit.choose(both, t)
    ...     bandit.pull(arm)
    ...     bandit.reward(arm, float(chance.random() < (0.6, 0.3)[arm]))
    >>> print(f"{bandit.pulls[0] / 1000:.1%} of the pulls went to the better arm")
    99.2% of the pulls went to the better arm
    >>> bandit.choose(np.array([False, True]), t=1001)  # the better arm sleeps
    1

    Reference: A. Gauquier, I. Manolescu and P. Senellart, "Efficient Crawling for Scalable Web Data
    Acquisition", EDBT 2026 (extended version: arXiv:2602.11874), section 3.2 and Algorithm 3; after
    R. Kleinberg, A. Niculescu-Mizil and Y. Sharma, "Regret Bounds for Sleeping Experts and
    Bandits", COLT 2008.
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
        """Return the score s_MAB of every arm after t pulls in all, awake or not (section 3.2)."""
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
