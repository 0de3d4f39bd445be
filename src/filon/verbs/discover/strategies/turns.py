"""Whose turn it is, and where it starts: what the rounds of DISCO and DSDD share.

UCB1 chooses among the operators that can go on; an operator never starts from a page twice.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from filon.core import UserError
from filon.learn.ucb import Ucb
from filon.verbs.discover.strategies import operators
from filon.verbs.discover.strategies.ground import Ground
from filon.verbs.discover.strategies.page import Page


def bandit(arms: Sequence[str], count: str | float) -> Ucb:
    """Return the bandit; count: what it counts."""
    if count not in ("pages", "pulls"):
        raise UserError(f"The bandit counts pages or pulls, not {count!r}.")
    return Ucb(arms, str(count))


class Turns:
    """Rounds, and the pages from which each operator has started. k: pages of a round."""

    def __init__(self, chooser: Ucb, arms: Sequence[str], k: int) -> None:
        self._bandit = chooser
        self._k = k
        self._used: dict[str, dict[str, None]] = {arm: {} for arm in arms}

    def begin(
        self, awake: Callable[[str], bool], best: Callable[[], Iterable[Page]]
    ) -> tuple[str, list[Page]]:
        """Return the operator of the next round and its pages; "": none is awake."""
        arm = self._bandit.choose(arm for arm in self._used if awake(arm))
        if not arm:
            return "", []
        pages = self.unused(arm, best())[: self._k]
        self._used[arm].update(dict.fromkeys(page.url for page in pages))
        return arm, pages

    def open(
        self,
        ground: Ground,
        awake: Callable[[str], bool],
        best: Callable[[], Iterable[Page]],
        queries: Callable[[str, list[Page]], list[str]],
    ) -> str:
        """Begin a round and return its operator; "": none can go on."""
        ground.searching.wake()
        arm, pages = self.begin(awake, best)
        if arm:
            operators.run(arm, ground, pages, queries(arm, pages))
        return arm

    def unused(self, arm: str, best: Iterable[Page]) -> list[Page]:
        """Return the pages from which an operator has not started, in their order."""
        used = self._used[arm]
        return [page for page in best if page.url not in used]

    def state(self) -> dict[str, Any]:
        """Return plain data; the bandit's is not in it."""
        # By hand: its keys are the arms.
        return {arm: list(used) for arm, used in self._used.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._used = {arm: dict.fromkeys(used) for arm, used in state.items()}
