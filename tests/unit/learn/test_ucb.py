import math

import pytest

from filon.learn.ucb import Ucb


def test_an_arm_that_was_never_pulled_comes_first_in_the_order_given() -> None:
    bandit = Ucb(["a", "b", "c"])
    bandit.learn("a", 1.0, 100)
    assert bandit.choose(["c", "b", "a"]) == "b"


def test_the_score_is_equation_6() -> None:
    bandit = Ucb(["a", "b"])
    bandit.learn("a", 0.5, 30)
    bandit.learn("b", 0.2, 10)
    assert bandit.scores()["b"] == pytest.approx(0.2 + math.sqrt(2 * math.log(40) / 10))


def test_means_are_weighted_by_what_is_counted() -> None:
    pages, pulls = Ucb(["a"], "pages"), Ucb(["a"], "pulls")
    for bandit in (pages, pulls):
        bandit.learn("a", 1.0, 30)
        bandit.learn("a", 0.0, 10)
    assert pages.summary() == [{"arm": "a", "pulls": 2, "mean": 0.75}]
    assert pulls.summary() == [{"arm": "a", "pulls": 2, "mean": 0.5}]


def test_an_empty_pull_counts() -> None:
    bandit = Ucb(["a", "b"])
    bandit.learn("a", 0.0, 0)
    assert bandit.choose(["a", "b"]) == "b"


def test_a_sleeping_arm_is_never_chosen() -> None:
    assert Ucb(["a", "b"]).choose(["b"]) == "b"
    assert Ucb(["a", "b"]).choose([]) == ""


def test_pulls_explore_longer_than_pages() -> None:
    chosen = {}
    for count in ("pages", "pulls"):
        bandit = Ucb(["good", "poor"], count)
        for _ in range(30):
            arm = bandit.choose(["good", "poor"])
            bandit.learn(arm, 0.6 if arm == "good" else 0.4, 200)
        chosen[count] = bandit.summary()[1]["pulls"]
    assert chosen["pulls"] > chosen["pages"]
