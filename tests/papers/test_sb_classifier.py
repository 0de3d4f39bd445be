"""The figures of SB-CLASSIFIER's section 4 on the recorded sites, against the authors' code.

Reference: the table of section 13 of reference/harvest.md, requests to 90 % of the targets in
% of a full crawl. A run of one seed says little; means of ten seeds are compared.
"""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from filon.bench.compare import Comparison, gather
from papers.sites import SITES, files

#: The comparison that all share counts for the first of them.
pytestmark = pytest.mark.timeout(900)
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
CALM = ("skimage", "armdata", "canadasdg")


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


@pytest.fixture(scope="module")
def drawn(shared: Path) -> Comparison:
    """Crawlers that draw at random, on sites where their runs differ little."""
    return gather(files(shared, CALM), ["sb-oracle", "random"], 6, processes=2)


def gaps(shared: Path, found: Comparison, strategy: str) -> dict[str, float]:
    """How far our means are from the authors' figures, by site."""
    (variant,) = (each for each in found.table() if each.label == strategy)
    gap = {}
    for site in found.sites:
        ours = [run.measure.requests for run in found.of(site.name, variant)]
        theirs = reference(shared)[site.name][COLUMNS[strategy]]
        gap[site.name] = abs(float(np.mean(ours)) - theirs)
    return gap


def test_the_bandit_is_within_five_points_on_six_of_seven_sites(
    shared: Path, compared: Comparison
) -> None:
    found = gaps(shared, compared, "sb")
    assert sum(gap <= 5 for gap in found.values()) >= 6, found


@pytest.mark.parametrize("strategy", FIXED)
def test_a_crawler_that_draws_nothing_is_within_three_points(
    strategy: str, shared: Path, compared: Comparison
) -> None:
    found = gaps(shared, compared, strategy)
    assert len(found) == 7
    assert max(found.values()) <= 3, found


def test_focused_is_within_three_points_on_five_of_seven_sites(
    shared: Path, compared: Comparison
) -> None:
    """Its figure is one draw: training on the same labels in another order moves it by some 15
    points (one standard deviation) on ipho and smtcomp and by 12 on cantabria."""
    found = gaps(shared, compared, "focused")
    assert sum(gap <= 3 for gap in found.values()) >= 5, found


@pytest.mark.parametrize("strategy", ["sb-oracle", "random"])
def test_a_crawler_that_draws_is_within_three_points_where_runs_differ_little(
    strategy: str, shared: Path, drawn: Comparison
) -> None:
    found = gaps(shared, drawn, strategy)
    assert max(found.values()) <= 3, found


def test_every_target_is_found_in_the_end(compared: Comparison, drawn: Comparison) -> None:
    for found in (compared, drawn):
        for runs in found.results.values():
            assert {run.measure.found for run in runs} == {100.0}, runs[0].run


def test_sites_of_this_size_end_before_early_stopping_can(compared: Comparison) -> None:
    """Section 4.8: small sites end within the 15,000 requests that it needs."""
    for runs in compared.results.values():
        assert {run.measure.saved for run in runs} == {0.0}


def test_the_url_classifier_errs_as_rarely_as_in_table_5(compared: Comparison) -> None:
    sb = compared.table()[0]
    rates = [run.measure.misclassified for site in SITES for run in compared.of(site, sb)]
    assert np.mean(rates) < 5  # 2.62 % on the paper's sites, which are a hundred times larger
