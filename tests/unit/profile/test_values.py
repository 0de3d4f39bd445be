"""Cells as values."""

from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest

from filon.profile.read import profile
from filon.profile.rows import tables
from filon.profile.values import Values, distinct, values


def read(folder: Path, *cells: str) -> Values:
    path = folder / "a.csv"
    path.write_text("\n".join(["name,value", *(f"x,{cell}" for cell in cells)]) + "\n")
    (table,) = tables(path, "a.csv")
    return list(values(table))[1]


@pytest.mark.parametrize(
    ("cells", "kind", "expected"),
    [
        (("1", "n/a", "30"), "integer", [1, None, 30]),
        (("9007199254740993", "1"), "integer", [9007199254740993, 1]),
        (("99999999999999999999", "1"), "number", [1e20, 1.0]),
        (("1.5", "2"), "number", [1.5, 2.0]),
        (("2020-01-02", ""), "date", [date(2020, 1, 2), None]),
        (("2/3/2020", "2020-01-02"), "text", ["2/3/2020", "2020-01-02"]),
        (("2020-01-02T03:04:05Z",) * 2, "datetime", [datetime(2020, 1, 2, 3, 4, 5)] * 2),
        (("2020-01-02T03:04:05+01:00",) * 2, "datetime", [datetime(2020, 1, 2, 2, 4, 5)] * 2),
        (("2020-01-02T03:04Z", "2020-01-02T03:04"), "text", None),
        (("true", "False", ""), "boolean", [True, False, None]),
        (("yes", "no"), "text", ["yes", "no"]),
        (("9:30", "10:00"), "text", ["9:30", "10:00"]),
        (("007", "008"), "text", ["007", "008"]),
        (("ZA", "BW", "NA", "AO", ""), "text", ["ZA", "BW", "NA", "AO", None]),
        (("high", "low", "NA", "none"), "text", ["high", "low", None, None]),
        (("1", "NA", "2"), "integer", [1, None, 2]),
    ],
)
def test_a_column_is_of_its_kind(
    tmp_path: Path, cells: tuple[str, ...], kind: str, expected: list[object] | None
) -> None:
    column = read(tmp_path, *cells)
    assert column.kind == kind
    assert column.cells == (expected or list(cells))


@pytest.mark.parametrize("usual", ["1", "1.5"])
@pytest.mark.parametrize("other", ["see note", ">500", "confidential"])
def test_a_column_with_a_cell_that_is_not_of_its_kind_is_text(
    tmp_path: Path, usual: str, other: str
) -> None:
    column = read(tmp_path, *[usual] * 199, "n/a", other)
    assert (column.kind, column.cells) == ("text", [*[usual] * 199, None, other])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"a;b\n48.137;x\n52.520;y\n", [48.137, 52.52]),
        (b"a;b\n1.234;0,5\n12.345;1,25\n", [1234, 12345]),
        (b"a;b\n1.234;0.5\n12.345;1.25\n", [1.234, 12.345]),
        (b"a;b\n1,234;0,5\n12,345;1,25\n", [1.234, 12.345]),
        (b"a;b\n1,234;x\n12,345;y\n", [1234, 12345]),
        (b"a;b\n567;x\n12.345;y\n", [567, 12345]),
        (b'[{"a": 567, "b": "0,5"}, {"a": 12.345, "b": "1,5"}]', [567, 12.345]),
    ],
)
def test_no_fraction_is_taken_for_thousands_nor_thousands_for_a_fraction(
    tmp_path: Path, body: bytes, expected: list[float]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(body)
    (table,) = tables(path, "a")
    assert next(iter(values(table))).cells == expected


def test_the_numbers_of_a_workbook_are_what_they_are(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["station", "level"], ["North", 567], ["South", 1.234], ["East", 2.345]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    (table,) = tables(tmp_path / "a.xlsx", "a.xlsx")
    assert list(values(table))[1].cells == [567.0, 1.234, 2.345]


def test_coordinates_of_three_digits_make_a_box(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("name,lat,lon\nMunich,48.137,11.575\nBerlin,52.520,13.405\n")
    (table,) = profile(path, "a.csv").tables
    assert table.box == (11.575, 48.137, 13.405, 52.52)


@pytest.mark.timeout(60)
def test_many_columns_of_one_name_are_told_apart() -> None:
    found = distinct(["Value (3)", *["Value"] * 100_000, "value"])
    assert found[:4] == ["Value (3)", "Value", "Value (2)", "Value (4)"]
    assert found[-2:] == ["Value (100001)", "value (100002)"]
