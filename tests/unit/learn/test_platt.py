from random import Random

import numpy as np
import pytest

from filon.learn.platt import MOST, Platt


def test_without_answers_nothing_is_put_right() -> None:
    line = Platt()
    line.fit()
    assert line(np.array([0.1, 0.9])).tolist() == pytest.approx([0.1, 0.9])


def test_one_answer_says_little() -> None:
    line = Platt()
    line.note(0.8, hit=False)
    line.fit()
    assert 0.7 < float(line(np.array([0.8]))[0]) < 0.8


@pytest.mark.parametrize("true_share", [0.3, 0.6, 0.95])
def test_what_is_told_too_high_or_too_low_is_put_right(true_share: float) -> None:
    dice, line = Random(1), Platt()
    for _ in range(1_000):
        line.note(0.8, hit=dice.random() < true_share)
    line.fit()
    assert float(line(np.array([0.8]))[0]) == pytest.approx(true_share, abs=0.05)


def test_the_order_of_chances_is_kept_where_they_mean_the_contrary() -> None:
    line = Platt()
    for _ in range(200):
        line.note(0.9, hit=False)
        line.note(0.1, hit=True)
    line.fit()
    low, high = line(np.array([0.1, 0.9])).tolist()
    assert low <= high


def test_what_was_long_ago_is_forgotten() -> None:
    line = Platt()
    for number in range(4 * MOST):
        line.note(0.5, hit=number > 2 * MOST)
    line.fit()
    assert float(line(np.array([0.5]))[0]) > 0.85


def test_sure_words_that_came_to_nothing_do_not_make_all_others_worthless() -> None:
    line = Platt()
    for _ in range(40):
        line.note(0.999, hit=False)
    line.fit()
    assert float(line(np.array([0.4]))[0]) > 0.03
    assert float(line(np.array([0.999]))[0]) > float(line(np.array([0.9]))[0])


def test_it_goes_on_from_a_state() -> None:
    line, again = Platt(), Platt()
    for number in range(50):
        line.note(0.7, hit=number % 3 == 0)
    line.fit()
    again.restore(line.state())
    for one in (line, again):
        one.note(0.2, hit=False)
        one.fit()
    assert again(np.array([0.4])).tolist() == line(np.array([0.4])).tolist()
