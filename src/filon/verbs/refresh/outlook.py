"""What is expected of another look: at a file, that it has changed; at a page, new files.

How often things change is learnt for each section of a site, and for each thing in it, from all
looks so far.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.core.state import Stateful, version
from filon.learn.change import Rates
from filon.page.sections import sections
from filon.run.history import CHANGES, FILE, PAGE, Dated, Look, Thing
from filon.verbs.refresh.told import ages_of, believed

Floats = NDArray[np.float64]
#: What a page that leads to no file yet counts as, beside one that leads to one.
LIGHT = 0.05
#: How much more, or less, than the mean page is expected of one, at most.
MOST_EXPOSED = 50.0
#: What has vanished is seldom there again: so much is left of the chance that such things change.
COMES_BACK = 0.02
#: No chance is taken for more, where its logarithm is needed.
MOST_CHANCE = 0.999


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a round begins with.

    things: what was there at the last look. looks: all looks of the rounds before.
    dates: when files had changed last, as the run itself saw them.
    now_s: when the round began. pages: how many pages are looked at again, at most.
    """

    things: Sequence[Thing]
    looks: Iterable[Look]
    now_s: float
    pages: int
    dates: Sequence[Dated] = ()
    seed: int = 0


class Outlook(Stateful):
    """Says what is expected of a look at each thing, and learns from looks."""

    STATE = (version(1), "rates", "_told", "_named")

    def __init__(self, known: Known) -> None:
        self.things = list(known.things)
        self.groups = groups(self.things)
        self.ages_s = np.array([max(1.0, known.now_s - thing.at_s) for thing in self.things])
        self.rates = Rates(seed=known.seed)
        self._urls = [thing.url for thing in self.things]
        self.known = frozenset(self._urls)
        self._exposed = exposures(self.things)
        self._told: Floats = np.full(len(self.things), np.nan)  # the chance, where lists say it
        self._named: set[int] = set()  # those of which a list says that they have changed
        self._is_page = np.array([thing.kind != FILE for thing in self.things], dtype=bool)
        self._is_gone = np.array([thing.is_gone for thing in self.things], dtype=bool)
        number_of = {url: number for number, url in enumerate(self._urls)}
        told = ages_of(known.dates).items()
        ages = {number_of[url]: age_s for url, age_s in told if url in number_of}
        self.rates.note_ages(
            [self.groups[number] for number in ages],
            [self._urls[number] for number in ages],
            [*ages.values()],
        )
        looks = [(number_of[look.url], look) for look in known.looks if look.url in number_of]
        self.rates.note_many(
            [self.groups[number] for number, _ in looks],
            [look.url for _, look in looks],
            [look.tau_s * float(self._exposed[number]) for number, look in looks],
            [
                look.outcome in CHANGES if look.kind == FILE else look.brought > 0
                for _, look in looks
            ],
        )

    def __len__(self) -> int:
        return len(self.things)

    def values(self, *, explore: bool = False) -> Floats:
        """Return what a look at each thing is expected to bring for a request.

        A page brings as many files as a Poisson process that has this chance of any: each of them
        costs a request more.

        explore: as if each group were as a draw from what is believed of it.
        """
        if not self.things:
            return np.zeros(0)
        taus = self.ages_s * self._exposed
        values = self.rates.chances(self.groups, self._urls, taus, explore=explore)
        values[self._is_gone] *= COMES_BACK
        values = np.where(np.isnan(self._told), values, self._told)
        files = -np.log1p(-np.minimum(values, MOST_CHANCE))
        return np.where(self._is_page, files / (1.0 + files), values)

    def saw(self, number: int, *, changed: bool) -> None:
        """Take note of a look now: whether a file has changed, or a page has new files."""
        exposed_s = float(self.ages_s[number] * self._exposed[number])
        self.rates.note(self.groups[number], self._urls[number], exposed_s, changed)

    def hear(self, said: Mapping[int, bool]) -> None:
        """Take note of what a list says: of which things that they have changed, or have not."""
        if said:
            numbers = np.array([*said])
            groups, urls = ([many[n] for n in numbers] for many in (self.groups, self._urls))
            taus = (self.ages_s * self._exposed)[numbers]
            chances = self.rates.chances(groups, urls, taus)
            self._told[numbers] = believed(chances, np.array([*said.values()]))
            self._named = {
                *self._named.difference(said),
                *(n for n, named in said.items() if named),
            }

    def is_named(self, number: int) -> bool:
        """Say whether a list says that a thing has changed."""
        return number in self._named

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Take up a round from before lists were heard."""
        return {"told": np.full(len(self.things), np.nan), "named": [], **state}


def groups(things: Sequence[Thing]) -> list[str]:
    """Return for each thing the kind that it is of: those are expected to change as often."""
    told = sections([thing.url for thing in things])
    return [
        f"{'vanished ' if thing.is_gone else ''}{thing.kind}s in {section}"
        for thing, section in zip(things, told, strict=True)
    ]


def exposures(things: Sequence[Thing]) -> NDArray[np.float64]:
    """Return how fast the time of each thing runs.

    A page that leads to twice as many files has twice the chance of a new one: as if twice the time
    had gone by.
    """
    exposed = np.ones(len(things))
    weights = {n: thing.weight + LIGHT for n, thing in enumerate(things) if thing.kind == PAGE}
    if weights:
        mean = sum(weights.values()) / len(weights)
        for number, weight in weights.items():
            exposed[number] = min(MOST_EXPOSED, max(1 / MOST_EXPOSED, weight / mean))
    return exposed
