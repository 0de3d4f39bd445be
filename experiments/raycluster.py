"""A Ray cluster of several nodes on this machine: real processes, each node with one CPU.

The head has none, so that every actor lies on a node that may be taken away. Ray takes the
machine's own address in place of loopback; nothing leaves the machine. It has a folder of its own,
and is stopped node by node.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

#: Nothing that goes through Ray is large: the least that it takes.
_MEMORY = 80 << 20
_NODE = {"object_store_memory": _MEMORY}
#: Nobody is told that it is used, and it does not wait for half a minute before a node is given up.
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_health_check_initial_delay_ms": "500",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_failure_threshold": "3",
}
#: So long the processes of a node have to end when it is gone.
_GONE_S = 60.0


class NoRayError(Exception):
    """There is no Ray."""


class RayCluster:
    """The cluster: nodes are added and taken away."""

    def __init__(self, folder: Path) -> None:
        from ray.cluster_utils import Cluster

        self.folder = folder
        head = {"num_cpus": 0, "include_dashboard": False, **_NODE}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)

    @property
    def address(self) -> str:
        """Where its head is."""
        return str(self._cluster.address)

    @property
    def nodes(self) -> list[Any]:
        """The nodes beside the head, in the order of their processes."""
        return sorted(self._cluster.worker_nodes, key=_raylet)

    def add(self, cpus: int = 1, disk: Path | None = None) -> Any:
        """Add a node; return it when it is there.

        disk: where its actors keep what they have; by default a folder that no other node has.
        """
        place = str(disk or mkdtemp(prefix="disk-", dir=self.folder))
        return self._cluster.add_node(num_cpus=cpus, env_vars={"TMPDIR": place}, **_NODE)

    def remove(self, node: Any) -> None:
        """Kill all processes of a node."""
        self._cluster.remove_node(node, allow_graceful=False)

    def kill(self, node: Any) -> float:
        """Kill -9 the raylet of a node; return when the actors were gone that it leaves behind."""
        left = self.actors(node)
        os.kill(_raylet(node), signal.SIGKILL)
        self.remove(node)
        until_s = time.monotonic() + _GONE_S
        while any(_words(actor).startswith(b"ray::Actor") for actor in left):
            if time.monotonic() > until_s:
                raise TimeoutError(f"Actors outlive their raylet: {left}")
            time.sleep(0.005)
        return time.monotonic()

    def actors(self, node: Any = None) -> list[int]:
        """Return the processes of actors of a node, or of all: the raylet is their parent."""
        raylets = {_raylet(each) for each in ([node] if node else self._cluster.worker_nodes)}
        return [
            process
            for process in sorted(int(place.name) for place in Path("/proc").glob("[0-9]*"))
            if _words(process).startswith(b"ray::Actor") and _parent(process) in raylets
        ]

    def stop(self) -> None:
        """Take all nodes away."""
        self._cluster.shutdown()


def _raylet(node: Any) -> int:
    return int(node.all_processes["raylet"][0].process.pid)


def _words(process: int) -> bytes:
    """Return how a process calls itself; nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@contextmanager
def serving(nodes: int = 2) -> Iterator[RayCluster]:
    """Start a head and some nodes of one CPU; stop them all."""
    if find_spec("ray") is None:
        raise NoRayError("The package ray is not installed")
    before = {name: os.environ.get(name) for name in (*_QUIET, "RAY_TMPDIR")}
    # Names of sockets are short: the folders of tests are too deep.
    with TemporaryDirectory(prefix="fray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        os.environ.update(_QUIET, RAY_TMPDIR=folder)
        try:
            cluster = RayCluster(Path(folder))
            try:
                for _ in range(nodes):
                    cluster.add()
                yield cluster
            finally:
                cluster.stop()
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
