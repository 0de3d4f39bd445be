"""Whole enrichments of tables whose matches are known, over loopback."""

import asyncio
from pathlib import Path

import pytest

from experiments.enrich.end_to_end import Trial, lines, run
from experiments.enrich.golden import bulletins
from experiments.enrich.matching import fetch, match, measure


@pytest.mark.parametrize("seed", [11, 12])
def test_titles_of_one_pattern_are_filled_with_the_precision_that_is_promised(seed: int) -> None:
    golden = bulletins(rows=600, hidden=2400, absent=0.4, seed=seed)

    found = measure(golden, match(golden, fetch(golden)))

    assert found.precision >= 0.95
    assert found.recall >= 0.85


def test_a_whole_run_is_measured_before_and_after_a_review(tmp_path: Path) -> None:
    golden = bulletins(rows=60, hidden=150, absent=0.4, seed=11)
    trial = Trial(golden=golden, match=("title", "authors"), k=10, joins="and", budget=0.5)

    outcome = asyncio.run(run(trial, tmp_path, most=5))

    assert 0 < outcome.calls <= 30
    assert outcome.alone.precision >= 0.9
    assert outcome.alone.reachable <= outcome.alone.matchable == 36
    assert 0 < outcome.labels <= 5
    assert [line[3] for line in lines(trial, outcome)] == ["0", str(outcome.labels)]
