"""A lake of Parquet files, read by those who read lakes."""

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet
import pytest

from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.lake import write_lake


@pytest.fixture
def lake(collection: Collection, tmp_path: Path) -> Path:
    write_lake(collection, tmp_path / "lake")
    return tmp_path / "lake"


def ask(lake: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(":memory:") as database:
        rows: list[tuple[Any, ...]] = database.execute(query.format(lake=lake)).fetchall()
        return rows


def test_duckdb_reads_all_tables_at_once_and_knows_their_files(lake: Path) -> None:
    how = "hive_partitioning = true, union_by_name = true"
    every = f"read_parquet('{{lake}}/tables/*/*/*.parquet', {how})"
    query = f"""
        SELECT f.title, t.filon_table, sum(t.Cattle) FROM {every} t
        JOIN '{{lake}}/files.parquet' f ON t.filon_file = 'f_' || f.id[:12]
        WHERE t.Cattle IS NOT NULL GROUP BY ALL ORDER BY ALL
    """
    found = [(title[:6], table, total) for title, table, total in ask(lake, query)]
    assert found == [("Cattle", 1, 18), ("Prices", 1, 6), ("Prices", 2, 18)]


def test_the_manifest_tells_every_table(lake: Path) -> None:
    manifest = json.loads((lake / "manifest.json").read_text("utf-8"))
    tables = manifest["tables"]
    paths = sorted(path.relative_to(lake).as_posix() for path in lake.glob("tables/*/*/*"))
    assert sorted(table["path"] for table in tables) == paths
    for table in tables:
        data = (lake / table["path"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (
            table["size_bytes"],
            table["sha256"],
        )
        read = pyarrow.parquet.read_metadata(lake / table["path"])
        assert read.num_rows == table["rows"]
        assert read.schema.names == [column["name"] for column in table["columns"]]
    assert manifest["files"] == 8
    assert len(tables) == 7


def test_what_is_known_is_there_as_tables(lake: Path) -> None:
    assert ask(lake, "SELECT count(*) FROM '{lake}/columns.parquet'") == [(5 + 2 * 2 + 3 + 4 + 6,)]
    assert ask(lake, "SELECT count(*) FROM '{lake}/sightings.parquet'") == [(9,)]
    problems = "SELECT problem FROM '{lake}/files.parquet' WHERE title IN ('Damaged', 'Empty')"
    assert sorted(ask(lake, problems)) == [("damaged",), ("empty",)]
