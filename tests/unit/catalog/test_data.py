"""The rows of a file, typed."""

from pathlib import Path

import pytest

from filon.catalog import data
from filon.catalog.data import arrow
from filon.core import UserError


def test_numbers_are_numbers_and_gaps_are_null(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('name,count,price\nx,"1,200",1.5\ny,n/a,2\n')
    assert arrow(path, "a.csv").to_pylist() == [
        {"name": "x", "count": 1200, "price": 1.5},
        {"name": "y", "count": None, "price": 2.0},
    ]
    with pytest.raises(UserError, match="has no table 2"):
        arrow(path, "a.csv", 1)


def test_a_table_that_is_too_long_is_refused_and_not_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("n,m\n" + "1,2\n" * 500)
    assert arrow(path, "a.csv").num_rows == 500
    monkeypatch.setattr(data, "MOST_CELLS", 600)
    with pytest.raises(UserError, match="300 of 500 rows fit"):
        arrow(path, "a.csv")
