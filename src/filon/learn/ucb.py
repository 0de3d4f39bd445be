"""UCB1, a bandit for arms with names."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from filon.core.state import Stateful, version


class Ucb(Stateful):
    """Chooses the arm with the highest upper confidence bound of its mean reward.

    count: what a pull counts for, "pages" or "pulls".
    A pull counts for as many pages as it brought, as both papers have it, or for one: with
    hundreds of pages a pull the bonus is soon too small to explore. A pull that brings nothing
    counts for one in either case, or it would be chosen for ever.

    Two arms pay 1 with a chance of 0.8 and of 0.2:

    >>> from random import Random
    >>> bandit, chance = Ucb(["keyword", "forward"], count="pulls"), Random(1)
    >>> for _ in range(1000):
    ...     arm = bandit.choose(["keyword", "forward"])
    ...     paid = chance.random() < (0.8 if arm == "keyword" else 0.2)
    ...     bandit.learn(arm, float(paid), pages=10)
    >>> print(f"{bandit.summary()[0]['pulls'] / 1000:.1%} of the pulls went to the better arm")
    97.2% of the pulls went to the better arm

    Reference: P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time Analysis of the Multiarmed
    Bandit Problem", Machine Learning 47, 2002, doi:10.1023/A:1013689704352; in K. Pham, A. Santos
    and J. Freire, "Bootstrapping Domain-Specific Content Discovery on the Web" (DISCO), WWW 2019,
    doi:10.1145/3308558.3313709, equation 6, and in H. Zhang, A. Santos and J. Freire, "DSDD:
    Domain-Specific Dataset Discovery on the Web", CIKM 2021, equation 1.
    """

    STATE = (version(1), "_means", "_counts", "_pulls")

    def __init__(self, arms: Sequence[str], count: str = "pages") -> None:
        if count not in ("pages", "pulls"):
            raise ValueError(f"an arm counts pages or pulls, not {count}")
        self.count = count
        self._means = dict.fromkeys(arms, 0.0)
        self._counts = dict.fromkeys(arms, 0)
        self._pulls = dict.fromkeys(arms, 0)

    def scores(self) -> dict[str, float]:
        """Return the mean and the bonus of every arm; one that was never pulled is above all."""
        total = max(1, sum(self._counts.values()))
        # DISCO's equation 6, DSDD's equation 1.
        return {
            arm: self._means[arm] + math.sqrt(2 * math.log(total) / count) if count else math.inf
            for arm, count in self._counts.items()
        }

    def choose(self, awake: Iterable[str]) -> str:
        """Return the awake arm with the highest score, the first among equals; "" if none is."""
        allowed, scores = frozenset(awake), self.scores()
        open_arms = [arm for arm in self._means if arm in allowed]
        return max(open_arms, key=lambda arm: scores[arm]) if open_arms else ""

    def learn(self, arm: str, reward: float, pages: int) -> None:
        """Take note of a pull: its mean reward and how many pages it brought."""
        weight = max(1, pages) if self.count == "pages" else 1
        self._pulls[arm] += 1
        self._counts[arm] += weight
        self._means[arm] += (reward - self._means[arm]) * weight / self._counts[arm]

    def summary(self) -> list[dict[str, Any]]:
        """Return the arms for people."""
        return [
            {"arm": arm, "pulls": self._pulls[arm], "mean": round(self._means[arm], 4)}
            for arm in self._means
        ]
