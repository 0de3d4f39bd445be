import pytest

from filon.learn.discounted import Discounted

both = pytest.mark.parametrize("choice", ["thompson", "ucb"])


def play(bandit: Discounted, rates: dict[str, tuple[float, float]], pulls: int) -> list[str]:
    """Pull; rates: gain and cost of a pull of each arm."""
    told = []
    for _ in range(pulls):
        arm, _ = bandit.choose(rates)
        bandit.pull(arm, rates[arm][1])
        bandit.gain(arm, rates[arm][0])
        told.append(arm)
    return told


@both
def test_the_arm_that_brings_most_for_its_cost_is_used_most(choice: str) -> None:
    rates = {"dear": (2.0, 10.0), "cheap": (1.0, 2.0), "barren": (0.0, 1.0)}
    told = play(Discounted(seed=1, choice=choice), rates, 200)
    assert told.count("cheap") > 120
    assert 0 < told.count("barren") < 60


@both
def test_an_arm_that_wears_out_is_left(choice: str) -> None:
    bandit = Discounted(seed=2, fade=0.9, choice=choice)
    play(bandit, {"a": (1.0, 1.0), "b": (0.3, 1.0)}, 100)
    later = play(bandit, {"a": (0.0, 1.0), "b": (0.3, 1.0)}, 60)
    assert later[20:].count("b") > later[20:].count("a")


def test_a_draw_stands_until_a_pull() -> None:
    bandit = Discounted(seed=3)
    first = bandit.choose(["a", "b"])
    assert all(bandit.choose(["a", "b"]) == first for _ in range(20))
    bandit.pull("a", 1.0)
    assert bandit.choose(["a", "b"]) != first


def test_a_use_that_costs_nothing_is_counted_and_changes_nothing_else() -> None:
    bandit = Discounted(seed=3)
    bandit.pull("a", 1.0)
    bandit.gain("a", 1.0)
    before = bandit.rate("a")
    bandit.pull("b", 0.0)
    assert bandit.rate("a") == before
    assert [told["pulls"] for told in bandit.summary()] == [1, 1]


def test_no_arm_is_chosen_of_none() -> None:
    assert Discounted(seed=1).choose([])[0] == ""
    with pytest.raises(ValueError, match="thompson or ucb"):
        Discounted(seed=1, choice="luck")
