"""The lake of a fleet in a bucket: DuckDB reads it there, and loads no extension."""

import asyncio
from pathlib import Path

import pytest

from filon.fleet.blobs import blobs_at
from fleet.s3server import S3
from fleet_lakes import filled_and_asked


def test_duckdb_reads_the_bucket(s3: S3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in s3.environment().items():
        monkeypatch.setenv(name, value)
    place = f"{s3.bucket('water')}/fleet"
    before = s3.asked["GET"]
    work = filled_and_asked(tmp_path / "fleet.sqlite", blobs_at(place), place)
    assert asyncio.run(work)[1] == [("a", 2, 20), ("b", 1, 10)]
    assert s3.asked["GET"] > before
