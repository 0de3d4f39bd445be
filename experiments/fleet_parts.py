"""The real parts of a fleet that is harmed: its web with a log, its store, and its workers.

Workers are processes of this machine, or actors of a Ray cluster with a node each. Each has a disk
of its own, which is a folder: it outlives the worker, or is lost with it.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from experiments.fleet_web import Asked, listed
from experiments.raycluster import RayCluster
from filon.core import Budget
from filon.fleet.model import Overview
from filon.fleet.settings import FleetSettings
from filon.fleet.site_list import read_sites
from filon.fleet.store import opened

LEASE_S = 6.0


@dataclass
class LoggedWeb:
    """The web, a process of its own, and its log."""

    port: int
    log: Path

    @property
    def connect_to(self) -> str:
        """What leads all requests to it."""
        return f"::127.0.0.1:{self.port}"

    def size(self) -> int:
        """Return how many requests it has answered."""
        return self.log.read_bytes().count(b"\n")

    def asked(self) -> list[Asked]:
        """Return what it was asked."""
        return [Asked(**json.loads(line)) for line in self.log.read_text().splitlines()]


@contextmanager
def logged_web(folder: Path, wait_s: float) -> Iterator[LoggedWeb]:
    """Serve the sites from a process, which writes a log."""
    log = folder / "web.log"
    log.touch()
    process = subprocess.Popen(  # noqa: S603, ourselves
        [sys.executable, "-m", "experiments.fleet_web", str(log), str(wait_s)],
        stdout=subprocess.PIPE,
    )
    with process:
        try:
            port = process.stdout.readline() if process.stdout else b""
            yield LoggedWeb(int(port), log)
        finally:
            process.terminate()


class Started(Protocol):
    """A process, as far as it is watched and killed: `subprocess.Popen`, or a fork."""

    @property
    def pid(self) -> int:
        """Its number."""

    @property
    def returncode(self) -> Any:
        """Its exit code; None while it is at work."""

    def poll(self) -> int | None:
        """Look, and return the exit code."""

    def kill(self) -> None:
        """End it without asking."""

    def wait(self) -> int:
        """Wait for its end and return the exit code."""


#: Starts Python with arguments and variables; a log takes what it says.
Start = Callable[[Sequence[str], Mapping[str, str], IO[bytes]], Started]


def anew(arguments: Sequence[str], variables: Mapping[str, str], log: IO[bytes]) -> Started:
    """Start Python as a person does."""
    words = [sys.executable, *arguments]
    return subprocess.Popen(words, env=variables, stdout=log, stderr=log)  # noqa: S603, ourselves


@dataclass
class Parts:
    """A fleet: where its web, its store and its blobs are, and how processes get there."""

    folder: Path
    web: LoggedWeb
    store: str
    blobs: str
    environment: dict[str, str] = field(default_factory=dict)
    start: Start = anew

    def begin(self, sites: int, budget: str) -> None:
        """Have the fleet in the store."""
        settings = FleetSettings(
            budget=budget, delay=0.05, timeout=2.0, lease=LEASE_S, hold=8, parallel=8,
            connect_to=(self.web.connect_to,),
        )  # fmt: skip

        async def create() -> None:
            async with opened(self.store) as store:
                await store.create(settings.config(), Budget.parse(budget))
                await store.add(read_sites(listed(self.folder / "sites.txt", sites)))

        asyncio.run(create())

    def command(self, name: str, *words: str, **more: str) -> Started:
        """Start `filon fleet`, with a log of that name. more: variables."""
        arguments = ["-m", "filon", "fleet", *words]
        arguments += ["--store", self.store, "--blobs", self.blobs, "--quiet"]
        with (self.folder / f"{name}.log").open("ab") as log:
            return self.start(arguments, {**os.environ, **self.environment, **more}, log)

    def check(self, name: str, process: Started) -> bool:
        """Return whether a command is at work; one that failed is an error."""
        if process.poll() is None:
            return True
        if process.returncode:
            said = (self.folder / f"{name}.log").read_text("utf-8", "replace")
            raise RuntimeError(f"{name} ended with {process.returncode}: {said[-2000:]}")
        return False

    def look(self) -> tuple[set[tuple[str, str, str]], Overview]:
        """Return what was found, and how all stands."""

        async def ask() -> tuple[set[tuple[str, str, str]], Overview]:
            async with opened(self.store) as store:
                rows = await store.finds()
                found = {(row["site"], row["url"], row["sha256"]) for row in rows}
                return found, await store.overview()

        return asyncio.run(ask())


class Processes:
    """Workers that are processes."""

    def __init__(self, parts: Parts, number: int) -> None:
        self._parts, self._made = parts, 0
        self._workers: dict[str, Started] = {}
        for _ in range(number):
            self._start()

    def _start(self, name: str = "") -> None:
        """Begin a worker; one that is named goes on in its folder."""
        self._made += not name
        name = name or f"worker{self._made}"
        folder = str(self._parts.folder / name)
        self._workers[name] = self._parts.command(name, "work", "--folder", folder)

    def alive(self) -> list[int]:
        """Return the processes of those that have not ended; one that failed is an error."""
        for name, process in list(self._workers.items()):
            if not self._parts.check(name, process):
                del self._workers[name]
        return [process.pid for process in self._workers.values()]

    def kill(self, pid: int, *, lose: bool) -> float:
        """Kill -9 one, and begin it anew, or another where its disk is lost; return when."""
        name = next(name for name, process in self._workers.items() if process.pid == pid)
        process = self._workers.pop(name)
        process.kill()
        process.wait()
        killed_s = time.monotonic()
        if lose:
            shutil.rmtree(self._parts.folder / name, ignore_errors=True)
        self._start("" if lose else name)
        return killed_s

    def stop(self) -> None:
        """Kill all that are left."""
        for process in self._workers.values():
            process.kill()
            process.wait()


class Actors:
    """Workers that are actors of Ray, each on a node; `filon fleet run` watches them."""

    def __init__(self, parts: Parts, cluster: RayCluster, number: int, budget: str) -> None:
        self._parts, self._cluster, self._made = parts, cluster, 0
        self._disks: dict[Any, Path] = {}
        for _ in range(number):
            self._add()
        words = ["run", "--on", "ray", "--workers", str(number), "--budget", budget]
        words += ["--out", str(parts.folder / "fleet")]
        self._run = parts.command("run", *words, RAY_ADDRESS=cluster.address)

    def _add(self, disk: Path | None = None) -> None:
        self._made += 1
        disk = disk or self._parts.folder / f"node{self._made}"
        disk.mkdir(exist_ok=True)
        self._disks[self._cluster.add(disk=disk)] = disk

    def is_alive(self) -> bool:
        """Return whether the command that watches them is at work."""
        return self._parts.check("run", self._run)

    def alive(self) -> list[int]:
        """Return the processes of actors."""
        return self._cluster.actors()

    def nodes(self, spared: set[int]) -> list[Any]:
        """Return the nodes that have none of some processes."""
        return [node for node in self._disks if not spared & set(self._cluster.actors(node))]

    def kill_raylet(self, node: Any, *, lose: bool) -> float:
        """Kill -9 the raylet of a node, whose disk may be lost, and begin it anew; return when."""
        disk = self._disks.pop(node)
        killed_s = self._cluster.kill(node)
        if lose:
            shutil.rmtree(disk, ignore_errors=True)
        self._add(None if lose else disk)
        return killed_s

    def stop(self) -> None:
        """End the command, if it is there."""
        self._run.kill()
        self._run.wait()
