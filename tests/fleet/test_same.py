"""Bar 3 in short: sites bring the same embedded and on PostgreSQL, S3 and Ray, step by step."""

import asyncio
from pathlib import Path

import pytest

from experiments.fleet_same import harvested
from experiments.fleet_web import serving
from experiments.postgresql import PostgreSQL
from filon.fleet.session import Places
from filon.fleet.store import opened
from fleet.s3server import S3

SITES = 4


async def profiles(address: str) -> dict[tuple[str, int], str]:
    """Return what workers saw in the files, by site and find."""
    async with opened(address) as store:
        return {(row["site"], row["find"]): row["profile"] for row in await store.finds()}


@pytest.mark.parametrize("on", ["", "ray"])
def test_one_process_and_many_on_servers_bring_the_same(
    on: str,
    request: pytest.FixtureRequest,
    postgres: PostgreSQL,
    s3: S3,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = s3.environment()
    if on:
        known["RAY_ADDRESS"] = request.getfixturevalue("ray_cluster").address
    for name, value in known.items():
        monkeypatch.setenv(name, value)
    alone = Places.of(tmp_path / "alone")
    many = Places(store=postgres.empty(), blobs=s3.bucket(f"same{on}"), folder=tmp_path / "many")
    with serving() as web:
        first = asyncio.run(harvested(alone, SITES, web.connect_to))
        second = asyncio.run(harvested(many, SITES, web.connect_to, 2, on))
    assert first == second
    assert all(steps and finds for steps, finds in first.values())
    seen = asyncio.run(profiles(alone.store))
    assert seen == asyncio.run(profiles(many.store))
    assert all(seen.values())
