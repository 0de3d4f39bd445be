"""The figures of SB-CLASSIFIER's section 4 on the recorded sites, against the authors' code.

Reference: the table of section 13 of reference/harvest.md, requests to 90 % of the targets in
% of a full crawl. A run of one seed says little; means of a few seeds are compared here, and of
ten in docs/experiments.md.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from filon.compare.compare import Comparison
from filon.compare.metrics import measure
from filon.compare.replica import Replica
from filon.compare.trial import run
from filon.core import Response, Strategy
from filon.learn.linear import Gradient, logistic_slope
from filon.page.links import Link, Placed, Wanted
from filon.page.types import Types
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.focused import DEPTH, Focused
from papers.sites import DRAWN, SITES, files

#: Column of the reference table, by strategy.
COLUMNS = {
    "sb": "SB, a failed pull counts as a pull (= Algorithm 3)",
    "focused": "FOCUSED",
    "tp-off": "TP-OFF",
    "bfs": "BFS",
    "dfs": "DFS",
    "omniscient": "OMNISCIENT",
    "sb-oracle": "SB-ORACLE",
    "random": "RANDOM",
}
FIXED = ("bfs", "dfs", "omniscient", "tp-off")
#: Where the figure of `focused` hangs on rounding and on the order of its labels.
CHAOTIC = ("ipho", "cantabria")


@cache
def reference(shared: Path) -> dict[str, dict[str, float]]:
    """The authors' figures by site and column; a deviation behind a figure is left out."""
    text = (shared / "reference/harvest.md").read_text("utf-8").partition("## 13.")[2]
    rows = [
        [cell.strip() for cell in line.strip("| \n").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    head = rows[0][1:]
    figures = {}
    for name, *cells in rows:
        if name in SITES:
            numbers = (float(re.match(r"[\d.]+", cell)[0]) for cell in cells)  # type: ignore[index]
            figures[name] = dict(zip(head, numbers, strict=True))
    return figures


def gaps(
    shared: Path, found: Comparison, strategy: str, sites: Collection[str] = SITES
) -> dict[str, float]:
    """How far our means are from the authors' figures, by site."""
    (variant,) = (each for each in found.table() if each.label == strategy)
    gap = {}
    for site in (each for each in found.sites if each.name in sites):
        ours = [run.measure.requests for run in found.of(site.name, variant)]
        theirs = reference(shared)[site.name][COLUMNS[strategy]]
        gap[site.name] = abs(float(np.mean(ours)) - theirs)
    return gap


def test_the_bandit_is_within_five_points_on_all_sites_but_one(
    shared: Path, compared: Comparison
) -> None:
    found = gaps(shared, compared, "sb")
    assert sum(gap <= 5 for gap in found.values()) >= len(SITES) - 1, found


@pytest.mark.parametrize("strategy", FIXED)
def test_a_crawler_that_draws_nothing_is_within_three_points(
    strategy: str, shared: Path, compared: Comparison
) -> None:
    found = gaps(shared, compared, strategy)
    assert found.keys() == set(SITES)
    assert max(found.values()) <= 3, found


def test_focused_is_within_three_points_but_for_two_sites(
    shared: Path, compared: Comparison
) -> None:
    found = gaps(shared, compared, "focused")
    assert max(gap for site, gap in found.items() if site not in CHAOTIC) <= 3, found


@pytest.mark.parametrize("site", CHAOTIC)
def test_the_figure_of_focused_on_the_two_is_one_of_those_that_other_orders_of_labels_give(
    site: str, shared: Path
) -> None:
    """It draws nothing, yet its figure is one draw: the same labels in another order move it by
    13 to 15 points (one standard deviation). The authors' figure lies within that spread."""
    replica = Replica.open(files(shared, (site,))[0])
    figures = []
    for order in range(12):

        def shuffled(name: str, brief: Brief, truth: Replica, order: int = order) -> Strategy:
            strategy = Focused(brief)
            strategy.model = Gradient(DEPTH + 1, logistic_slope, order)
            return strategy

        course = run(replica, "focused", seed=0, types=Types.parse("paper"), make=shuffled)
        figures.append(measure(course, replica.census).requests)
    assert np.std(figures) > 10, figures
    assert min(figures) <= reference(shared)[site]["FOCUSED"] <= max(figures), figures


@pytest.mark.parametrize("strategy", DRAWN)
def test_a_crawler_that_draws_is_within_three_points_where_runs_differ_little(
    strategy: str, shared: Path, compared: Comparison
) -> None:
    found = gaps(shared, compared, strategy, DRAWN[strategy])
    assert found.keys() == set(DRAWN[strategy]) & set(SITES)
    assert max(found.values()) <= 3, found


def test_the_gap_of_the_oracle_on_ipho_is_an_empty_class(shared: Path) -> None:
    """In the authors' tag paths `<tr class="">` is another step than `<tr>`. To us it is the same:
    the paper's path has the classes of an element, and it has none. With theirs the runs differ
    by 10 points (40 seeds: 82.8), and their 78.6 is an ordinary figure."""
    replica = Replica.open(files(shared, ("ipho",))[0])
    plain = replica.memory.read

    def telling(
        response: Response,
        *,
        around: str = "",
        wanted: Wanted | None = None,
        placed: Placed | None = None,
        heads: Collection[str] = (),
    ) -> list[Link]:
        body = response.body.replace(b'class=""', b'class="empty"')
        return plain(replace(response, body=body), around=around, wanted=wanted, heads=heads)

    replica.memory.read = telling  # type: ignore[method-assign]
    types = Types.parse("paper")
    figures = [
        measure(run(replica, "sb-oracle", seed=seed, types=types), replica.census).requests
        for seed in range(10)
    ]
    theirs = reference(shared)["ipho"]["SB-ORACLE"]
    assert abs(np.mean(figures) - theirs) <= np.std(figures), figures
    assert np.std(figures) > 6, figures  # 3 where an empty class is none


def test_every_target_is_found_in_the_end(compared: Comparison) -> None:
    for runs in compared.results.values():
        assert {run.measure.found for run in runs} == {100.0}, runs[0].run


def test_sites_of_this_size_end_before_early_stopping_can(compared: Comparison) -> None:
    """Section 4.8: small sites end within the 15,000 requests that it needs."""
    for runs in compared.results.values():
        assert {run.measure.saved for run in runs} == {0.0}


def test_the_url_classifier_errs_as_rarely_as_in_table_5(compared: Comparison) -> None:
    sb = compared.table()[0]
    rates = [run.measure.misclassified for site in SITES for run in compared.of(site, sb)]
    assert np.mean(rates) < 5  # 2.62 % on the paper's sites, which are a hundred times larger
