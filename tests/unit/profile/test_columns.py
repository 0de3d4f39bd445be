"""What the cells of a column say together."""

import pytest

from filon.profile.columns import SKETCH, column, containment, sketch, years
from filon.profile.shape import Column


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "2", ""], "integer"),
        (["1", "2.5"], "number"),
        (["1.234,5", "2,0"], "number"),
        (["2020-01-01", "2021-02-03"], "date"),
        (["2020-01-01", "2021-02-03 10:00"], "datetime"),
        (["007", "012"], "text"),
        (["(12)", "-3", "4.5"], "number"),
        (["DEC 2012", "JAN 2013"], "date"),
        (["yes", "no", "n/a"], "boolean"),
        (["", "n/a"], "empty"),
        (["1", "x"], "text"),
    ],
)
def test_the_kind_is_told(cells: list[str], kind: str) -> None:
    assert column("c", cells).kind == kind


def test_a_footnote_mark_does_not_make_numbers_text() -> None:
    told = column("c", [*map(str, range(99)), "12 (a)"])
    assert (told.kind, told.odd, told.least, told.most) == ("integer", 1, "0", "98")


def test_one_code_with_a_zero_before_it_makes_a_column_of_codes() -> None:
    assert column("c", [*map(str, range(10, 99)), "001"]).kind == "text"
    assert column("c", [*map(str, range(99)), "0"]).kind == "integer"


def test_ranges_are_those_of_numbers_not_of_letters() -> None:
    told = column("c", ["9", "10", "1,000"])
    assert (told.least, told.most) == ("9", "1,000")


@pytest.mark.parametrize(
    ("cells", "kind", "least", "most"),
    [
        (["48.137", "52.520", "9.993"], "number", "9.993", "52.520"),
        (["1.234", "0.567", "12.345"], "number", "0.567", "12.345"),
        (["1,234", "0,567", "12,345"], "number", "0,567", "12,345"),
        (["1.234", "567", "12.345"], "integer", "567", "12.345"),
        (["1.234", "12.345", "1.234.567"], "integer", "1.234", "1.234.567"),
        (["1,234", "567", "12,345"], "integer", "567", "12,345"),
        (["1.234", "5670", "12.345"], "number", "1.234", "5670"),
        (["€ 1.234", "€ 0,50"], "number", "€ 0,50", "€ 1.234"),
    ],
)
def test_a_point_before_three_digits_is_what_the_column_says(
    cells: list[str], kind: str, least: str, most: str
) -> None:
    told = column("c", cells)
    assert (told.kind, told.least, told.most) == (kind, least, most)


@pytest.mark.parametrize(
    ("cells", "least", "most"),
    [
        (["31/12/2020", "01/01/2021", "02/01/2021"], "31/12/2020", "02/01/2021"),
        (["1/31/2021", "2/1/2021", "12/30/2020"], "12/30/2020", "2/1/2021"),
        (["31.12.99", "1.1.00"], "31.12.99", "1.1.00"),
        (["4 March 2021", "30 avril 2020", "1 juillet 2020"], "30 avril 2020", "4 March 2021"),
        (["Q1 2021", "Q3 2020"], "Q3 2020", "Q1 2021"),
        (["Dez 2019", "Jan 2020"], "Dez 2019", "Jan 2020"),
        (["2020-01-02 10:00", "2020-01-02 9:30"], "2020-01-02 9:30", "2020-01-02 10:00"),
        (["10:00", "9:30", "12:15"], "9:30", "12:15"),
        (["1:15 pm", "11:00 am", "12:10 am"], "12:10 am", "1:15 pm"),
    ],
)
def test_ranges_are_those_of_dates_and_times_not_of_letters(
    cells: list[str], least: str, most: str
) -> None:
    told = column("c", cells)
    assert told.kind in ("date", "datetime", "time")
    assert (told.least, told.most) == (least, most)


@pytest.mark.parametrize(
    ("names", "covered"),
    [
        (["region", "2019", "2020"], ("2019", "2020")),
        (["region", "pop2019", "pop2020", "area1"], ("2019", "2020")),
        (["Q1 2019", "Q2 2019", "Q1 2020"], ("2019", "2020")),
        ([f"V{number}" for number in range(1, 2050)], ("", "")),
    ],
)
def test_columns_that_are_only_counted_are_no_years(
    names: list[str], covered: tuple[str, str]
) -> None:
    described = [column(name, ["5", "7"]) for name in names]
    assert years(described, [["5", "7"]] * len(names)) == covered


def test_dates_with_points_tell_what_years_a_table_covers() -> None:
    cells = ["31.12.2019", "15.03.2021", "01.02.20", "n/a"]
    assert years([column("Datum", cells)], [cells]) == ("2019", "2021")


def test_years_that_are_parted_by_a_stroke_are_covered() -> None:
    cells = ["2019/20", "2020/21", "n/a"]
    assert years([column("Financial year", cells)], [cells]) == ("2019", "2020")
    told = ["before 2019", "later"]
    assert years([column("Time", told)], [told]) == ("", "")


@pytest.mark.parametrize(
    ("name", "cells", "unit"),
    [
        ("Share", ["12 %", "3 %"], "%"),
        ("GDP (million USD)", ["1", "2"], "million USD"),
        ("Length in km", ["1", "2"], "km"),
        ("Name (short)", ["a", "b"], ""),
        ("Value (2)", ["1", "2"], ""),
        ("Population (2019/20)", ["1", "2"], ""),
    ],
)
def test_units_stand_in_the_cells_or_in_the_name(name: str, cells: list[str], unit: str) -> None:
    assert column(name, cells).unit == unit


def test_a_sketch_of_few_values_is_exact_and_of_many_near() -> None:
    few, other = sketch(["a", "b", "c", "d"]), sketch(["B", " c ", "x"])
    assert containment(few, other) == 0.5
    assert containment(other, few) == pytest.approx(2 / 3)
    small, large = sketch([f"k{n}" for n in range(300)]), sketch([f"k{n}" for n in range(3_000)])
    assert len(large) == 4 * SKETCH
    assert containment(small, large) == 1.0
    assert containment(large, small) == pytest.approx(0.1, abs=0.05)
    assert containment(b"", small) == 0.0


def test_the_time_covered_is_that_of_dates_else_of_names() -> None:
    year = Column(name="Year", kind="integer")
    count = Column(name="Count", kind="integer")
    assert years([year, count], [["2019", "2021"], ["1999", "5"]]) == ("2019", "2021")
    wide = [Column(name="Country"), Column(name="2001"), Column(name="2002")]
    assert years(wide, [[], [], []]) == ("2001", "2002")
    assert years([count], [["1999"]]) == ("", "")
