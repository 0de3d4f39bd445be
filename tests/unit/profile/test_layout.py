"""Where a table stands among the rows of a sheet."""

import pytest

from filon.profile.layout import is_note, layout


def rows(text: str) -> list[list[str]]:
    return [line.split(",") for line in text.strip("\n").split("\n")]


@pytest.mark.parametrize(
    ("text", "header_row", "names"),
    [
        ("Region,Value\nNorth,1\nSouth,2", 1, ("Region", "Value")),
        ("Country,2019,2020\nKenya,12,13\nMali,4,5", 1, ("Country", "2019", "2020")),
        ("Table 3\n\nRegion,Value\nNorth,1\nSouth,2", 3, ("Region", "Value")),
        ("North,1\nSouth,2\nEast,3", 0, ("column 1", "column 2")),
        ("1,2\n3,4\n5,6", 0, ("column 1", "column 2")),
        ("name,city\nAnna,Bern\nUrs,Chur", 1, ("name", "city")),
        ("a,b\n1,2", 1, ("a", "b")),
        ("a,a\n1,2\n3,4", 1, ("a", "a (2)")),
        ("Name,,Value\nx,,3\ny,,4", 1, ("Name", "column 2", "Value")),
    ],
)
def test_the_header_is_found(text: str, header_row: int, names: tuple[str, ...]) -> None:
    found = layout(rows(text))
    assert found is not None
    assert (found.header_row, found.names) == (header_row, names)


def test_a_header_of_two_rows_is_joined() -> None:
    found = layout(rows("Region,Men,,Women,\n,2019,2020,2019,2020\nNorth,1,2,3,4\nSouth,5,6,7,8"))
    assert found is not None
    assert found.names == ("Region", "Men 2019", "Men 2020", "Women 2019", "Women 2020")
    assert found.begin == 2


def test_names_that_come_again_are_told_apart_by_the_row_above() -> None:
    found = layout(rows("Table 3\n,2019,,2020,\nRegion,a,b,a,b\nNorth,1,2,3,4\nSouth,5,6,7,8"))
    assert found is not None
    assert found.names == ("Region", "2019 a", "2019 b", "2020 a", "2020 b")


def test_a_table_that_goes_on_beside_itself_has_a_header() -> None:
    found = layout(rows("Code,Name,Code,Name\nA,x,C,z\nB,y,D,w"))
    assert found is not None
    assert found.names == ("Code", "Name", "Code (2)", "Name (2)")


def test_a_row_of_units_belongs_to_the_header() -> None:
    found = layout(rows("Region,Length,Weight\n,km,kg\nNorth,1,2\nSouth,3,4"))
    assert found is not None
    assert (found.names, found.begin) == (("Region", "Length (km)", "Weight (kg)"), 2)


@pytest.mark.parametrize(
    "text",
    [
        "Sex,Units,Year,Value\n,Percent,2016,\nMale,Percent,2017,3\nFemale,Percent,2018,4",
        "Area,Name,Year\n,Nunavut,2014\nNorth,Quebec,2015\nSouth,Yukon,2016",
        "Area,Name,Year,Rate\n,Yukon,,\nNorth,Quebec,2015,1\nSouth,Yukon,2016,2",
    ],
)
def test_a_row_whose_first_cell_is_empty_is_a_row(text: str) -> None:
    found = layout(rows(text))
    assert found is not None
    assert (found.header_row, found.begin) == (1, 1)


def test_a_row_of_values_alone_is_no_header() -> None:
    found = layout(rows("x,1,2.5,2020-01-01"))
    assert found is not None
    assert (found.header_row, found.begin) == (0, 0)


def test_what_a_file_says_of_itself_is_above_the_table() -> None:
    found = layout(
        rows("Source,the office,,\n,,,\nName,Code,1960,1961\nKenya,KEN,8,9\nMali,MLI,5,6")
    )
    assert found is not None
    assert (found.header_row, found.names) == (3, ("Name", "Code", "1960", "1961"))


def test_columns_that_are_empty_at_first_are_columns() -> None:
    found = layout([["1967", "x", "", ""], ["1968", "y", "", ""], ["1969", "z", "", ""]])
    assert found is not None
    assert len(found.names) == 4


def test_a_column_of_sentences_is_no_table() -> None:
    text = "This sheet tells of the table. Do read it before you use anything of what follows."
    assert layout([[text]] * 4) is None
    assert layout([["value"], ["1"], ["2"]]) is not None


@pytest.mark.parametrize("text", ["", ",,\n,,"])
def test_nothing_is_no_table(text: str) -> None:
    assert layout(rows(text)) is None


def test_a_line_below_is_a_note() -> None:
    assert is_note(["Source: the office", "", ""], 3)
    assert not is_note(["North", "3", ""], 3)
    assert not is_note(["a long list", ""], 2)
