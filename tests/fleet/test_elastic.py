"""Workers that come, freeze and die: nothing is lost, and nobody is asked twice at once."""

import asyncio
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from command import Running, finish, start
from experiments.fleet_web import Serving, at_once, files_of, hosts, listed, repeated, serving
from experiments.postgresql import PostgreSQL
from filon.core import Budget
from filon.fleet.model import Overview
from filon.fleet.settings import FleetSettings
from filon.fleet.site_list import read_sites
from filon.fleet.store import opened
from fleet.line import line
from fleet.s3server import S3
from patience import wait_until

SITES, LEASE_S = 6, 2.0
TRUTH = {host: files_of(host) for host in hosts(SITES)}


@dataclass
class Fleet:
    """A fleet on real parts, and the processes that work for it."""

    folder: Path
    web: Serving
    store: str
    blobs: str

    def begin(self, budget: str = "2000") -> None:
        settings = FleetSettings(
            budget=budget,
            delay=0.0,
            timeout=1.0,
            lease=LEASE_S,
            connect_to=(self.web.connect_to,),
        )

        async def create() -> None:
            async with opened(self.store) as store:
                await store.create(settings.config(), Budget.parse(budget))
                await store.add(read_sites(listed(self.folder / "sites.txt", SITES)))

        asyncio.run(create())

    def worker(self, name: str) -> Running:
        words = ("--store", self.store, "--blobs", self.blobs, "--folder", self.folder / name)
        return start(self.folder, "fleet", "work", *words)

    def overview(self) -> Overview:
        async def look() -> Overview:
            async with opened(self.store) as store:
                return await store.overview()

        return asyncio.run(look())

    def found(self) -> dict[str, set[str]]:
        async def look() -> dict[str, set[str]]:
            async with opened(self.store) as store:
                rows = [await store.finds(host) for host in hosts(SITES)]
            return {
                host: {row["sha256"] for row in some}
                for host, some in zip(hosts(SITES), rows, strict=True)
            }

        return asyncio.run(look())


@pytest.fixture(params=["file and folder", "PostgreSQL and S3"])
def fleet(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Fleet]:
    store, blobs = str(tmp_path / "fleet.sqlite"), str(tmp_path / "blobs")
    if request.param != "file and folder":
        postgres: PostgreSQL = request.getfixturevalue("postgres")
        s3: S3 = request.getfixturevalue("s3")
        for name, value in s3.environment().items():
            monkeypatch.setenv(name, value)
        store, blobs = postgres.empty(), f"{s3.bucket('elastic')}/{tmp_path.name}"
    with serving(0.05) as web:
        made = Fleet(tmp_path, web, store, blobs)
        made.begin()
        yield made


def test_a_worker_that_wakes_up_after_its_lease_neither_sends_nor_writes(fleet: Fleet) -> None:
    first = fleet.worker("first")
    wait_until(lambda: len(fleet.web.asked) >= 20)
    os.kill(first.pid, signal.SIGSTOP)
    second = fleet.worker("second")
    assert finish(second).code == 0
    asked, seen = len(fleet.web.asked), fleet.overview()
    os.kill(first.pid, signal.SIGCONT)
    assert finish(first).code == 0
    assert len(fleet.web.asked) == asked  # nothing was sent
    assert fleet.overview().states == seen.states == {"exhausted": SITES}
    assert fleet.overview().requests == seen.requests
    assert fleet.found() == TRUTH
    assert at_once(fleet.web.asked) == []
    assert repeated(fleet.web.asked) <= SITES  # what was in flight
    assert asked <= seen.drawn_requests <= 2000


@pytest.mark.parametrize("fleet", ["PostgreSQL and S3"], indirect=True)
def test_a_worker_that_is_cut_off_from_the_store_neither_sends_nor_writes(
    fleet: Fleet, postgres: PostgreSQL
) -> None:
    fleet.web.web.wait_s = 0.3  # a site takes longer than the lease lasts
    with line(postgres.port) as network:
        through = fleet.store.replace(f":{postgres.port}/", f":{network.port}/")
        first = replace(fleet, store=through).worker("first")
        wait_until(lambda: len(fleet.web.asked) >= 20)
        network.cut()
        assert finish(fleet.worker("second")).code == 0
        asked, seen = len(fleet.web.asked), fleet.overview()
        assert seen.states == {"exhausted": SITES}
        network.mend()
        assert finish(first).code == 0
    assert len(fleet.web.asked) == asked
    assert fleet.overview().requests == seen.requests
    assert fleet.found() == TRUTH
    assert at_once(fleet.web.asked) == []
    assert repeated(fleet.web.asked) <= SITES
    assert asked <= seen.drawn_requests <= 2000


def test_a_worker_whose_machine_is_lost_is_gone_on_for(fleet: Fleet) -> None:
    first = fleet.worker("first")
    wait_until(lambda: len(fleet.web.asked) >= 20)
    first.kill()
    finish(first)
    assert finish(fleet.worker("second")).code == 0
    assert fleet.found() == TRUTH
    assert at_once(fleet.web.asked) == []
    assert repeated(fleet.web.asked) <= SITES
    assert len(fleet.web.asked) <= fleet.overview().drawn_requests


def test_a_worker_that_is_killed_and_begun_anew_goes_on_with_what_it_had_drawn(
    fleet: Fleet,
) -> None:
    asyncio.run(_allow(fleet.store, "2000req,100MiB"))
    first = fleet.worker("first")
    wait_until(lambda: len(fleet.web.asked) >= 20)
    first.kill()
    finish(first)
    assert finish(fleet.worker("first")).code == 0
    seen = fleet.overview()
    assert seen.states == {"exhausted": SITES}
    assert fleet.found() == TRUTH
    assert len(fleet.web.asked) <= seen.drawn_requests <= len(fleet.web.asked) + SITES
    assert repeated(fleet.web.asked) <= SITES


async def _allow(store: str, budget: str) -> None:
    async with opened(store) as one:
        await one.create({}, Budget.parse(budget))


def test_a_worker_that_is_told_to_end_gives_its_sites_back(fleet: Fleet) -> None:
    first = fleet.worker("first")
    wait_until(lambda: len(fleet.web.asked) >= 20)
    os.kill(first.pid, signal.SIGTERM)
    assert finish(first).code == 130
    seen = fleet.overview()
    assert seen.held == 0
    assert seen.drawn_requests == seen.requests == len(fleet.web.asked)
    assert finish(fleet.worker("second")).code == 0
    assert fleet.found() == TRUTH
    assert repeated(fleet.web.asked) == 0
    assert fleet.overview().lost_requests == 0
