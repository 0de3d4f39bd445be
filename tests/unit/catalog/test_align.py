"""Columns are one by their names, or by values where a name says nothing; never by likeness."""

from collections.abc import Sequence

import pytest

from filon.catalog import align
from filon.catalog.align import Described, matched
from filon.catalog.align import aligned as aligned_columns
from filon.profile.columns import column


def aligned(names: Sequence[str], known: Sequence[str]) -> list[str]:
    return aligned_columns(list(map(Described, names)), list(map(Described, known)))


def described(name: str, *cells: object) -> Described:
    one = column(name, [str(cell) for cell in cells])
    return Described(name, one.kind, one.sketch, one.distinct, one.filled)


PLACES = [f"place {number}" for number in range(40)]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Region", "region "),
        ("Année", "annee"),
        ("unit_measure", "Unit  Measure"),
        ("unitMeasure", "unit-measure"),
        ("Unit measure", "Unit measures"),
        ("Country", "Countries"),
        ("Tax (EUR)", "taxes EUR"),
    ],
)
def test_names_that_differ_in_small_things_are_one(name: str, other: str) -> None:
    assert aligned([name], [other]) == [other]
    assert aligned([other], [name]) == [name]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("population_male", "population_female"),
        ("GDP_per_capita_usd", "GNP_per_capita_usd"),
        ("Population in 2019", "Population in 2020"),
        ("column 1", "column 2"),
        ("Age 1-5", "Age 15"),
        ("Unemployed", "Unemployed (%)"),
        ("under <5", "under >5"),
        ("Rate in 1990", "Rate in 1990s"),
        ("import_value", "export_value"),
        ("()", "--"),
    ],
)
def test_names_of_two_things_stay_apart(name: str, other: str) -> None:
    assert aligned([name], [other]) == [name]
    assert aligned([other], [name]) == [other]


def test_an_equal_name_is_taken_before_a_near_one() -> None:
    assert aligned(["Units", "Unit", "unit"], ["Unit", "Units"]) == ["Units", "Unit", "unit (2)"]
    assert aligned(["rate", "Rate_", "Rate"], ["Rate", "RATE!"]) == ["RATE!", "Rate_", "Rate"]


def test_thousands_of_columns_are_aligned() -> None:
    names = [f"value {number}" for number in range(5000)]
    known = [f"values {number}" for number in range(4999, -1, -1)]
    assert aligned(names, known) == known[::-1]


@pytest.mark.parametrize("name", ["column 3", "X12", "v_on", "GEO", "Unnamed: 0", "", "F1"])
def test_a_name_that_says_nothing_gives_way_to_values(name: str) -> None:
    one, other = described(name, *PLACES[:30]), described("Region", *PLACES[10:])
    assert matched([one], [other]).by_values == matched([other], [one]).by_values == {0: 0}


@pytest.mark.parametrize(
    ("name", "other"),
    [("origin", "destination"), ("birthDate", "deathDate"), ("min", "max"), ("出口", "进口")],
)
def test_names_that_say_something_are_believed_whatever_the_values(name: str, other: str) -> None:
    assert not matched([described(name, *PLACES)], [described(other, *PLACES)]).both


def test_other_values_are_another_column() -> None:
    silent = described("X1", *PLACES[:20])
    for other in (
        described("Region", *PLACES[20:]),
        described("Region", *PLACES[18:]),
        described("Count", *range(40)),
        described("Region"),
    ):
        assert not matched([silent], [other]).both


def test_few_values_among_many_are_another_column() -> None:
    states, towns = PLACES[:12], [*PLACES, *(f"town {number}" for number in range(60))]
    assert not matched([described("X1", *states * 20)], [described("Town", *towns * 2)]).both
    few = described("X1", "2019-01-01", "2019-01-02")
    days = [f"2019-01-{day:02}" for day in range(1, 29)]
    assert not matched([few], [described("Released", *days)]).both


def test_a_column_that_is_as_like_one_as_another_is_neither() -> None:
    known = [described("Employed", "yes", "no"), described("Married", "yes", "no")]
    assert not matched([described("Q1", "yes", "no")], known).both
    nearest = [described("Area", *PLACES[:20]), described("Place", *PLACES)]
    assert matched([described("X1", *PLACES)], nearest).by_values == {0: 1}


def test_columns_without_values_are_one_where_a_name_says_as_little() -> None:
    known = [described("Sex"), described("Age"), described("Place", *PLACES)]
    assert matched([described("X1"), described("X2")], known).both == {0: 0, 1: 1}
    assert not matched([described("Group")], known).both


def test_thousands_of_nameless_columns_are_not_compared_each_with_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = [described(f"X{number}", *PLACES[number:]) for number in range(12)]
    others = [described(f"Y{number}", *PLACES[number:]) for number in range(12)]
    assert matched(columns, others).by_values == {number: number for number in range(12)}
    monkeypatch.setattr(align, "MOST_PAIRS", 143)
    assert not matched(columns, others).both
