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


@pytest.mark.parametrize("text", ["", ",,\n,,"])
def test_nothing_is_no_table(text: str) -> None:
    assert layout(rows(text)) is None


def test_a_line_below_is_a_note() -> None:
    assert is_note(["Source: the office", "", ""], 3)
    assert not is_note(["North", "3", ""], 3)
    assert not is_note(["a long list", ""], 2)
