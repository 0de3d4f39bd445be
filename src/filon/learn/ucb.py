"""UCB1 over arms with names: equation 6 of DISCO, equation 1 of DSDD."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from filon.core.state import Stateful, version


class Ucb(Stateful):
    """Mean rewards, weighted by what each pull counts for.

    A pull counts for as many pages as it brought, as both papers have it, or for one: with
    hundreds of pages a pull the bonus is soon too small to explore. A pull that brings nothing
    counts for one in either case, or it would be chosen for ever.

    >>> bandit = Ucb(["keyword", "forward"])
    >>> bandit.learn("keyword", 0.9, 50); bandit.learn("forward", 0.1, 50)
    >>> bandit.choose(["keyword", "forward"])
    'keyword'
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

    def told(self) -> list[dict[str, Any]]:
        """Return the arms for people."""
        return [
            {"arm": arm, "pulls": self._pulls[arm], "mean": round(self._means[arm], 4)}
            for arm in self._means
        ]
