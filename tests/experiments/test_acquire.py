"""The oracle of `experiments.acquire` is one, and the methods spend no more than they have."""

import numpy as np
import pytest

from experiments.acquire import METHODS, allocated, equal, exact, oracle
from experiments.curves import Curve


def curves(*rates: float, length: int = 80) -> list[Curve]:
    random = np.random.default_rng(1)
    return [
        Curve(str(rate), length, (random.random(length) < rate).astype(int), np.zeros(length))
        for rate in rates
    ]


def test_no_method_finds_more_than_the_oracle() -> None:
    sites = curves(0.9, 0.5, 0.1, 0.0)
    for budget in (10, 40, 150):
        best = oracle(sites, budget)
        assert best >= exact(sites, budget) > 0
        for name, method in METHODS.items():
            assert 0 <= method(sites, budget) <= exact(sites, budget), name


def test_the_oracle_knows_a_late_burst() -> None:
    late = Curve("late", 40, np.array([0] * 20 + [1] * 20), np.zeros(40))
    sites = [late, *curves(0.2)]
    assert exact(sites, 40) == 20
    assert oracle(sites, 40) >= 20


def test_a_budget_for_everything_finds_everything() -> None:
    sites = curves(0.9, 0.5, 0.1)
    there = sum(int(site.finds.sum()) for site in sites)
    for method in METHODS.values():
        assert method(sites, 1000) == there
    assert oracle(sites, 1000) == pytest.approx(there)


def test_the_allocation_is_better_than_equal_shares() -> None:
    sites = curves(0.6, *[0.05] * 9, length=1000)
    assert allocated(sites, 1000) > 2 * equal(sites, 1000)
