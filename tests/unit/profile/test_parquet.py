"""The tables of a file written anew as Parquet."""

from pathlib import Path

import pyarrow
import pytest
from pyarrow.parquet import read_table, write_table

from filon.profile import parquet
from filon.profile.parquet import Written, convert, kinds
from filon.profile.source import UnreadableError
from filon.profile.typed import open_parquet


def test_numbers_are_numbers_and_gaps_are_null(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('name,count,price,day\nx,"1,200",1.5,2020-01-02\ny,n/a,2,2020-01-03\n')
    assert convert(path, "a.csv", tmp_path) == [Written(name="", rows=2, total=2)]
    made = read_table(tmp_path / "1.parquet")
    assert made.select(["name", "count", "price"]).to_pylist() == [
        {"name": "x", "count": 1200, "price": 1.5},
        {"name": "y", "count": None, "price": 2.0},
    ]
    assert kinds(made.schema) == ["text", "integer", "number", "date"]


def test_a_table_that_is_too_long_is_told_and_not_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("n,m\n" + "1,2\n" * 500)
    monkeypatch.setattr(parquet, "MOST_CELLS", 600)
    (written,) = convert(path, "a.csv", tmp_path)
    assert (written.rows, written.total, written.is_whole) == (300, 500, False)
    assert not list(tmp_path.glob("*.parquet"))


def test_tables_that_take_too_much_room_are_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("n,m\n" + "1,2\n" * 500)
    monkeypatch.setattr(parquet, "MOST_BYTES", 100)
    with pytest.raises(UnreadableError, match="more room"):
        convert(path, "a.csv", tmp_path)


DAYS = pyarrow.array([3_663_382, 18_262], pyarrow.date32())


@pytest.mark.parametrize(
    ("days", "cells"),
    [
        (DAYS, ["12000-01-01", "2020-01-01"]),
        (pyarrow.ListArray.from_arrays([0, 1, 2], DAYS), ['["12000-01-01"]', '["2020-01-01"]']),
        (
            pyarrow.FixedSizeListArray.from_arrays(DAYS, 1),
            ['["12000-01-01"]', '["2020-01-01"]'],
        ),
        (
            pyarrow.MapArray.from_arrays([0, 1, 2], ["a", "b"], DAYS),
            ['[["a", "12000-01-01"]]', '[["b", "2020-01-01"]]'],
        ),
        (
            pyarrow.StructArray.from_arrays([DAYS, pyarrow.array([1, 2])], ["day", "n"]),
            ['{"day": "12000-01-01", "n": 1}', '{"day": "2020-01-01", "n": 2}'],
        ),
        (
            pyarrow.ListArray.from_arrays(
                [0, 1, 2], pyarrow.StructArray.from_arrays([DAYS], ["day"])
            ),
            ['[{"day": "12000-01-01"}]', '[{"day": "2020-01-01"}]'],
        ),
    ],
    ids=["plain", "list", "fixed list", "map", "struct", "list of structs"],
)
def test_a_date_that_python_has_not_costs_no_file(
    days: pyarrow.Array, cells: list[str], tmp_path: Path
) -> None:
    write_table(pyarrow.table({"day": days}), tmp_path / "days.parquet")
    (sheet,) = open_parquet(tmp_path / "days.parquet").sheets
    assert list(sheet.rows) == [[cell] for cell in cells]
