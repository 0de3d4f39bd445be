"""What is said before Ray is asked for anything; the rest is tests/fleet/test_workers.py."""

import asyncio
import sys
from pathlib import Path

import pytest

from filon.core import MachineError, UserError
from filon.fleet.ray_workers import RayWorkers, folder_of
from filon.fleet.session import Places
from filon.fleet.workers import workers_on

SHARED = Places(store="postgresql://db/fleet", blobs="s3://bucket/fleet", folder=Path("fleet"))


def test_a_cluster_needs_a_store_and_blobs_that_all_reach() -> None:
    here = Places(store="fleet.sqlite", blobs="blobs", folder=Path("fleet"))
    with pytest.raises(UserError, match="name a --store postgresql://… and --blobs s3://…"):
        workers_on("ray", here, 0)


def test_a_place_that_is_none_is_told() -> None:
    with pytest.raises(UserError, match="'moon': ray://HOST:PORT, ray and local are known"):
        workers_on("moon", SHARED, 0)


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UserError, match=r"Workers on Ray need ray: pip install 'filon\[fleet\]'"):
        RayWorkers("ray", SHARED)


async def begin(workers: RayWorkers) -> None:
    await workers.start(1)


def test_where_there_is_no_cluster_that_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")

    def init(**asked: object) -> None:
        raise ConnectionError("Could not find any running Ray instance.\nMore of this.")

    monkeypatch.setattr(ray, "init", init)
    with pytest.raises(MachineError, match=r"on ray: Could not find any running Ray instance\.$"):
        asyncio.run(begin(RayWorkers("ray", SHARED)))


def test_workers_of_two_fleets_on_a_node_have_folders_of_their_own() -> None:
    other = Places(store="postgresql://db/other", blobs="s3://bucket/fleet", folder=Path("fleet"))
    assert folder_of(SHARED, 1) != folder_of(other, 1)
    assert folder_of(SHARED, 1) == folder_of(SHARED, 1) != folder_of(SHARED, 2)
