"""What `vein` is held to, on the recorded sites: all figures from one comparison."""

import math
from collections.abc import Callable, Collection

from filon.compare.compare import Comparison
from filon.compare.metrics import Measure
from papers.sites import SITES, SMALLER


def means(
    found: Comparison,
    label: str,
    figure: Callable[[Measure], float],
    sites: Collection[str] = SITES,
) -> dict[str, float]:
    """The mean of a figure over the seeds, by site."""
    (variant,) = (each for each in found.table() if each.label == label)
    return {
        site: sum(figure(run.measure) for run in found.of(site, variant))
        / len(found.of(site, variant))
        for site in sites
    }


def requests(one: Measure) -> float:
    return one.requests


def wasted(one: Measure) -> float:
    return one.wasted


def ratio(ours: dict[str, float], theirs: dict[str, float]) -> float:
    """The geometric mean of the sites' ratios."""
    return math.exp(sum(math.log(ours[site] / theirs[site]) for site in ours) / len(ours))


def test_needs_less_than_half_of_the_requests_of_the_bandit(compared: Comparison) -> None:
    bandit = means(compared, "sb", requests)
    assert ratio(means(compared, "vein", requests), bandit) <= 0.48


def test_wastes_a_third_of_what_the_bandit_wastes(compared: Comparison) -> None:
    assert ratio(means(compared, "vein", wasted), means(compared, "sb", wasted)) <= 0.34


def test_is_near_the_crawl_that_knows_the_link_graph(compared: Comparison) -> None:
    floor = means(compared, "clairvoyant", requests)
    assert ratio(means(compared, "vein", requests), floor) <= 1.15


def test_is_nowhere_much_worse_than_the_best_of_the_others(compared: Comparison) -> None:
    ours = means(compared, "vein", requests)
    others = [means(compared, name, requests) for name in ("sb", "bfs", "dfs", "focused")]
    for site in SITES:
        assert ours[site] <= 1.03 * min(other[site] for other in others), site


def test_several_requests_in_flight_lose_little(compared: Comparison) -> None:
    alone = means(compared, "vein", requests)
    eight = means(compared, "vein parallel=8", requests, SMALLER)
    assert ratio(eight, alone) <= 1.05


def test_stops_with_nearly_everything_found(compared: Comparison) -> None:
    found = means(compared, "vein stop=auto", lambda one: one.found)
    assert min(found.values()) >= 98, found


def test_stopping_saves_requests_where_the_floor_allows_it(compared: Comparison) -> None:
    whole = {site.name: site.requests for site in compared.sites}
    floor = means(compared, "clairvoyant", lambda one: one.spent)
    spent = means(compared, "vein stop=auto", lambda one: one.spent)
    worthwhile = [site for site in SITES if floor[site] <= 0.8 * whole[site]]
    assert len(worthwhile) >= 3
    saved = [1 - spent[site] / whole[site] for site in worthwhile]
    assert sum(saved) / len(saved) >= 0.2, saved
