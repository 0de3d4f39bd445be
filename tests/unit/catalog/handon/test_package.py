"""What the packages share: tables with their values, documents that are written piece by piece."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pyarrow
import pytest
from pyarrow import parquet

from filon.catalog.handon import package
from filon.catalog.handon.dataset import Collection, File, Table
from filon.profile.parquet import Written
from filon.profile.shape import Column


def test_a_table_of_which_not_all_rows_fit_is_left_out(
    collection: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = [file for _, file in collection.files() if file.name == "cattle 2019.csv"]
    (tmp_path / "long").write_text("Region,Year,Cattle\n" + "North,2018,5\n" * 500)
    file = replace(file, path=tmp_path / "long", id="ab" * 32)
    ((_, made),) = package.read(collection, file)
    assert made.num_rows == 500
    cut = Written(name="", rows=300, total=500)
    monkeypatch.setattr(collection.catalog.cache, "tables", lambda *_: [cut])
    assert list(package.read(collection, file)) == []


def test_a_file_that_changed_since_has_no_tables(collection: Collection, tmp_path: Path) -> None:
    (file,) = [file for _, file in collection.files() if file.name == "both.zip"]
    (tmp_path / "broken").write_bytes(b"PK\x03\x04 no more")
    broken = replace(file, path=tmp_path / "broken", id="cd" * 32)
    assert list(package.read(collection, broken)) == []
    assert list(package.read(collection, replace(file, path=None))) == []


@pytest.mark.timeout(60)
def test_a_table_of_many_columns_is_written_in_one_go(tmp_path: Path) -> None:
    names = [f"column {n}" for n in range(20_000)]
    made = pyarrow.table({name: [1] for name in names})
    columns = tuple(Column(name=name, label=f"label of {name}", unit="kg") for name in names)
    table = cast(Table, SimpleNamespace(columns=columns, name="wide"))
    file = cast(File, SimpleNamespace(id="ab", url=""))
    package.write_parquet(file, table, made, tmp_path / "a.parquet")
    written = parquet.read_schema(tmp_path / "a.parquet")
    assert written.names == names
    assert written.field(19_999).metadata[b"label"] == b"label of column 19999"
    assert written.metadata[b"filon_table"] == b"wide"


def test_a_document_is_written_piece_by_piece(tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    pieces = ({"n": n, "text": "</script>\n" + "ü" * n} for n in range(3))
    package.write_json({"name": "a", "none": iter(()), "some": pieces, "last": [1]}, out)
    read = json.loads(out.read_text("utf-8"))
    assert list(read) == ["name", "none", "some", "last"]
    assert [one["n"] for one in read["some"]] == [0, 1, 2]
    assert read["none"] == []
    assert "<" not in out.read_text("utf-8")
