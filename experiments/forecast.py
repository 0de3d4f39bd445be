"""How good a strategy's forecast of the targets left is: forecast and truth along full runs."""

import asyncio
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.decision import Nowhere
from filon.compare.replica import Replica
from filon.core import Account, Budget, Find, Response, State, Step, Strategy, Summary, drive
from filon.page.types import Types
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief

#: Shares of all requests of a run after which the forecast is told.
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
#: Forecasts that are looked at along a run.
LOOKS = 100
#: The last targets: the share that counts as nearly done.
LAST = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A forecast after so many requests; left: the truth. mean: None where it is too early."""

    requests: int
    mean: float | None
    spread: float
    left: int

    @property
    def off(self) -> float:
        """By how much it is too high."""
        return 0.0 if self.mean is None else self.mean - self.left

    @property
    def holds(self) -> bool:
        """Tell whether the truth is within two spreads."""
        return abs(self.off) <= 2 * self.spread


class Watched:
    """A strategy that is asked for its forecast after every so many answers."""

    def __init__(self, inner: Strategy, every: int) -> None:
        self._inner = inner
        self._every = max(every, 1)
        self.requests = self.finds = 0
        self.told: list[tuple[int, int, float | None, float]] = []

    def propose(self) -> Step | None:
        """Ask the strategy for a step, and before it for its forecast."""
        step = self._inner.propose()  # it learns here
        if self.requests and self.requests % self._every == 0:
            forecast = self._inner.summary()["forecast"] or {"mean": None, "spread": 0.0}
            self.told.append((self.requests, self.finds, forecast["mean"], forecast["spread"]))
        return step

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Tell the strategy, and count."""
        finds = self._inner.observe(step, response)
        self.requests += 1
        self.finds += len(finds)
        return finds

    def state(self) -> State:
        """Return the strategy's own."""
        return self._inner.state()

    def restore(self, state: State) -> None:
        """Restore the strategy."""
        self._inner.restore(state)

    def summary(self) -> Summary:
        """Return the strategy's own."""
        return self._inner.summary()


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The forecasts along a full run, one after each hundredth of its requests."""

    site: str
    targets: int
    looks: tuple[Look, ...]

    def at(self, share: float) -> Look:
        """Return the forecast after a share of the requests."""
        whole = self.looks[-1].requests
        return min(self.looks, key=lambda look: abs(look.requests - share * whole))

    @property
    def told(self) -> list[Look]:
        """The forecasts that were made: elsewhere it was too early."""
        return [look for look in self.looks if look.mean is not None]

    @property
    def error(self) -> float:
        """The mean distance of forecast and truth, as a share of all targets."""
        off = [abs(look.off) for look in self.told]
        return statistics.fmean(off or [0.0]) / max(self.targets, 1)

    @property
    def covered(self) -> float:
        """The share of forecasts whose truth is within two spreads."""
        return statistics.fmean([look.holds for look in self.told] or [1.0])

    @property
    def covered_before(self) -> float:
        """The same, only while there was something left."""
        return statistics.fmean([look.holds for look in self.told if look.left] or [1.0])

    @property
    def late(self) -> float:
        """By how much it was ever too high when nearly all was found, as a share of all."""
        last = (look for look in self.told if look.left < LAST * self.targets)
        return max((look.off for look in last), default=0.0) / max(self.targets, 1)


def follow(replica: Replica, strategy: str, types: Types) -> Course:
    """Run a strategy to the last link and compare its forecasts with what came."""
    whole = _run(replica, strategy, types, 1 << 62)
    watched = _run(replica, strategy, types, whole.requests // LOOKS)
    looks = tuple(
        Look(requests=requests, mean=mean, spread=spread, left=watched.finds - finds)
        for requests, finds, mean, spread in watched.told
    )
    return Course(site=replica.name, targets=watched.finds, looks=looks)


def _run(replica: Replica, strategy: str, types: Types, every: int) -> Watched:
    brief = Brief(start=replica.start, types=types, stop="never", read=replica.memory.read)
    watched = Watched(build(strategy, brief), every)
    asyncio.run(drive(watched, replica.fresh(), Account(Budget()), Nowhere()))
    return watched


def show(paths: Sequence[Path], strategy: str, types: Types) -> None:
    """Print a table: forecasts and truths, and how far they are apart."""
    told = "".join(f" after {share:.0%} |" for share in SHARES)
    print(f"| site |{told} told | error | within 2 spreads | while some are left | late |")
    print("| --- |" + " ---: |" * (len(SHARES) + 5))
    points: list[Look] = []
    errors: list[float] = []
    for path in paths:
        course = follow(Replica.open(path, types), strategy, types)
        looks = [course.at(share) for share in SHARES]
        points += course.told
        errors += [abs(look.off) / max(course.targets, 1) for look in course.told]
        print(_row(course, looks), flush=True)
    if points:
        held = sum(look.holds for look in points)
        print(
            f"\nOf {len(points)} forecasts: median error {statistics.median(errors):.1%} of all "
            f"targets, mean {statistics.fmean(errors):.1%}; within 2 spreads {held}"
        )


def _row(course: Course, looks: Sequence[Look]) -> str:
    told = [f"{_cell(look)} \\| {look.left}" for look in looks]
    made = len(course.told) / len(course.looks)
    figures = (made, course.error, course.covered, course.covered_before, course.late)
    shares = [f"{100 * figure:.0f} %" for figure in figures]
    return "| " + " | ".join([course.site, *told, *shares]) + " |"


def _cell(look: Look) -> str:
    return "too early" if look.mean is None else f"{look.mean:.0f} ± {look.spread:.0f}"
