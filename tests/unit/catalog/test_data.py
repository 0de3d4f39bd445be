"""The rows of a file, typed."""

from pathlib import Path

import pytest

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
