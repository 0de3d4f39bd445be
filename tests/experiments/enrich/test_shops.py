"""Made-up shops: as hard as real ones, and matched all the same."""

import pytest

from experiments.enrich.golden import Golden
from experiments.enrich.matching import match, measure, review
from experiments.enrich.shops import electronics, software


def test_a_seed_makes_the_same_shops_again() -> None:
    assert software(4, rows=50, hidden=80) == software(4, rows=50, hidden=80)
    assert software(4, rows=50, hidden=80) != software(5, rows=50, hidden=80)


def test_no_name_is_written_alike_and_every_match_is_sold() -> None:
    shops = electronics(4, rows=200, hidden=250, shared=0.8)
    names = {record.id: record.fields["name"] for record in shops.records}
    assert len(names) == 250
    assert sum(map(bool, shops.gold)) == 160
    pairs = zip(shops.columns["name"], shops.gold, strict=True)
    assert all(gold <= names.keys() for gold in shops.gold)
    assert sum(name in {names[each] for each in gold} for name, gold in pairs) <= 20


@pytest.mark.parametrize(
    ("shops", "least"),
    [(electronics(4, rows=500, hidden=500), 0.7), (software(4, rows=600, hidden=1400), 0.5)],
    ids=["electronics", "software"],
)
def test_names_that_agree_in_part_are_matched_without_labels(shops: Golden, least: float) -> None:
    found = measure(shops, match(shops, shops.records))
    assert found.f1 >= least
    assert found.precision >= 0.85


@pytest.mark.parametrize("seed", [5, 6])
def test_answers_lift_what_was_found_without_them(seed: int) -> None:
    shops = electronics(seed, rows=400, hidden=500, shared=0.5)
    matches = match(shops, shops.records)
    alone = measure(shops, matches)
    asked = review(shops, matches, 40)
    helped = measure(shops, matches)
    assert asked >= 10
    assert helped.right > alone.right
    assert helped.f1 > alone.f1
