import json

import numpy as np
import pytest

from filon.learn.rank.augmented import MOST_LABELS, LinearModel, OnlineClassifier, augmented
from filon.learn.rank.bm25 import bm25
from filon.learn.rank.linear import hinge
from filon.learn.rank.vectors import Vocabulary

GOOD = [["data", "portal", str(n)] for n in range(5)]
BAD = [["home", "page", str(n)] for n in range(5)]


def test_the_frequency_is_equation_4_before_it_is_normed() -> None:
    words = Vocabulary({"a": 0, "b": 1}, np.ones(2))
    row = augmented(words, [["a", "a", "a", "b"]]).toarray()[0]
    assert row[1] / row[0] == pytest.approx((0.5 + 0.5 / 3) / 1.0)
    assert np.linalg.norm(row) == pytest.approx(1.0)


def test_a_model_tells_what_it_was_taught_and_survives_packing() -> None:
    model = LinearModel.fit(GOOD + BAD, [True] * 5 + [False] * 5)
    again = LinearModel.unpack(json.loads(json.dumps(model.pack())))
    for one in (model, again):
        good, bad = one.scores([["portal", "data"], ["home"]])
        assert good > 0 > bad


def test_what_is_learnt_on_the_way_can_overrule_what_was_known() -> None:
    one = OnlineClassifier(LinearModel.fit(GOOD + BAD, [True] * 5 + [False] * 5))
    assert one.score(["portal", "spam"]) > 0
    for n in range(6):
        one.add(["portal", "spam", f"x{n}"], False)
        one.add(["data", "honey", f"y{n}"], True)
    one.refit()
    assert one.score(["portal", "spam"]) < 0 < one.score(["data", "honey"])


def test_without_online_learning_labels_change_nothing() -> None:
    one = OnlineClassifier(LinearModel.fit(GOOD + BAD, [True] * 5 + [False] * 5), online=False)
    before = one.score(["portal"])
    one.add(["portal"], False)
    one.refit()
    assert one.score(["portal"]) == before


def test_labels_of_one_kind_alone_are_survived_and_old_ones_forgotten() -> None:
    one = OnlineClassifier(LinearModel.nothing())
    for n in range(MOST_LABELS + 5):
        one.add([f"w{n}"], True)
    assert len(one.texts) == len(one.labels) == MOST_LABELS
    small = OnlineClassifier(LinearModel.nothing())
    small.add(["a"], False)
    small.refit()
    assert small.score(["a"]) < 0


def test_state_goes_on_exactly() -> None:
    one = OnlineClassifier(LinearModel.nothing())
    for text, label in [*((text, True) for text in GOOD), *((text, False) for text in BAD)]:
        one.add(text, label)
    one.refit()
    other = OnlineClassifier(LinearModel.nothing())
    other.restore(one.state())
    assert other.score(["data", "page"]) == one.score(["data", "page"])


def test_offsets_that_satisfy_all_margins_leave_nothing_to_learn() -> None:
    words = Vocabulary.learn(GOOD + BAD, 2)
    labels = [True] * 5 + [False] * 5
    sure = [2.0] * 5 + [-2.0] * 5
    weights, intercept = hinge(augmented(words, GOOD + BAD), labels, c=1.0, offsets=sure)
    assert not weights.any()
    assert intercept == 0


def test_bm25_prefers_rare_words_and_short_texts() -> None:
    texts = [["bee", "data"], ["bee", "data", *["x"] * 20], ["data"], ["data", "y"], ["z"]]
    scores = bm25(["bee", "data"], texts)
    assert scores[0] > scores[1] > scores[2] > scores[4] == 0
    assert bm25(["bee"], []) == []
