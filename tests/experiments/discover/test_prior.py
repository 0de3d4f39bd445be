from pathlib import Path

import pytest

from experiments.discover.prior import catalogues, halves, learn, portals
from filon.verbs.discover.strategies.page import shipped


def test_what_ships_can_be_learnt_anew(shared: Path) -> None:
    made, held = portals(shared / "data" / "discover"), shipped()
    assert made["stop"] == held["stop"]
    mine = dict(zip(made["words"], made["weights"], strict=True))
    theirs = dict(zip(held["words"], held["weights"], strict=True))
    both = mine.keys() & theirs.keys()
    # Where many words weigh alike, the last digit decides which are kept.
    assert len(both) > 0.98 * len(theirs)
    assert max(abs(mine[word] - theirs[word]) for word in both) < 0.05


def test_what_is_learnt_from_and_what_is_measured_on_have_nothing_in_common(shared: Path) -> None:
    names = catalogues(shared / "data" / "discover")
    one, other = halves(names)
    assert not set(one) & set(other)
    assert len(one) + len(other) == len(names)


def test_the_same_texts_give_the_same_weights() -> None:
    good = ["open data portal with datasets to download"] * 9
    bad = ["home page of a student with hobbies"] * 9
    told = learn(good, bad)
    weights = dict(zip(told["words"], told["weights"], strict=True))
    assert weights["data"] > 0 > weights["student"]
    assert told == learn(good, bad)
    assert told["intercept"] == pytest.approx(0.0, abs=0.2)
