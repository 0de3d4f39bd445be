import math

import numpy as np
import pytest

from filon.learn import Auer

ALL = np.array([True, True, True])


def three() -> Auer:
    bandit = Auer()
    for _ in range(3):
        bandit.add()
    return bandit


def test_untried_arms_come_first_and_the_oldest_of_them() -> None:
    bandit = three()
    bandit.pull(0)
    bandit.reward(0, 1000.0)
    assert bandit.choose(ALL, t=2) == 1


def test_a_sleeping_arm_is_never_chosen() -> None:
    bandit = three()
    assert bandit.choose(np.array([False, False, True]), t=5) == 2
    assert bandit.choose(np.array([False, False, False]), t=5) == -1


def test_scores_are_the_papers() -> None:
    bandit = three()
    for reward in (4.0, 2.0):
        bandit.pull(1)
        bandit.reward(1, reward)
    expected = 3.0 + 2 * math.sqrt(2) * math.sqrt(math.log(10) / (2 + 1e-6))
    assert bandit.scores(10)[1] == pytest.approx(expected)


def test_a_pull_without_reward_lowers_the_bonus_and_leaves_the_mean() -> None:
    bandit = three()
    bandit.pull(0)
    bandit.reward(0, 2.0)
    before = bandit.scores(50)[0]
    bandit.pull(0)
    assert bandit.means[0] == 2.0
    assert bandit.scores(50)[0] < before


def test_hundreds_of_arms_keep_their_numbers() -> None:
    bandit = Auer()
    assert [bandit.add() for _ in range(300)] == list(range(300))
    bandit.pull(299)
    assert bandit.pulls.sum() == 1
