import pytest

from filon.verbs.discover.strategies import seedfinder
from filon.verbs.discover.strategies.seedfinder import UNKNOWN, Relevance


def taught() -> Relevance:
    one = Relevance()
    one.teach(["bee", "bee", "hive", "menu"], good=True)
    one.teach(["menu", "car"], good=False)
    one.keep()
    return one


def test_a_word_gains_and_loses_by_its_share_of_a_page() -> None:
    worth = taught().state()["worth"]
    assert worth == pytest.approx({"bee": 0.5, "hive": 0.25, "menu": -0.25, "car": -0.5})


def test_a_query_has_the_best_words_and_one_that_was_never_tried() -> None:
    one = taught()
    assert one.best(1, ()) == ["bee"]
    assert one.best(1, ["bee"]) == ["hive"]
    assert one.best(2, ["bee"]) == ["bee", "hive"]


def test_words_that_others_have_are_never_tried() -> None:
    assert taught().best(3, ["bee", "hive"]) == []


def test_the_words_of_an_imprecise_query_are_worth_less() -> None:
    one = taught()
    one.charge(["bee", "apiary"], 0.1)
    worth = one.state()["worth"]
    assert worth["bee"] == pytest.approx(0.05)
    assert worth["apiary"] == pytest.approx(UNKNOWN * 0.1)
    assert one.best(1, ()) == ["hive"]


def test_what_is_dropped_is_not_learnt() -> None:
    one = taught()
    one.teach(["car"] * 5, good=True)
    one.drop()
    one.keep()
    assert one.state()["worth"]["car"] == pytest.approx(-0.5)


def test_of_too_many_words_the_worst_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seedfinder, "MOST_TERMS", 2)
    assert list(taught().state()["worth"]) == ["bee", "hive"]
