"""What the crawlers among DISCO's baselines share: examples, then the best link that waits."""

from collections.abc import Mapping
from typing import Any

from filon.core import Step, UserError
from filon.core.state import Stateful, group
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.frontier import Frontier
from filon.verbs.discover.strategies.ground import Ground
from filon.verbs.discover.strategies.judge import Judge
from filon.verbs.discover.strategies.task import Task


class Crawl(Stateful):
    """The ground, the judge of pages, the links that wait, and when it is time to learn.

    told: "each", the pages that are asked for of each site, and "every", the pages between two
        fits of the link classifiers.
    """

    STATE = ("ground", "judge", "frontier", group("read", "_read", "fits"))

    def __init__(self, name: str, brief: Brief, told: Mapping[str, float | str]) -> None:
        needs_examples(name, brief)
        self.ground = Ground(brief)
        self.judge = Judge(self.ground)
        self.frontier = Frontier(self.ground, whole(told, "each"))
        self.fits = 0
        self._every = whole(told, "every")
        self._read = 0  # pages since the last fit
        for url in brief.seeds:
            if self.ground.want(url, Task(kind="seed")):
                self.frontier.visit(url)

    def propose(self) -> Step | None:
        """Return the examples, then what the ground has waiting, then the most promising link."""
        while True:
            if step := self.ground.propose():
                return step
            if not self.judge.ready:
                if not self.ground.idle:
                    return None
                self.judge.begin()
            if self.ground.full or not self.frontier.take():
                return None

    def due(self, able: bool) -> bool:
        """Count a page; True: it is time to fit. able: there is something to learn from."""
        self._read += 1
        if self._read < self._every or not able:
            return False
        self._read, self.fits = 0, self.fits + 1
        return True

    def summary(self) -> dict[str, Any]:
        """Say what was found, what waits, and how often the link classifiers were fitted."""
        told = {**self.ground.summary(), **self.judge.summary()}
        return told | {"waiting": len(self.frontier), "fits": self.fits}


def needs_examples(name: str, brief: Brief) -> None:
    """Refuse to begin without examples: the page classifier learns from them."""
    if not brief.seeds:
        raise UserError(f"The strategy {name} learns from examples: give some pages of the kind.")


def whole(told: Mapping[str, float | str], name: str) -> int:
    """Return an option that counts something."""
    try:
        number = float(told[name])
    except ValueError:
        number = 0.0
    if number < 1 or number != int(number):
        raise UserError(f"The option {name} must be a whole number from 1, not {told[name]!r}.")
    return int(number)
