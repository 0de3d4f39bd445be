"""The actions of SB-CLASSIFIER: groups of links by tag path, pulled by a sleeping bandit."""

from random import Random
from typing import Any, NamedTuple

import numpy as np

from filon.core.forms import RANDOM, each, row
from filon.core.state import Stateful, stored, version
from filon.learn import Auer, PathClusters


class Place(NamedTuple):
    """A link in the frontier: its URL, the page it stands on, and what the classifier reads.

    text, around: kept only where the classifier looks at the context.
    """

    url: str
    parent: str
    path: str = ""
    text: str = ""
    around: str = ""


class Arms(Stateful):
    """The frontier, grouped: each action holds its unvisited links (section 3.2)."""

    STATE = (
        version(1),
        "groups",
        "bandit",
        "examples",
        stored("_places", each(each(row(Place)))),
        stored("_random", RANDOM, key="dice"),
    )

    def __init__(self, alpha: float, n: int, theta: float, m: int, w: int, seed: int) -> None:
        self.groups = PathClusters(n=n, theta=theta, m=m, w=w)
        self.bandit = Auer(alpha)
        self.examples: list[str] = []  # the first tag path of each action
        self._places: list[list[Place]] = []
        self._awake = bytearray()  # 1 where an action has links left
        self._random = Random(seed)

    def __len__(self) -> int:
        return sum(map(len, self._places))

    def of(self, path: str) -> int:
        """Map a tag path to its action, which may be new: Algorithm 1."""
        arm = self.groups.assign(path)
        if arm == len(self.bandit):
            self.bandit.add()
            self.examples.append(path)
            self._places.append([])
            self._awake.append(0)
        return arm

    def put(self, arm: int, place: Place) -> None:
        """Add a link to the frontier."""
        self._places[arm].append(place)
        self._awake[arm] = 1

    def draw(self, t: int) -> tuple[int, Place, float] | None:
        """Choose an action, count the selection, and take one of its links at random.

        Returns the action, the link and the score that the action was chosen by.
        """
        arm = self.bandit.choose(np.frombuffer(self._awake, dtype=np.bool_), t)
        if arm < 0:
            return None
        score = float(self.bandit.scores(t)[arm])
        self.bandit.pull(arm)
        places = self._places[arm]
        index = self._random.randrange(len(places))
        places[index], places[-1] = places[-1], places[index]
        place = places.pop()
        self._awake[arm] = bool(places)
        return arm, place, score

    def name(self, arm: int) -> str:
        """Return a short name: the end of the action's first tag path."""
        steps = self.examples[arm].split("/")
        return f"{arm} {'…/' if len(steps) > 4 else ''}{'/'.join(steps[-3:])}"[:120]

    def restored(self) -> None:
        """Wake the actions that have links left."""
        self._awake = bytearray(bool(places) for places in self._places)

    def summary(self) -> list[dict[str, Any]]:
        """Return the arms, those that paid most first."""
        rows = [
            {
                "name": self.name(arm),
                "pulls": int(self.bandit.pulls[arm]),
                "mean": float(self.bandit.means[arm]),
                "left": len(self._places[arm]),
                "example": self.examples[arm],
            }
            for arm in range(len(self.bandit))
        ]
        return sorted(rows, key=lambda row: (-row["mean"] * row["pulls"], row["name"]))
