"""A bandit whose arms differ in price and wear out: gains per unit of cost, the old ones fading.

Gains of an arm are taken for a Poisson process in the cost that it was given, with a Gamma belief
about its rate. Thompson sampling draws a rate from each belief; the alternative is the mean and a
bonus (discounted UCB, after Garivier and Moulines 2011). What is older counts less at each pull of
any arm, so an arm that was left is tried again some day.
"""

import math
from collections.abc import Iterable
from random import Random
from typing import Any

from filon.core.forms import LIST, RANDOM, table
from filon.core.state import Stateful, stored, version

CHOICES = ("thompson", "ucb")
#: What is believed before anything was seen: one gain for so much cost.
GAIN, COST = 1.0, 3.0
#: The weight of the bonus of UCB.
BONUS = 0.5


class Discounted(Stateful):
    """Chooses among named arms by gain per unit of cost, of late. Arms can be added at any time.

    fade: what remains of a gain and of a cost after a pull: 0.98 remembers some 50 pulls.
    choice: "thompson" draws a rate from each arm's Gamma belief; "ucb" takes mean and bonus.
    gain, cost: what is believed of an arm before anything was seen.

    One arm brings 0.8 a unit of cost until it runs dry after 200 pulls, the other always 0.4:

    >>> from random import Random
    >>> bandit, chance, chosen = Discounted(seed=1), Random(1), []
    >>> for t in range(400):
    ...     arm = bandit.choose(["rich", "steady"])[0]
    ...     bandit.pull(arm, cost=1.0)
    ...     rate = 0.4 if arm == "steady" else 0.8 if t < 200 else 0.0
    ...     bandit.gain(arm, float(chance.random() < rate))
    ...     chosen.append(arm)
    >>> first, second = chosen[:200].count("rich"), chosen[200:].count("steady")
    >>> print(f"of the pulls, to the better arm: {first / 200:.0%}, then {second / 200:.0%}")
    of the pulls, to the better arm: 92%, then 71%

    Reference: A. Garivier and E. Moulines, "On Upper-Confidence Bound Policies for Switching Bandit
    Problems", ALT 2011, arXiv:0805.3415 (discounted UCB), for the fading and for "ucb"; W. R.
    Thompson, "On the Likelihood that One Unknown Probability Exceeds Another in View of the
    Evidence of Two Samples", Biometrika 25, 1933, for "thompson". The prices of arms are our own.
    """

    STATE = (
        version(1),
        stored("_arms", table(LIST)),
        "_drawn",
        stored("_random", RANDOM, key="dice"),
    )

    def __init__(
        self,
        *,
        seed: int,
        fade: float = 0.98,
        choice: str = "thompson",
        gain: float = GAIN,
        cost: float = COST,
    ) -> None:
        if choice not in CHOICES:
            raise ValueError(f"an arm is chosen by {' or '.join(CHOICES)}, not {choice}")
        self._fade, self._choice = fade, choice
        self._gain, self._cost = gain, cost
        self._random = Random(seed)
        self._arms: dict[str, list[float]] = {}  # faded gain and cost; pulls, whole gain and cost
        self._drawn: dict[str, float] = {}

    def add(self, arm: str) -> None:
        """Add an arm, unless it is there."""
        self._arms.setdefault(arm, [0.0] * 5)

    def pull(self, arm: str, cost: float) -> None:
        """Take note that an arm is used at a cost; all that was seen fades, and draws are made.

        A use that costs nothing is counted, and no more.
        """
        self.spend(arm, cost)
        self._arms[arm][2] += 1
        if not cost:
            return
        for figures in self._arms.values():
            figures[0] *= self._fade
            figures[1] *= self._fade
        self._drawn = {}

    def spend(self, arm: str, cost: float) -> None:
        """Take note of a cost that an earlier pull entailed."""
        self.add(arm)
        self._arms[arm][1] += cost
        self._arms[arm][4] += cost

    def gain(self, arm: str, gain: float) -> None:
        """Take note of what an arm brought."""
        self.add(arm)
        self._arms[arm][0] += gain
        self._arms[arm][3] += gain

    def rate(self, arm: str) -> float:
        """Return the gain that is expected of a unit of cost."""
        gain, cost = self._arms[arm][:2]
        return (self._gain + gain) / (self._cost + cost)

    def choose(self, awake: Iterable[str]) -> tuple[str, float]:
        """Return the best of some arms and its score; "" if there are none.

        A draw stands until the next pull: who asks often is not luckier for it.
        """
        best, score = "", -math.inf
        for arm in awake:
            self.add(arm)
            if arm not in self._drawn:
                self._drawn[arm] = self._draw(arm)
            if self._drawn[arm] > score:
                best, score = arm, self._drawn[arm]
        return best, score

    def _draw(self, arm: str) -> float:
        gain, cost = self._arms[arm][:2]
        if self._choice == "thompson":
            return self._random.gammavariate(self._gain + gain, 1 / (self._cost + cost))
        total = sum(figures[1] for figures in self._arms.values())
        bonus = math.sqrt(self.rate(arm) * math.log(2 + total) / (self._cost + cost))
        return self.rate(arm) + BONUS * bonus

    def summary(self) -> list[dict[str, Any]]:
        """Return the arms for people: mean is the gain of a unit of cost over all."""
        return [
            {
                "arm": arm,
                "pulls": int(pulls),
                "mean": round(gain / cost, 4) if cost else 0.0,
                "brought": round(gain, 2),
                "cost": round(cost, 2),
                "lately": round(self.rate(arm), 4),
            }
            for arm, (_, _, pulls, gain, cost) in self._arms.items()
        ]
