"""The papers' figures of merit, from the course of a run. Lower is better for all of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from filon.compare.census import Census
from filon.compare.trial import Arm, Course
from filon.learn.early_stop import EarlyStop

#: The share of the targets, or of their volume, at which crawlers are compared.
SHARE = 0.9
#: Points of a curve: enough for a plot of a thousand pixels.
POINTS = 501


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A run at POINTS even steps along an axis that runs from 0 to the full crawl.

    targets: share of all targets, over the requests (Figure 4, left).
    volume: share of the target volume, over the non-target volume (Figure 4, right).
    """

    targets: NDArray[np.float64]
    volume: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What one run is worth; shares in percent, infinite where 90 % was never reached.

    requests: to 90 % of the targets, in % of a full crawl (Table 2).
    wasted: of these the ones that brought no target, in % of those of a full crawl.
    volume: non-target bytes to 90 % of the target bytes, in % of all of them (Table 3).
    found: targets found at the end.
    saved, lost: requests saved and targets lost by early stopping (Table 2, below the rule).
    reward, reward_sd: over the arms that brought something (Table 6); NaN where none did.
    misclassified: URLs taken for a page that are targets, or the other way round, in %.
    """

    requests: float
    wasted: float
    volume: float
    found: float
    saved: float
    lost: float
    reward: float
    reward_sd: float
    misclassified: float
    spent: int
    cpu_s: float


def measure(course: Course, census: Census) -> Measure:
    """Compute all figures of a run."""
    all_targets = len(census.targets)
    at = _reach(course.targets, SHARE * all_targets)
    at_volume = _reach(course.target_bytes, SHARE * census.target_bytes)
    saved, lost = early_stop(course, all_targets)
    reward, reward_sd = rewards(course.arms)
    wasted = math.inf if at is None else at + 1 - int(course.targets[at])
    other_bytes = math.inf if at_volume is None else float(course.other_bytes[at_volume])
    return Measure(
        requests=_percent(math.inf if at is None else at + 1, census.requests),
        wasted=_percent(wasted, census.requests - all_targets),
        volume=_percent(other_bytes, census.other_bytes),
        found=_percent(int(course.targets[-1]) if course.requests else 0, all_targets),
        saved=saved,
        lost=lost,
        reward=reward,
        reward_sd=reward_sd,
        misclassified=misclassified(course),
        spent=course.requests,
        cpu_s=course.cpu_s,
    )


def early_stop(course: Course, all_targets: int) -> tuple[float, float]:
    """Return what section 4.8 would have saved and lost, in %, on a run that went to its end."""
    stop = EarlyStop()
    for at, found in enumerate(course.targets.tolist(), start=1):
        if stop.look(at, found):
            lost = int(course.targets[-1]) - found
            saved = course.requests - at
            return _percent(saved, course.requests), _percent(lost, all_targets)
    return 0.0, 0.0


def rewards(arms: tuple[Arm, ...]) -> tuple[float, float]:
    """Return mean and standard deviation of the mean rewards that are not zero."""
    means = [arm.mean for arm in arms if arm.mean > 0]
    return (float(np.mean(means)), float(np.std(means))) if means else (math.nan, math.nan)


def top_arms(arms: tuple[Arm, ...], count: int = 10) -> tuple[Arm, ...]:
    """Return the arms with the highest mean reward (Figure 5)."""
    return tuple(sorted(arms, key=lambda arm: -arm.mean)[:count])


def best_means(runs: Sequence[tuple[Arm, ...]]) -> list[float]:
    """Return the mean over runs of the best arm's reward, of the second best's, ..."""
    ranked = [[arm.mean for arm in top_arms(arms) if arm.mean > 0] for arms in runs]
    places = max(map(len, ranked), default=0)
    padded = [means + [0.0] * (places - len(means)) for means in ranked]
    return [float(np.mean(place)) for place in zip(*padded, strict=True)]


def misclassified(course: Course) -> float:
    """Return the rate over pages and targets, in %; NaN where nothing was classified."""
    total = sum(course.confusion.values())
    right = sum(count for (taken_for, kind), count in course.confusion.items() if taken_for == kind)
    return _percent(total - right, total) if total else math.nan


def curve(course: Course, census: Census) -> Curve:
    """Bring a run to the axes on which runs can be averaged."""
    steps = np.linspace(0, census.requests, POINTS)
    requests = np.arange(course.requests + 1)
    found = np.concatenate([[0], course.targets])
    spent_bytes = np.concatenate([[0], course.other_bytes])
    got_bytes = np.concatenate([[0], course.target_bytes])
    volumes = np.linspace(0, census.other_bytes, POINTS)
    return Curve(
        targets=_last_at(steps, requests, found) / max(1, len(census.targets)),
        volume=_last_at(volumes, spent_bytes, got_bytes) / max(1, census.target_bytes),
    )


def _last_at(
    points: NDArray[np.float64], at: NDArray[np.int64], values: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the last value at or before each point."""
    return values[np.searchsorted(at, points, side="right") - 1].astype(np.float64)


def _reach(sums: NDArray[np.int64], goal: float) -> int | None:
    """Return the first place where a sum is at least the goal."""
    at = int(np.searchsorted(sums, math.ceil(round(goal, 6))))
    return at if at < len(sums) else None


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0
