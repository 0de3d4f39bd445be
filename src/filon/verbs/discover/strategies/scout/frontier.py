"""All pages that could be asked for next, in one order of merit, whoever named them.

The merit of a page is the chance that it is good, times the chance that its site is still wanted,
for each request that it will cost. The chance joins who led there (sources.py) and what is known
of the page (clues.py), which a classifier weighs that learns from every outcome.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.core.forms import Form, each
from filon.learn.ftrl import Ftrl
from filon.page.url import key
from filon.verbs.discover.strategies.scout.clues import SIZE, clues
from filon.verbs.discover.strategies.scout.sources import Sources

#: Beyond this many, the worst half is forgotten.
MOST_WAITING = 40_000
#: Outcomes after which all that waits is weighed anew, or one for so many that wait; between, only
#: what an outcome touches is.
ANEW, ANEW_EACH = 10, 200
MOST_ORIGINS = 8
_FAR = 30.0


@dataclass(slots=True)
class Candidate:
    """A page that waits.

    text: title, snippet or anchor. hub: it is wanted for its links.
    prior: what was known of its words beforehand, as a logarithm of odds.
    value: what it is worth if it is good, from 0 to 1: less off the topic.
    """

    url: str
    site: str
    text: str = ""
    operator: str = ""
    searcher: str = ""
    query: str = ""
    parent: str = ""
    hub: bool = False
    prior: float = 0.0
    value: float = 1.0
    origins: list[tuple[str, str]] = field(default_factory=list)
    clues: list[int] = field(default_factory=list)


class Frontier:
    """Candidates by number, and what each is worth.

    wanted: how much a site is still wanted, from 0 to 1.
    cost: the requests that a page of this chance will cost in all.
    hub: what a request for a hub is worth, by its arm.
    """

    def __init__(
        self,
        sources: Sources,
        wanted: Callable[[str], float],
        cost: Callable[[float], float],
        hub: Callable[[str], float],
    ) -> None:
        self._sources, self._wanted, self._cost, self._hub = sources, wanted, cost, hub
        self.model = Ftrl(SIZE, alpha=0.3, l1=0.0, l2=1.0)
        self._all: list[Candidate] = []
        self._numbers: dict[str, int] = {}
        self._at_site: dict[str, list[int]] = {}
        self._at_source: dict[str, list[int]] = {}
        self._worth: NDArray[np.float64] = np.full(256, -1.0)
        self._outcomes = 0

    def __len__(self) -> int:
        return int((self._worth[: len(self._all)] > 0).sum())

    def add(self, one: Candidate) -> float:
        """Let a page wait, or take note of who else names it; return its chance, 0 for the old."""
        name = key(one.url)
        if name in self._numbers:
            self._met_again(self._numbers[name], one)
            return 0.0
        one.clues = clues(one.url, one.text, one.operator)
        number = len(self._all)
        if number == len(self._worth):
            self._worth = np.concatenate([self._worth, np.full(number, -1.0)])
        self._all.append(one)
        self._numbers[name] = number
        self._at_site.setdefault(one.site, []).append(number)
        for _, source in one.origins:
            self._at_source.setdefault(source, []).append(number)
        self._weigh(number)
        chance = self.chance(one)
        if len(self._all) > MOST_WAITING:
            self._forget()
        return chance

    def _met_again(self, number: int, one: Candidate) -> None:
        known = self._all[number]
        for origin in one.origins:
            if origin not in known.origins and len(known.origins) < MOST_ORIGINS:
                known.origins.append(origin)
                self._at_source.setdefault(origin[1], []).append(number)
        known.hub = known.hub and one.hub
        if one.text and not known.text:
            known.text, known.prior, known.value = one.text, one.prior, one.value
            known.clues = clues(known.url, known.text, known.operator)
        if self._worth[number] >= 0:
            self._weigh(number)

    def chance(self, one: Candidate) -> float:
        """Return the chance that a page is good."""
        margin = self._sources.margin(one.origins) + one.prior + self.model.margin(one.clues)
        return float(1 / (1 + np.exp(-np.clip(margin, -_FAR, _FAR))))

    def _weigh(self, number: int) -> None:
        one = self._all[number]
        if one.hub:
            self._worth[number] = self._hub(one.origins[0][0]) * len(one.origins) ** 0.5
            return
        chance = self.chance(one)
        self._worth[number] = chance * one.value * self._wanted(one.site) / self._cost(chance)

    def best(self) -> tuple[int, float]:
        """Return the number of the best page and its worth; -1 if none is wanted."""
        if not self._all:
            return -1, 0.0
        number = int(np.argmax(self._worth[: len(self._all)]))
        worth = float(self._worth[number])
        return (number, worth) if worth > 0 else (-1, 0.0)

    def take(self, number: int) -> Candidate:
        """Return a page that is asked for now, and waits no longer."""
        self._worth[number] = -1.0
        return self._all[number]

    def drop(self, url: str) -> None:
        """Let a page wait no longer: it was asked for on other grounds."""
        if (number := self._numbers.get(key(url))) is not None:
            self._worth[number] = -1.0

    def touch(self, site: str) -> None:
        """Weigh the pages of a site anew: how much it is wanted has changed."""
        for number in self._at_site.get(site, ()):
            if self._worth[number] >= 0:
                self._weigh(number)

    def learn(self, one: Candidate, good: float, weight: float = 1.0) -> None:
        """Take note of how good a page turned out to be."""
        one.clues = one.clues or clues(one.url, one.text, one.operator)
        offset = self._sources.margin(one.origins) + one.prior
        self.model.learn(one.clues, good, weight, offset)
        self._sources.learn(one.origins, good)
        self._outcomes += 1
        if self._outcomes >= ANEW + len(self._all) // ANEW_EACH:
            self._outcomes = 0
            self._weigh_all()
        else:
            for _, source in one.origins:
                for number in self._at_source.get(source, ()):
                    if self._worth[number] >= 0:
                        self._weigh(number)

    def _weigh_all(self) -> None:
        """Weigh all that wait, at once."""
        waiting = [n for n in range(len(self._all)) if self._worth[n] >= 0]
        plain = [n for n in waiting if not self._all[n].hub]
        for number in waiting:
            if self._all[number].hub:
                self._weigh(number)
        if not plain:
            return
        lengths = [len(self._all[n].clues) for n in plain]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        told = self.model.margins([c for n in plain for c in self._all[n].clues], starts.tolist())
        known = np.array([self._sources.margin(o.origins) + o.prior for o in self._of(plain)])
        chances = 1 / (1 + np.exp(-np.clip(told + known, -_FAR, _FAR)))
        wanted = np.array([one.value * self._wanted(one.site) for one in self._of(plain)])
        costs = np.array([self._cost(float(chance)) for chance in chances])
        self._worth[plain] = chances * wanted / costs

    def _of(self, numbers: list[int]) -> list[Candidate]:
        return [self._all[number] for number in numbers]

    def _forget(self) -> None:
        """Forget what was taken, and the worse half of the rest."""
        worth = self._worth[: len(self._all)]
        order = np.argsort(-worth, kind="stable")[: MOST_WAITING // 2]
        kept = sorted(int(number) for number in order if worth[number] >= 0)
        self._fill([self._all[n] for n in kept], [float(worth[n]) for n in kept])

    def _fill(self, kept: list[Candidate], worth: list[float]) -> None:
        self._all = kept
        self._worth = np.full(max(256, len(kept)), -1.0)
        self._worth[: len(kept)] = worth
        self._numbers = {key(one.url): number for number, one in enumerate(kept)}
        self._at_site, self._at_source = {}, {}
        for number, one in enumerate(kept):
            self._at_site.setdefault(one.site, []).append(number)
            for _, source in one.origins:
                self._at_source.setdefault(source, []).append(number)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: an array that grows is stored without the room that is kept free.
        return {
            "model": self.model.state(),
            "all": CANDIDATES.write(self._all),
            "worth": self._worth[: len(self._all)].copy(),
            "outcomes": self._outcomes,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.model.restore(state["model"])
        self._fill(CANDIDATES.read(state["all"]), [float(w) for w in state["worth"]])
        self._outcomes = state["outcomes"]


def _written(one: Candidate) -> list[Any]:
    told = [one.url, one.site, one.text, one.operator, one.searcher, one.query, one.parent]
    return [*told, one.hub, one.prior, one.value, [list(origin) for origin in one.origins]]


def _read(row: list[Any]) -> Candidate:
    one = Candidate(*row[:-1])
    one.origins = [(arm, source) for arm, source in row[-1]]
    one.clues = clues(one.url, one.text, one.operator)
    return one


#: A candidate in a declared state, and many; clues follow from the rest.
CANDIDATE = Form(_written, _read)
CANDIDATES = each(CANDIDATE)
