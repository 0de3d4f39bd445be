"""The lazy queue, against sorting everything every time."""

import random

import numpy as np
import pytest

from filon.verbs.enrich.strategies.pooled import LazyQueue


@pytest.mark.parametrize("seed", range(10))
def test_pops_as_if_all_were_up_to_date(seed: int) -> None:
    chance = random.Random(seed)
    now = np.array([float(chance.randint(0, 6)) for _ in range(60)])
    tie = np.array(chance.sample(range(60), 60))
    queue, left = LazyQueue(now.copy(), tie), set(range(60))
    while left:
        for number in chance.sample(range(60), 5):
            now[number] = max(0.0, now[number] - 1)
        best = min(left, key=lambda number: (-now[number], tie[number]))
        assert queue.pop(lambda number: float(now[number])) == best
        left.remove(best)
        if chance.random() < 0.1:
            queue.push(best, float(now[best]))
            left.add(best)
    assert queue.pop(lambda number: float(now[number])) is None


def test_what_falls_below_zero_is_thrown_away() -> None:
    queue = LazyQueue(np.array([3.0, 2.0, -1.0]), np.arange(3))
    assert queue.pop(lambda number: -1.0 if number == 0 else 2.0) == 1
    assert queue.pop(lambda number: 1.0) is None
