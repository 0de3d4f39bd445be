"""What links at one place of a page have brought: for telling why, and for trying every kind.

A place is the end of a tag path. Choosing goes by the regressions; but when nothing has been found
for long, kinds of links that were hardly ever followed come first, and a crawl is not over before.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Places that are told apart: a site whose every link has an id of its own has more. The last
#: stands for all further ones.
MOST = 20_000
MOST_TOLD = 200
#: Links of a kind that must have been followed in vain before it is known to be barren: a kind
#: of which one link in five pays is missed once in ten times.
ENOUGH = 10


class Tracks:
    """Counts by place: links followed, targets behind them, their squares."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._told = np.zeros((3, 64))

    def number(self, path: str) -> int:
        """Return the number of the place where a tag path ends."""
        steps = path.split("/")
        name = ("…/" if len(steps) > 4 else "") + "/".join(steps[-3:])[:110]
        known = self._numbers.get(name)
        if known is None:
            if len(self._names) >= MOST:
                return MOST - 1
            known = self._numbers[name] = len(self._names)
            self._names.append(name)
            if known == self._told.shape[1]:
                self._told = np.concatenate([self._told, np.zeros_like(self._told)], axis=1)
        return known

    def name(self, arm: int) -> str:
        """Return what a place is called."""
        return self._names[arm]

    @property
    def barren(self) -> NDArray[np.bool_]:
        """Of each place, whether enough of its links were followed to know what it is worth."""
        enough: NDArray[np.bool_] = self._told[0] >= ENOUGH
        return enough

    def note(self, arm: int, brought: float) -> None:
        """Count a link that was followed."""
        self._told[:, arm] += (1.0, brought, brought * brought)

    def say(self, arm: int) -> str:
        """Tell in plain words what links at a place brought, and how sure that is."""
        followed, total, squares = self._told[:, arm]
        if not followed:
            return "no link at such a place was followed before"
        mean = total / followed
        spread = math.sqrt(max(squares / followed - mean * mean, 0.0) / followed)
        links = "link" if followed == 1 else "links"
        sure = f" ± {spread:.2f}" if followed > 1 else ""
        return (
            f"{followed:.0f} {links} at such a place led to about {mean:.2f}{sure} new files each"
        )

    def summary(self, known: NDArray[np.int32]) -> list[dict[str, Any]]:
        """Return the places that were tried, those that paid most first.

        known: the places of the links that are left.
        """
        left = np.bincount(known, minlength=len(self._names))
        tried = np.flatnonzero(self._told[0]).tolist()
        paid = sorted((-self._told[1, arm], self._names[arm], arm) for arm in tried)
        return [
            {
                "name": name,
                "pulls": int(self._told[0, arm]),
                "mean": float(-negative / self._told[0, arm]),
                "left": int(left[arm]),
                "example": name,
            }
            for negative, name, arm in paid[:MOST_TOLD]
        ]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: an array that grows is stored without the room that is kept free.
        size = len(self._names)
        return {"version": 1, "names": list(self._names), "told": self._told[:, :size].copy()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._names = list(state["names"])
        self._numbers = {name: number for number, name in enumerate(self._names)}
        room = 64
        while room < len(self._names):
            room *= 2
        self._told = np.zeros((3, room))
        self._told[:, : len(self._names)] = state["told"]
