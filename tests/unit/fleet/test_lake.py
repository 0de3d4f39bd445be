"""The lake of a fleet in a folder; tests/fleet/test_lake.py has it in a bucket."""

import asyncio
from pathlib import Path

import pytest

from filon.core import UserError
from filon.fleet.blobs import FolderBlobs
from filon.fleet.lake import LAKE, ask, files
from fleet_lakes import filled_and_asked


def test_what_was_found_is_asked_by_sql(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")
    work = filled_and_asked(tmp_path / "fleet.sqlite", blobs, str(tmp_path / "blobs"))
    assert asyncio.run(work)[1] == [("a", 2, 20), ("b", 1, 10)]


def test_a_lake_of_several_files_is_asked_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filon.fleet.lake.ROWS", 2)
    blobs = FolderBlobs(tmp_path / "blobs")
    work = filled_and_asked(tmp_path / "fleet.sqlite", blobs, str(tmp_path / "blobs"))
    assert asyncio.run(work)[1] == [("a", 2, 20), ("b", 1, 10)]
    names = [f"{LAKE}/000001/{part:05}.parquet" for part in range(2)]
    assert asyncio.run(files(blobs)) == names


def test_a_lake_that_is_not_whole_is_not_read(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")
    asyncio.run(filled_and_asked(tmp_path / "fleet.sqlite", blobs, str(tmp_path / "blobs")))
    asyncio.run(blobs.put(f"{LAKE}/000002/00000.parquet", b"cut off"))
    assert asyncio.run(files(blobs)) == [f"{LAKE}/000001/00000.parquet"]


def test_where_there_is_none_and_where_the_query_is_wrong_it_is_one_sentence(
    tmp_path: Path,
) -> None:
    blobs, place = FolderBlobs(tmp_path / "blobs"), str(tmp_path / "blobs")
    with pytest.raises(UserError, match="There is no lake among the blobs yet"):
        asyncio.run(ask(blobs, place, "SELECT 1"))
    asyncio.run(filled_and_asked(tmp_path / "fleet.sqlite", blobs, place))
    with pytest.raises(UserError, match=r"^DuckDB says: .*colour"):
        asyncio.run(ask(blobs, place, "SELECT colour FROM finds"))
