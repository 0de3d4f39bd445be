"""Priors learnt without the site that they are tried on."""

import pytest

from experiments.priors import TYPES, Demo, Shuffled, floor, requests
from filon.compare.prior import examples, learn
from filon.compare.replica import Replica
from filon.core import Request
from filon.demo import blog, ngo
from filon.verbs.harvest.strategies.vein.site_prior import SitePrior


@pytest.fixture(scope="module")
def site() -> Replica:
    return Replica(Demo(ngo.START), TYPES)


def test_a_run_ends_with_enough_targets_and_not_below_the_floor(site: Replica) -> None:
    assert floor(site) <= requests(site, None, seed=0) < site.census.requests


def test_a_prior_of_other_sites_is_used(site: Replica) -> None:
    taught = [examples(Replica(Demo(start), TYPES), TYPES) for start in (blog.START, ngo.START)]
    weights = learn(taught)
    weights[1, :] = 0.01  # whatever it says, it must be heard
    known = SitePrior(lambda: weights)
    assert requests(site, known, seed=0) != requests(site, None, seed=0)


def test_each_seed_has_an_order_of_its_own(site: Replica) -> None:
    response = site.answer(Request(url=site.start))
    orders = [[link.url for link in Shuffled(site, seed)(response)] for seed in (0, 1, 1, 2)]
    assert orders[1] == orders[2]
    assert len({tuple(order) for order in orders}) == 3
    assert sorted(orders[0]) == sorted(orders[3])
