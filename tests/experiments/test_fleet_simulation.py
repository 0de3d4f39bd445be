"""The simulated web is as published, and a small fleet on it keeps what the store promises."""

import asyncio

import numpy as np

from experiments.fleet_simulation import BESIDES, MOST, measure, world


def test_sites_share_addresses_and_have_pages_as_published() -> None:
    web = world(40_000, seed=1)
    beside = np.bincount(web.address)[web.address]
    assert (beside == 1).mean() == 0.175
    assert abs((beside > 10).mean() - 0.6) < 0.02
    assert web.pages.max() == MOST + BESIDES
    pages = web.pages - BESIDES
    assert abs((pages >= 10).sum() / (pages >= 100).sum() - 10**0.8) < 1.0  # exponent 1.8


def test_a_fleet_spends_the_budget_and_no_more_and_ends_sites_once() -> None:
    figures = asyncio.run(measure(60, 3, chunk=1, spends=0.5, share=5, seed=1))
    all_ = asyncio.run(measure(60, 3, chunk=20, spends=1.0, share=5, seed=1))
    assert figures["requests"] == int(0.5 * all_["requests"])
    assert (all_["begun"], all_["ended"]) == (1.0, 1.0)
    assert figures["finds"] <= all_["finds"]
