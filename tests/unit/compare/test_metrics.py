import math

import numpy as np
import pytest

from filon.compare.census import Census
from filon.compare.metrics import POINTS, best_means, curve, early_stop, measure, rewards, top_arms
from filon.compare.trial import Arm, Course


def course(found: str, size: int = 10) -> Course:
    """A run from a word with a letter a request: T for a target, anything else for none."""
    hits = np.array([letter == "T" for letter in found], dtype=np.int64)
    return Course(
        targets=np.cumsum(hits),
        target_bytes=np.cumsum(hits * size),
        other_bytes=np.cumsum((1 - hits) * 3),
        stopped="exhausted",
    )


def census(targets: int, others: int) -> Census:
    urls = [f"t{i}" for i in range(targets)] + [f"h{i}" for i in range(others)]
    kinds = {url: "target" if url[0] == "t" else "html" for url in urls}
    return Census(kinds=kinds, sizes={url: 10 if url[0] == "t" else 3 for url in urls})


def test_requests_to_ninety_percent_are_counted_up_to_the_target_that_reaches_it() -> None:
    result = measure(course("h" + "T" * 9 + "hhhhh" + "T" + "hhhh"), census(10, 10))
    assert result.requests == 100 * 10 / 20
    assert result.wasted == 100 * 1 / 10
    assert result.volume == 100 * 3 / 30
    assert result.found == 100


def test_a_run_that_never_gets_there_is_infinitely_long() -> None:
    result = measure(course("hhTThh"), census(10, 10))
    assert math.isinf(result.requests)
    assert math.isinf(result.wasted)
    assert math.isinf(result.volume)
    assert result.found == 20


def test_early_stopping_saves_the_dull_end_and_loses_what_came_there() -> None:
    run = course("T" * 2000 + "h" * 60_000 + "T" * 10)
    saved, lost = early_stop(run, 2010)
    # The average falls below 0.2 after 32 dull looks of 1,000; the 15th of these stops.
    assert saved == pytest.approx(100 * (62_010 - 48_000) / 62_010, abs=2)
    assert lost == pytest.approx(100 * 10 / 2010)
    assert early_stop(course("Th" * 500), 500) == (0.0, 0.0)


def test_rewards_are_those_of_arms_that_brought_something() -> None:
    arms = tuple(Arm(name=str(i), pulls=1, mean=mean) for i, mean in enumerate([0, 1, 3, 0]))
    assert rewards(arms) == (2.0, 1.0)
    assert [arm.mean for arm in top_arms(arms, 2)] == [3, 1]
    assert all(math.isnan(each) for each in rewards(()))
    assert best_means([arms, arms[:2]]) == [2.0, 0.5]


def test_misclassification_is_a_share_of_pages_and_targets() -> None:
    confusion = {("html", "html"): 6, ("html", "target"): 1, ("target", "target"): 3}
    run = Course(
        targets=np.array([1]),
        target_bytes=np.array([1]),
        other_bytes=np.array([0]),
        stopped="",
        confusion=confusion,
    )
    assert measure(run, census(1, 1)).misclassified == 10
    assert math.isnan(measure(course("hT"), census(1, 1)).misclassified)


def test_a_curve_starts_at_nothing_and_keeps_its_last_value() -> None:
    drawn = curve(course("hTTh"), census(4, 4))
    assert len(drawn.targets) == len(drawn.volume) == POINTS
    assert drawn.targets[0] == 0
    assert drawn.targets[-1] == 0.5
    middle = POINTS // 2  # after four of eight requests
    assert drawn.targets[middle] == 0.5
    assert np.all(np.diff(drawn.targets) >= 0)
