"""Many numbers as arrays: they come back as they were, also from a store."""

import random

import numpy as np
import pytest

from filon.core.forms import Form
from filon.learn.arrays import BITS, INDICES, LISTED, NUMBERS
from filon.run.checkpoint import Checkpoint, dump, load


def through_a_store(form: Form, value: object) -> object:
    return form.read(load(dump(Checkpoint(state={"told": form.write(value)}))).state["told"])


@pytest.mark.parametrize("seed", range(20))
def test_numbers_come_back_as_they_were(seed: int) -> None:
    draw = random.Random(seed)
    numbers = [draw.randrange(2**64) for _ in range(draw.randrange(30))]
    assert through_a_store(NUMBERS, set(numbers)) == sorted(set(numbers))
    assert through_a_store(LISTED, numbers) == numbers
    indices = dict.fromkeys(draw.sample(range(1000), len(numbers)))
    back = through_a_store(INDICES, indices)
    assert isinstance(back, dict)
    assert list(back) == list(indices)
    assert all(type(index) is int for index in back)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 1000])
def test_bits_come_back_up_to_a_whole_byte(size: int) -> None:
    bits = np.random.default_rng(size).random(size) < 0.5
    back = through_a_store(BITS, bits)
    assert isinstance(back, np.ndarray)
    assert back.dtype == bool
    assert back[:size].tolist() == bits.tolist()
    assert 0 <= len(back) - size < 8


def test_the_order_in_which_numbers_were_put_in_does_not_matter() -> None:
    one, other = {0, 8}, {8, 0}
    assert list(one) != list(other)
    assert NUMBERS.write(one).tolist() == NUMBERS.write(other).tolist() == [0, 8]
