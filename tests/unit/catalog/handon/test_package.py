"""What the packages share: tables with their values, documents that are written piece by piece."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from filon.catalog.handon import package
from filon.catalog.handon.dataset import Collection
from filon.profile.parquet import Written


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


def test_a_document_is_written_piece_by_piece(tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    pieces = ({"n": n, "text": "</script>\n" + "ü" * n} for n in range(3))
    package.write_json({"name": "a", "none": iter(()), "some": pieces, "last": [1]}, out)
    read = json.loads(out.read_text("utf-8"))
    assert list(read) == ["name", "none", "some", "last"]
    assert [one["n"] for one in read["some"]] == [0, 1, 2]
    assert read["none"] == []
    assert "<" not in out.read_text("utf-8")
