import numpy as np

from filon.learn.ftrl import Ftrl


def taught(examples: list[tuple[list[int], bool]], **settings: float) -> Ftrl:
    model = Ftrl(64, **settings)
    for features, label in examples:
        model.learn(features, label)
    return model


def test_knows_nothing_at_first() -> None:
    assert Ftrl(64).predict([1, 2]) == 0.5


def test_learns_which_feature_tells_the_label() -> None:
    model = taught([([1, 9], True), ([2, 9], False)] * 50, alpha=0.5)
    assert model.predict([1, 9]) > 0.85
    assert model.predict([2, 9]) < 0.15
    assert 0.3 < model.predict([9]) < 0.7


def test_a_weighted_example_counts_for_more() -> None:
    light, heavy = taught([], alpha=0.5), taught([], alpha=0.5)
    light.learn([1], True)
    heavy.learn([1], True, weight=6.0)
    assert heavy.predict([1]) > light.predict([1]) > 0.5


def test_a_feature_that_says_little_has_no_weight() -> None:
    model = taught([([1], True), ([1], False)] * 3, l1=2.0)
    assert model.predict([1]) == 0.5


def test_the_first_update_is_the_one_of_the_algorithm() -> None:
    # By hand: g = 0.5 - 1, n = 0.25, sigma = 0.5 / alpha, z = g as w = 0;
    # w = (l1 - |z|) * sign(z) * -1 / ((beta + 0.5) / alpha + l2)
    model = Ftrl(64, alpha=0.1, beta=1.0, l1=0.1, l2=1.0)
    model.learn([3], True)
    weight = 0.4 / (1.5 / 0.1 + 1.0)
    assert np.isclose(model.predict([3]), 1 / (1 + np.exp(-weight)))


def test_goes_on_from_its_state_as_if_nothing_had_happened() -> None:
    examples = [([n % 7, 10 + n % 3], n % 7 < 3) for n in range(40)]
    whole, first = taught(examples), taught(examples[:20])
    second = taught([([5], True)])
    second.restore(first.state())
    for features, label in examples[20:]:
        second.learn(features, label)
    assert [second.predict([n]) for n in range(20)] == [whole.predict([n]) for n in range(20)]
