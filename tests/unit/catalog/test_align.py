"""Columns are one by their names, and never by names that are only alike."""

import pytest

from filon.catalog.align import aligned


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
