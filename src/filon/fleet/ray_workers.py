"""Workers as actors of Ray, one a core: it finds a place for each, and starts anew what dies.

An actor is a worker with many sites, never a site. Ray knows that it lives and nothing else: what
is true is in the store, and an actor that comes back on another node goes on from that.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from filon.core import MachineError, UserError
from filon.core.extras import extra
from filon.fleet.session import Places
from filon.fleet.store import POSTGRES

#: What `--on` takes: this machine alone, the cluster that it is part of, or one elsewhere.
LOCAL, HERE, CLIENT = "local", "ray", "ray://"
#: Variables that go with a worker: how it gets to the store and the blobs, and where traces go.
TAKEN = ("AWS_", "PG", "OTEL_")
#: So often it is seen who has ended; an actor that has no place does not answer for so long.
LOOK_S, SILENT_S = 1.0, 30.0
#: Ray keeps objects in memory; there are none: the least that it takes.
_MEMORY_BYTES = 80 << 20
#: Ends after which no worker has anything left to do.
_OVER = ("exhausted", "budget", "goal")


class Actor:
    """A worker on a node: what Ray makes a process of."""

    def __init__(
        self, places: Mapping[str, str], number: int, variables: Mapping[str, str]
    ) -> None:
        os.environ.update(variables)
        self._places = Places(
            store=places["store"], blobs=places["blobs"], folder=Path(places["folder"])
        )
        self._folder = folder_of(self._places, number)
        self._halt = asyncio.Event()

    async def work(self) -> str:
        """Work until there is nothing left to do; return why, or what is wrong."""
        from filon.fleet.workers import work

        try:
            return await work(self._places, self._folder, self._halt)
        except (UserError, MachineError) as error:
            return f"!{error}"

    async def stop(self) -> None:
        """End in order."""
        self._halt.set()

    async def process(self) -> int:
        """Return the number of its process."""
        return os.getpid()


def folder_of(places: Places, number: int) -> Path:
    """Return where a worker keeps its runs: on its node, the same when it comes back there."""
    fleet = sha256(f"{places.store} {places.blobs}".encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"filon-fleet-{fleet}" / str(number)


class RayWorkers:
    """Starts actors and watches them. told: hears sentences on what happens."""

    def __init__(
        self,
        on: str,
        places: Places,
        *,
        told: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._ray = extra("fleet", "Workers on Ray need ray", "ray")
        self._on, self._places, self._tell = on, places, told
        self._actors: dict[int, Any] = {}
        self._works: dict[int, Any] = {}
        self._silent: dict[int, float] = {}  # by number: since when
        self._is_over = False
        is_shared = places.store.startswith(POSTGRES) and "://" in places.blobs
        if on != LOCAL and not is_shared:
            raise UserError(
                "Workers on a cluster need what all of them reach: name a --store postgresql://… "
                "and --blobs s3://…."
            )

    async def start(self, number: int) -> None:
        """Begin so many; 0: one for each core that there is."""
        self._connect(number)
        cores = int(self._ray.cluster_resources().get("CPU", 0))
        number = number or max(1, cores)
        if number > cores:
            self._tell(f"Ray has {cores} cores for {number} workers: the others wait for a node.")
        made = self._ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(Actor)
        places = {name: str(value) for name, value in asdict(self._places).items()}
        taken = {name: value for name, value in os.environ.items() if name.startswith(TAKEN)}
        for each in range(1, number + 1):
            self._actors[each] = actor = made.remote(places, each, taken)
            self._works[each] = actor.work.remote()

    def _connect(self, number: int) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if self._on == LOCAL:
                cores = number or os.cpu_count() or 1
                least = {"include_dashboard": False, "object_store_memory": _MEMORY_BYTES}
                self._ray.init(address="local", num_cpus=cores, **least, **quiet)
            else:
                self._ray.init(address="auto" if self._on == HERE else self._on, **quiet)
        except (ConnectionError, TimeoutError, RuntimeError, ValueError) as error:
            said = str(error).strip().partition("\n")[0]
            raise MachineError(
                f"There is no Ray cluster to be reached on {self._on}: {said}"
            ) from None

    async def watch(self) -> str:
        """Wait until all have ended, but for those that have no place any more; return why."""
        over = ""
        try:
            while self._works:
                for number in await self._ended():
                    over = self._result(self._works.pop(number)) or over
                if over in _OVER or self._is_over:
                    await self._give_up()
            return "interrupted" if self._is_over else over
        finally:
            for actor in self._actors.values():
                self._ray.kill(actor)
            self._ray.shutdown()

    async def _ended(self) -> list[int]:
        """Wait a moment; return the numbers of workers that have ended."""
        works = {work: number for number, work in self._works.items()}
        done, _ = await asyncio.to_thread(
            self._ray.wait, list(works), num_returns=len(works), timeout=LOOK_S
        )
        return [works[work] for work in done]

    def _result(self, work: Any) -> str:
        try:
            said: str = self._ray.get(work)
        except self._ray.exceptions.RayError as error:
            text = str(error).strip().rpartition("\n")[2]
            raise MachineError(f"A worker on Ray has failed: {text}") from None
        if said.startswith("!"):
            raise MachineError(said.removeprefix("!"))
        return said

    async def _give_up(self) -> None:
        """Where all is over, wait no longer for workers whose node is gone: they hold nothing."""
        # An actor that was started anew has not heard that it is to end: that is said again.
        ask = "stop" if self._is_over else "process"
        asked = {getattr(self._actors[each], ask).remote(): each for each in self._works}
        if not asked:
            return
        heard, _ = await asyncio.to_thread(
            self._ray.wait, list(asked), num_returns=len(asked), timeout=LOOK_S
        )
        alive, now_s = {asked[each] for each in heard}, time.monotonic()
        for number in list(self._works):
            if number in alive:
                self._silent.pop(number, None)
            elif now_s - self._silent.setdefault(number, now_s) >= SILENT_S:
                del self._works[number]

    async def stop(self) -> None:
        """Let all end in order; those without a place have nothing to end."""
        self._is_over = True
        for actor in self._actors.values():
            actor.stop.remote()
