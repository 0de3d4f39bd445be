"""Cells as values."""

from datetime import date, datetime
from pathlib import Path

import pytest

from filon.profile.read import tables
from filon.profile.values import Values, values


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
