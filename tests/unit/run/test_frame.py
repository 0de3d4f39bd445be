import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from filon import UserError
from filon.run.frame import KINDS, Frame

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ROWS = [
    ("Quartz", 1783, 2.65, True, NOON, ("SiO2", "α")),
    ("Topaz", None, None, None, None, ()),
]
NAMES = ("name", "year", "density", "common", "seen_at", "formulas")


@pytest.fixture
def frame() -> Frame:
    return Frame(dict(zip(NAMES, KINDS, strict=True)), lambda: ROWS)


def test_rows_are_read_again_each_time(frame: Frame) -> None:
    assert [row["name"] for row in frame] == [row["name"] for row in frame] == ["Quartz", "Topaz"]
    assert (len(frame), frame.columns, bool(frame)) == (2, NAMES, True)


def test_pandas_gets_types_that_know_missing_values(frame: Frame) -> None:
    import pandas

    table = frame.to_pandas()
    assert list(table.columns) == list(NAMES)
    assert str(table.dtypes["year"]) == "Int64"
    assert table["year"].isna().tolist() == [False, True]
    assert table["seen_at"][0] == pandas.Timestamp(NOON)
    assert str(table["seen_at"].dt.tz) == "UTC"
    assert table["common"][0]
    assert table["formulas"][0] == ("SiO2", "α")


def test_polars_gets_the_same(frame: Frame) -> None:
    table = frame.to_polars()
    assert table.columns == list(NAMES)
    assert table["year"].to_list() == [1783, None]
    assert table["seen_at"][0] == NOON
    assert table["formulas"].to_list() == [["SiO2", "α"], []]


def test_arrow_gets_the_same_in_batches(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filon.run.frame._BATCH", 1)
    table = frame.to_arrow()
    assert table.column_names == list(NAMES)
    assert table["density"].to_pylist() == [2.65, None]
    assert table["seen_at"].to_pylist() == [NOON, None]
    assert table["name"].num_chunks == 2


@pytest.mark.parametrize("to", [Frame.to_pandas, Frame.to_polars, Frame.to_arrow])
def test_a_table_without_rows_still_has_its_columns(to: Callable[[Frame], Any]) -> None:
    empty = Frame(dict(zip(NAMES, KINDS, strict=True)), list)
    table = to(empty)
    names = table.column_names if hasattr(table, "column_names") else table.columns
    assert (not empty, list(names), len(table)) == (True, list(NAMES), 0)


@pytest.mark.parametrize(
    ("to", "library", "extra"),
    [
        (Frame.to_pandas, "pandas", "pandas"),
        (Frame.to_polars, "polars", "polars"),
        (Frame.to_arrow, "pyarrow", "parquet"),
    ],
)
def test_a_library_that_is_not_there_is_named_with_its_extra(
    frame: Frame,
    to: Callable[[Frame], Any],
    library: str,
    extra: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UserError, match=rf"This needs {library}: pip install 'filon\[{extra}\]'\."):
        to(frame)


def test_a_notebook_shows_the_first_rows_as_text_only() -> None:
    hostile = Frame(
        {"<b>": str, "#n": int}, lambda: [("<script>alert(1)</script>", n) for n in range(99)]
    )
    shown = hostile._repr_html_()
    assert "<script" not in shown
    assert "<b>" not in shown
    assert "&lt;script&gt;" in shown
    assert "#n" in shown
    assert shown.count("<tr>") == 1 + 10
    assert "99 rows, 2 columns" in shown
    assert repr(hostile) == "<Frame of 99 rows: <b>, #n>"
