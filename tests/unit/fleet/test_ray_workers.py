"""What is said before Ray is asked for anything; the rest is tests/fleet/test_workers.py."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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


class ReplacedActor:
    """Dies when it is told to end for the first time, and begins anew as Ray lets it."""

    def __init__(self) -> None:
        self.stops = 0
        self.work, self.stop, self.process = map(_remote, (self._work, self._stop, self._process))

    def _work(self) -> str:
        return "work"

    def _stop(self) -> str:
        self.stops += 1
        return "stop"

    def _process(self) -> str:
        return "process"


def _remote(function: Callable[[], str]) -> Any:
    return SimpleNamespace(remote=function)


class FakeRay:
    """A Ray with one actor, that has no cluster."""

    def __init__(self, actor: ReplacedActor) -> None:
        self.actor, self.looks = actor, 0

    def wait(self, works: Sequence[str], **more: Any) -> tuple[list[str], list[str]]:
        self.looks += 1
        assert self.looks < 10, "the actor that was started anew goes on"
        done = [work for work in works if work != "work" or self.actor.stops > 1]
        return done, [work for work in works if work not in done]

    def get(self, work: str) -> str:
        return "halted"

    def kill(self, actor: ReplacedActor) -> None: ...

    def shutdown(self) -> None: ...


def test_an_actor_that_is_started_anew_after_the_stop_is_told_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    actor = ReplacedActor()
    monkeypatch.setitem(sys.modules, "ray", FakeRay(actor))
    workers = RayWorkers("ray", SHARED)
    workers._actors, workers._works = {1: actor}, {1: actor.work.remote()}

    async def stopped() -> str:
        await workers.stop()
        return await workers.watch()

    assert asyncio.run(stopped()) == "interrupted"
    assert actor.stops == 2
