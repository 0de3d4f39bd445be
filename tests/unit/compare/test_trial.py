from pathlib import Path

import numpy as np
import pytest

from filon.compare.replica import Replica
from filon.compare.trial import Course, Tally, run
from filon.core import Reason, Request, Response, Step
from filon.page.types import Types
from filon.verbs.harvest.strategies import STRATEGIES
from replicas import write_replica

PAPER = Types.parse("paper")


def same(one: Course, other: Course) -> bool:
    return np.array_equal(one.targets, other.targets) and one.arms == other.arms


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_finds_all_and_repeats_itself_under_a_seed(
    strategy: str, tmp_path: Path
) -> None:
    replica = Replica.open(write_replica(tmp_path))
    course = run(replica, strategy, seed=1, types=PAPER)
    assert course.targets[-1] == len(replica.targets()) == 20
    assert course.target_bytes[-1] == replica.census.target_bytes
    assert course.stopped == "exhausted"
    assert same(course, run(replica, strategy, seed=1, types=PAPER))


def test_breadth_first_makes_a_full_crawl(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path))
    course = run(replica, "bfs", seed=0, types=PAPER)
    assert course.requests == replica.census.requests
    assert course.other_bytes[-1] == replica.census.other_bytes


def test_the_bandits_arms_come_with_their_rewards(tmp_path: Path) -> None:
    course = run(Replica.open(write_replica(tmp_path)), "sb-oracle", seed=0, types=PAPER)
    assert course.arms
    assert max(arm.mean for arm in course.arms) > 0


def test_only_a_crawler_that_classifies_can_misclassify(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path))
    perfect = run(replica, "sb-oracle", seed=0, types=PAPER).confusion
    assert set(perfect) == {("html", "html"), ("target", "target")}
    assert run(replica, "bfs", seed=0, types=PAPER).confusion == {}


def test_a_target_counts_once_and_a_head_costs_its_headers(tmp_path: Path) -> None:
    replica = Replica.open(write_replica(tmp_path))
    tally = Tally(replica)
    for method in ("HEAD", "GET", "GET"):
        request = Request(url="http://portal.test/d0.csv", method=method)
        step = Step(request=request, reason=Reason(kind="target"))
        tally.record(tally.begin(step), step, replica.answer(request), [], idle=False)
    assert list(tally.new) == [0, 1, 0]
    assert list(tally.target_bytes) == [0, 8, 8]
    assert tally.other_bytes[0] == len("Content-Type: text/csv\r\nContent-Length: 8\r\n")
    assert tally.confusion == {("target", "target"): 3}


def test_an_answer_that_failed_is_no_target(tmp_path: Path) -> None:
    tally = Tally(Replica.open(write_replica(tmp_path)))
    step = Step(request=Request(url="http://portal.test/d0.csv"))
    tally.record(1, step, Response(url=step.request.url, error="timeout"), [], idle=False)
    assert list(tally.new) == [0]
