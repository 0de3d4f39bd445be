"""Who starts workers, each held to the same; and actors of Ray that are killed, or their node."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest

from command import environment
from experiments.fleet_web import Serving, at_once, files_of, hosts, listed, repeated, serving
from experiments.raycluster import RayCluster
from patience import PATIENCE_S, wait_until

SITES = 4


@pytest.fixture
def web() -> Iterator[Serving]:
    with serving(wait_s=0.1) as server:
        yield server


class Fleet:
    """A fleet that is run by a command, in a process of its own. way: who starts its workers."""

    def __init__(
        self, web: Serving, folder: Path, *way: str, budget: str = "1000", **more: str
    ) -> None:
        self.web = web
        words = ["fleet", "run", str(listed(folder / "sites.txt", SITES)), "--json", "--quiet"]
        words += ["--delay", "0", "--hold", "2", "--lease", "3", "--stop", "never"]
        words += ["--connect-to", web.connect_to, "--out", str(folder / "fleet"), *way]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "filon", *words, "--budget", budget],
            env={**environment(), "TMPDIR": str(folder), **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def asked(self, number: int) -> bool:
        """Tell whether so many requests were sent; fail where the command has ended before."""
        assert self.process.poll() is None, self.process.communicate()
        return len(self.web.asked) >= number

    def end(self) -> dict[str, Any]:
        """Wait for its end; return what it says."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0, err
        told: dict[str, Any] = json.loads(out.splitlines()[-1])
        return told


def assert_whole(fleet: Fleet, told: dict[str, Any]) -> None:
    assert told["stopped"] == "exhausted"
    assert told["states"] == {"exhausted": SITES}
    assert told["finds"] == sum(len(files_of(host)) for host in hosts(SITES))
    assert at_once(fleet.web.asked) == []


@pytest.fixture(params=["this process", "processes", "a Ray of its own", "a Ray cluster"])
def begin(
    request: pytest.FixtureRequest, web: Serving, tmp_path: Path
) -> Iterator[Callable[..., Fleet]]:
    """Who starts workers: each is held to the same."""
    if request.param == "a Ray cluster":
        yield partial(Fleet, web, tmp_path, *_on_servers(request), **_reach(request))
    elif request.param == "a Ray of its own":
        # Names of sockets are short: the folders of tests are too deep.
        with TemporaryDirectory(prefix="fray-", dir="/tmp", ignore_cleanup_errors=True) as short:
            yield partial(Fleet, web, tmp_path, "--on", "local", RAY_TMPDIR=short)
    else:
        ways = {"processes": ["--workers", "2"]}
        yield partial(Fleet, web, tmp_path, *ways.get(request.param, []))


def _on_servers(request: pytest.FixtureRequest) -> list[str]:
    store, bucket = request.getfixturevalue("postgres").empty(), uuid4().hex
    blobs = f"{request.getfixturevalue('s3').bucket(bucket)}/fleet"
    return ["--on", "ray", "--store", store, "--blobs", blobs]


def _reach(request: pytest.FixtureRequest) -> dict[str, str]:
    address = request.getfixturevalue("ray_cluster").address
    return {"RAY_ADDRESS": address, **request.getfixturevalue("s3").environment()}


def test_an_interrupt_lets_the_workers_end_and_the_same_command_goes_on(
    begin: Callable[..., Fleet],
) -> None:
    first = begin()
    wait_until(lambda: first.asked(10))
    first.process.send_signal(signal.SIGINT)
    out, err = first.process.communicate(timeout=PATIENCE_S)
    assert first.process.returncode == 130, err
    told = json.loads(out.splitlines()[-1])
    assert (told["stopped"], told["held"], told["lost_requests"]) == ("interrupted", 0, 0)
    again = begin()
    assert_whole(again, again.end())
    assert repeated(again.web.asked) == 0


def test_where_the_budget_is_spent_that_is_told(begin: Callable[..., Fleet]) -> None:
    fleet = begin(budget="40")
    told = fleet.end()
    assert told["stopped"] == "budget"
    assert told["drawn_requests"] == len(fleet.web.asked) == 40


def test_ray_has_a_node_for_each_that_was_added_and_hears_of_one_that_is_gone(
    ray_cluster: RayCluster,
) -> None:
    ray = pytest.importorskip("ray")
    more = ray_cluster.add()
    ray.init(address=ray_cluster.address, log_to_driver=False)
    try:
        assert ray.cluster_resources()["CPU"] == 3
        ray_cluster.remove(more)
        wait_until(lambda: bool(ray.cluster_resources().get("CPU") == 2))
    finally:
        ray.shutdown()


def test_actors_are_killed_and_a_node_is_lost_and_the_fleet_gets_all_the_same(
    request: pytest.FixtureRequest, ray_cluster: RayCluster, web: Serving, tmp_path: Path
) -> None:
    more = ray_cluster.add()
    fleet = Fleet(web, tmp_path, *_on_servers(request), **_reach(request))
    wait_until(lambda: fleet.asked(10))
    os.kill(ray_cluster.actors()[0], signal.SIGKILL)
    wait_until(lambda: fleet.asked(20))
    ray_cluster.kill(more)
    assert_whole(fleet, fleet.end())
