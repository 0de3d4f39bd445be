"""An answer goes whole into JSON, CSV and Parquet, whatever its columns are."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import csv, parquet

from filon.catalog.answer import checked_out, records, write
from filon.catalog.query import sql
from filon.catalog.store import CatalogStore
from filon.core import UserError

ODD = (
    "SELECT [1, 2] AS list, INTERVAL 1 DAY AS span, {'a': 1} AS struct, MAP {'k': 1} AS map,"
    " '\\xFF'::BLOB AS bytes, 2 AS a, 3 AS a"
)


def test_columns_of_one_name_are_told_apart_and_what_json_has_not_is_null(
    catalog: CatalogStore,
) -> None:
    query = (
        "SELECT 1 AS a, 2 AS a, 'nan'::DOUBLE AS n, ['nan'::DOUBLE, 1] AS l, INTERVAL 2 DAY AS span"
    )
    (row,) = records(sql(catalog, query))
    assert row == {"a": 1, "a_2": 2, "n": None, "l": [None, 1.0], "span": "2 days"}
    assert json.loads(json.dumps(row, allow_nan=False)) == row


def test_a_time_that_python_has_not_is_text(catalog: CatalogStore) -> None:
    query = "SELECT DATE '12000-01-01' AS far UNION ALL SELECT DATE '2020-01-01' ORDER BY 1"
    assert [row["far"] for row in records(sql(catalog, query))] == ["2020-01-01", "12000-01-01"]


@pytest.mark.parametrize(
    ("ending", "read"), [("csv", csv.read_csv), ("parquet", parquet.read_table)]
)
def test_every_type_is_written(
    catalog: CatalogStore, tmp_path: Path, ending: str, read: Callable[[Path], Any]
) -> None:
    out = tmp_path / f"odd.{ending}"
    write(sql(catalog, ODD), out)
    table: pyarrow.Table = read(out)
    assert table.schema.names == ["list", "span", "struct", "map", "bytes", "a", "a_2"]
    (row,) = table.to_pylist()
    assert (row["span"], row["a"], row["a_2"]) == ("1 day", 2, 3)
    assert row["list"] == ("[1, 2]" if ending == "csv" else [1, 2])
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_that_is_there_stays_and_a_write_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.csv"
    kept.write_text("mine")
    with pytest.raises(UserError, match="is there already"):
        checked_out(kept)
    with pytest.raises(UserError, match=r"neither .csv nor .parquet"):
        checked_out(tmp_path / "x.xlsx")
    with pytest.raises(UserError, match="There is no folder"):
        checked_out(tmp_path / "none/x.csv")

    def fail(_: Any, out: Path) -> None:
        out.write_text("half")
        raise RuntimeError

    monkeypatch.setattr(csv, "write_csv", fail)
    with pytest.raises(RuntimeError):
        write(pyarrow.table({"a": [1]}), checked_out(tmp_path / "new.csv"))
    assert list(tmp_path.iterdir()) == [kept]
