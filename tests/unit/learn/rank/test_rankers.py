"""Rankers on two small topics: who is shown boats should prefer boats."""

import numpy as np
import pytest

from filon.learn.rank import ENSEMBLES, RANKERS, Ensemble, Fusion
from filon.learn.rank.ensemble import positions
from filon.learn.rank.linear import hinge, logistic, one_class
from filon.learn.rank.vectors import Vocabulary, grams, normed

BOATS = [
    "sailing boats and harbours of the north sea",
    "harbours for sailing boats, with tides",
    "boats on the sea: tides and sailing",
    "a harbour guide, sailing the north sea tides",
]
BREAD = [
    "baking bread with rye flour and sourdough",
    "sourdough bread, flour and oven baking",
    "the oven: baking rye bread",
    "flour for bread and cakes, baking at home",
]
MORE_BOATS = ["tides for sailing boats in the north", "sailing the sea with small boats"]
MORE_BREAD = ["rye bread and sourdough baking", "bread flour and the oven"]


def texts(*lines: str) -> list[list[str]]:
    return [grams(line) for line in lines]


@pytest.mark.parametrize("name", [*RANKERS, *(f"ensemble {how}" for how in ENSEMBLES), "fusion"])
def test_candidates_like_the_examples_come_first(name: str) -> None:
    how = name.removeprefix("ensemble ")
    ranker = Fusion() if name == "fusion" else RANKERS.get(name) or Ensemble(how)
    candidates = texts(*MORE_BREAD, *MORE_BOATS)
    scores = ranker(texts(*BOATS), texts(*BREAD), candidates)
    assert min(scores[2:]) > max(scores[:2])


@pytest.mark.parametrize("name", [*RANKERS, "fusion"])
def test_odd_texts_are_ranked_without_an_error(name: str) -> None:
    ranker = Fusion() if name == "fusion" else RANKERS[name]
    scores = ranker(
        texts(*BOATS), texts(*BREAD), texts("", "日本語 のテキスト", "sailing boats tides")
    )
    assert np.isfinite(scores).all()
    assert scores.argmax() == 2


def test_places_are_shared_by_equals() -> None:
    assert positions(np.array([3.0, 1.0, 3.0, 0.0])).tolist() == [1.5, 3.0, 1.5, 4.0]


def test_a_gram_must_be_shared_to_count() -> None:
    vocabulary = Vocabulary.learn(texts(*BOATS), 2)
    assert "sailing" in vocabulary.numbers
    assert "guide" not in vocabulary.numbers


def test_rows_have_length_one_and_empty_ones_stay_empty() -> None:
    matrix = normed(Vocabulary.learn(texts(*BOATS), 1).counts(texts(BOATS[0], "")))
    assert np.allclose((matrix.multiply(matrix)).sum(axis=1).A1, [1.0, 0.0])


def test_the_fits_separate_what_can_be_separated() -> None:
    matrix = Vocabulary.learn(texts(*BOATS, *BREAD), 1).weighted(texts(*BOATS, *BREAD))
    labels = [True] * 4 + [False] * 4
    for weights, intercept in (logistic(matrix, labels), hinge(matrix, labels, c=1.0)):
        said = (matrix @ weights + intercept) > 0
        assert said.tolist() == labels


def test_the_one_class_machine_keeps_its_weights_within_bounds() -> None:
    matrix = normed(Vocabulary.learn(texts(*BOATS), 1).counts(texts(*BOATS)))
    scores = matrix @ one_class(matrix, nu=0.5)
    # At the solution the examples that carry weight lie on one level, the others inside.
    assert scores.max() - scores.min() < 0.5
    assert (scores > 0).all()
