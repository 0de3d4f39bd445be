"""What links at one place of a page have brought: not for choosing, but for telling why."""

import math
from typing import Any

#: Places that are told apart: a site whose every link has an id of its own has more.
MOST = 20_000
MOST_TOLD = 200


class Tracks:
    """Counts by the end of the tag path: links followed, targets behind them, their squares."""

    def __init__(self) -> None:
        self._told: dict[str, list[float]] = {}

    @staticmethod
    def name(path: str) -> str:
        """Return the name of a place: the last three steps of a tag path."""
        steps = path.split("/")
        return ("…/" if len(steps) > 4 else "") + "/".join(steps[-3:])[:110]

    def note(self, arm: str, brought: float) -> None:
        """Count a link that was followed; places beyond the bound are not told apart."""
        if arm not in self._told and len(self._told) >= MOST:
            arm = "elsewhere"
        told = self._told.setdefault(arm, [0.0, 0.0, 0.0])
        told[0] += 1
        told[1] += brought
        told[2] += brought * brought

    def say(self, arm: str) -> str:
        """Tell in plain words what links at a place brought, and how sure that is."""
        followed, total, squares = self._told.get(arm, (0.0, 0.0, 0.0))
        if not followed:
            return "no link at such a place was followed before"
        mean = total / followed
        spread = math.sqrt(max(squares / followed - mean * mean, 0.0) / followed)
        links = "link" if followed == 1 else "links"
        sure = f" ± {spread:.2f}" if followed > 1 else ""
        return (
            f"{followed:.0f} {links} at such a place led to about {mean:.2f}{sure} new files each"
        )

    def summary(self) -> list[dict[str, Any]]:
        """Return the places, those that paid most first."""
        paid = sorted((-total, arm, int(n)) for arm, (n, total, _) in self._told.items())
        return [
            {"name": arm, "pulls": n, "mean": -negative / n, "left": 0, "example": arm}
            for negative, arm, n in paid[:MOST_TOLD]
        ]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        return {"version": 1, "told": [[arm, *told] for arm, told in self._told.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._told = {arm: list(told) for arm, *told in state["told"]}
