"""Rows of a table, a window at a time."""

from collections.abc import Callable
from datetime import date
from html import escape
from pathlib import Path

import pytest

from filon.catalog.grid import COLUMNS, Grid
from filon.core import UserError


def test_a_window_lies_anywhere_also_over_the_end_of_a_group(stored: Callable[..., Path]) -> None:
    grid = Grid(stored({"n": list(range(1000)), "t": [f"t{n}" for n in range(1000)]}, 100))
    assert grid.window(0, 2).rows == [["0", "t0"], ["1", "t1"]]
    over = grid.window(198, 4)
    assert [row[0] for row in over.rows] == ["198", "199", "200", "201"]
    assert (over.first, over.after, over.total, over.width) == (198, 202, 1000, 2)
    assert [row[0] for row in grid.window(998).rows] == ["998", "999"]
    assert grid.window(5000).rows == []
    assert grid.window(-5, 1).rows == [["0", "t0"]]


def test_only_the_groups_of_the_window_are_read(stored: Callable[..., Path]) -> None:
    grid = Grid(stored({"n": list(range(1000))}, 100))
    read: list[list[int]] = []
    file = grid._file

    class Watched:
        num_row_groups, metadata = file.num_row_groups, file.metadata

        def read_row_groups(self, groups: list[int], columns: list[str]) -> object:
            read.append(groups)
            return file.read_row_groups(groups, columns=columns)

    grid._file = Watched()
    assert [row[0] for row in grid.window(350, 3).rows] == ["350", "351", "352"]
    assert read == [[3]]


def test_a_wide_table_is_shown_some_columns_at_a_time(stored: Callable[..., Path]) -> None:
    grid = Grid(stored({f"c{n}": [n] for n in range(50)}))
    assert len(grid.window().names) == COLUMNS
    assert grid.window(column=45).names == ["c45", "c46", "c47", "c48", "c49"]
    assert grid.window(column=45).rows == [["45", "46", "47", "48", "49"]]


def test_cells_are_text_of_their_kind(stored: Callable[..., Path]) -> None:
    grid = Grid(
        stored({"d": [date(2020, 1, 2)], "x": [0.1 + 0.2], "b": [True], "n": [None], "e": [""]})
    )
    assert grid.window().rows == [["2020-01-02", "0.3", "true", None, ""]]
    assert grid.window().kinds[:3] == ["date", "number", "boolean"]


def test_a_window_of_long_texts_stays_small_and_a_row_has_all(stored: Callable[..., Path]) -> None:
    grid = Grid(stored({f"c{n}": ["x" * 5000] * 200 for n in range(20)}))
    window = grid.window()
    assert len(window.rows) == 200
    assert sum(len(cell or "") for row in window.rows for cell in row) <= 60_000
    assert grid.row(7)[0] == ("c0", "x" * 5000)


def test_letters_that_pages_write_in_five_count_for_five(stored: Callable[..., Path]) -> None:
    grid = Grid(stored({f"c{n}": ["<" * 100] * 200 for n in range(20)}))
    assert sum(len(escape(cell or "")) for row in grid.window().rows for cell in row) < 200_000


def test_marks_that_act_are_seen(stored: Callable[..., Path]) -> None:
    grid = Grid(stored({"a\u202eb": ["\x1b[31m<script>\u202e"]}))
    assert grid.window().names == ["a\\u202eb"]
    assert grid.window().rows == [["\\x1b[31m<script>\\u202e"]]


def test_a_row_that_is_not_there_is_an_error(stored: Callable[..., Path]) -> None:
    with pytest.raises(UserError, match="There is no row 3: the table has 2"):
        Grid(stored({"a": [1, 2]})).row(2)


def test_a_table_without_rows_has_its_columns(stored: Callable[..., Path]) -> None:
    window = Grid(stored({"a": [], "b": []})).window()
    assert (window.names, window.rows, window.total) == (["a", "b"], [], 0)
