"""The matcher on DBLP-Scholar and ACL: bar 3 of enrichment.

What was chosen by hand was chosen on the first half of DBLP's rows; the second is tested.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.enrich.answers import PAIRS, figures
from experiments.enrich.golden import Golden, acl, dblp_scholar, halves
from experiments.enrich.matching import fetch, match, measure, quick, review
from experiments.enrich.spoilt import identified, plain, suffixed


@pytest.fixture(scope="module")
def unseen(shared: Path) -> Golden:
    whole = dblp_scholar(shared / "data/enrich")
    return whole.part(halves(whole.columns["id"])[1], "second half")


def test_rows_are_filled_rightly_without_labels_and_better_with_fifty(unseen: Golden) -> None:
    matches = match(unseen, unseen.records)
    plain = measure(unseen, matches)
    assert plain.f1 >= 0.97
    assert plain.precision >= 0.97
    assert review(unseen, matches) <= 50
    helped = measure(unseen, matches)
    assert helped.f1 >= plain.f1 - 0.002
    assert helped.precision >= 0.97


def test_rows_are_filled_rightly_from_what_a_search_brings(unseen: Golden) -> None:
    found = measure(unseen, match(unseen, fetch(unseen)))
    assert found.f1 >= 0.96
    assert found.precision >= 0.95


def test_the_quick_decision_is_nearly_as_good(unseen: Golden) -> None:
    some = Golden(
        name="",
        columns=unseen.columns,
        records=unseen.records[:4000],
        gold=[ids & {record.id for record in unseen.records[:4000]} for ids in unseen.gold],
        known=unseen.known,
    )
    precision, recall = quick(some)
    assert precision >= 0.85
    assert recall >= 0.8


def test_absent_rows_stay_empty_and_misspelt_ones_are_found(shared: Path) -> None:
    papers = acl(
        shared / "data/enrich", absent=0.7, errors=0.5, columns=("title", "authors"), seed=1
    )
    found = measure(papers, match(papers, papers.records))
    assert found.precision >= 0.95
    assert found.recall >= 0.95


@pytest.mark.parametrize(
    ("name", "alone"),
    [
        ("A DBpedia-IMDb, title", 0.6),
        ("B DBpedia-IMDb, three columns", 0.58),
        ("B IMDb-TMDb, title, name", 0.94),
        ("A Walmart-Amazon, title", 0.07),
    ],
)
def test_tables_without_equal_rows_are_matched_and_answers_never_harm(
    shared: Path, name: str, alone: float
) -> None:
    draw, said = PAIRS[name]
    scores = [f1 for _, f1 in figures(draw(shared / "data/enrich", 4), said)]
    assert scores[0] >= alone
    assert scores == sorted(scores)


@pytest.mark.parametrize("make", [identified, plain, suffixed])
def test_every_row_whose_equal_record_was_fetched_is_filled(
    shared: Path, make: Callable[[Path, int], Golden]
) -> None:
    made = make(shared / "data/enrich", 4)
    found = measure(made, match(made, made.records))
    assert found.right == found.reachable == 1000
    assert found.precision >= 0.95
