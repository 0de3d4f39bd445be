"""The seam to who starts and watches the workers of a fleet: this process, or others.

What workers know is in the store: whoever watches them may die, and so may they.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from filon.core import MachineError, UserError
from filon.core.loop import Watch
from filon.fleet.blobs import blobs_at
from filon.fleet.fence import now_s
from filon.fleet.session import Places
from filon.fleet.settings import FleetSettings
from filon.fleet.store import Store, open_store, opened
from filon.fleet.traces import traces_here
from filon.fleet.worker import Worker

#: A worker that begins waits so long for a store that does not answer: it may be restarted.
WAITED_S = 120.0
#: A worker that has died is begun anew after so long, and so many times in a row at most.
AGAIN_S, TIMES = 1.0, 20
#: Names the process that started a worker, whose end is that of the worker; so often it looks. One
#: that was left behind so has its folder for as long as its last requests take.
PARENT, PARENT_S, LEFT_S = "FILON_FLEET_PARENT", 1.0, 60.0


class Workers(Protocol):
    """Who starts workers and watches them."""

    async def start(self, number: int) -> None:
        """Begin so many."""

    async def watch(self) -> str:
        """Wait until there is nothing left for them to do; return why."""

    async def stop(self) -> None:
        """Let all end in order."""


def workers_on(
    place: str,
    places: Places,
    number: int,
    *,
    told: Callable[[str], None] = lambda sentence: None,
) -> Workers:
    """Return who starts workers at a place; "": this machine. number: 0 is the usual one there."""
    if not place:
        return Embedded(places, told=told) if number <= 1 else Processes(places)
    if place in ("local", "ray") or place.startswith("ray://"):
        from filon.fleet.ray_workers import RayWorkers

        return RayWorkers(place, places, told=told)
    raise UserError(
        f"Workers cannot be started on {place!r}: ray://HOST:PORT, ray and local are known."
    )


async def work(
    places: Places,
    folder: Path,
    halt: asyncio.Event | None = None,
    *,
    keep: bool = False,
    shown: Watch | None = None,
    told: Callable[[str], None] = lambda sentence: None,
) -> str:
    """Be a worker until there is nothing left to do; return why."""
    told, halt = once(told), halt or asyncio.Event()
    parent = os.environ.get(PARENT, "")
    if "://" not in places.store and not await asyncio.to_thread(Path(places.store).is_file):
        raise UserError(f"There is no fleet in {places.store}: `filon fleet run` begins one.")
    traces, blobs = traces_here(), blobs_at(places.blobs)
    store, settings = await _entered(places, halt, told)
    lock_s = LEFT_S if parent else 1.0
    orphaned = asyncio.ensure_future(_orphaned(parent, halt))
    try:
        worker = Worker(
            *(store, blobs, folder, settings),
            keep=keep,
            lock_s=lock_s,
            shown=shown,
            told=told,
            traces=traces,
        )
        return await worker.run(halt)
    finally:
        orphaned.cancel()
        await store.close()
        await blobs.close()
        await asyncio.to_thread(traces.close)


async def _orphaned(parent: str, halt: asyncio.Event) -> None:
    """Let a worker end in order when who started it is gone: it would be in the next one's way."""
    if not parent:
        return
    while str(os.getppid()) == parent:  # noqa: ASYNC110, another process
        await asyncio.sleep(PARENT_S)
    halt.set()


def once(told: Callable[[str], None]) -> Callable[[str], None]:
    """Return what tells a sentence that comes again and again the first time only.

    >>> tell = once(print)
    >>> for sentence in "aab":
    ...     tell(sentence)
    a
    b
    """
    last = ""

    def tell(sentence: str) -> None:
        nonlocal last
        if sentence != last:
            last = sentence
            told(sentence)

    return tell


async def _entered(
    places: Places, halt: asyncio.Event, told: Callable[[str], None]
) -> tuple[Store, FleetSettings]:
    """Return the store and what the fleet was asked for; it is waited for a while."""
    until_s = now_s() + WAITED_S
    while True:
        try:
            async with opened(places.store) as store:
                settings = FleetSettings.of(await store.settings())
            return await open_store(places.store, lease_s=settings.lease), settings
        except MachineError as error:
            if now_s() > until_s or halt.is_set():
                raise
            told(f"The store is waited for: {error}")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(AGAIN_S):
                await halt.wait()


class Embedded:
    """One worker, in this process."""

    def __init__(
        self,
        places: Places,
        *,
        shown: Watch | None = None,
        told: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._places, self._shown, self._told = places, shown, told
        self._halt = asyncio.Event()
        self._task: asyncio.Task[str] | None = None

    async def start(self, number: int) -> None:
        """Begin it; more than one share this process as well as one would."""
        folder = self._places.worker(1)
        work_ = work(
            self._places, folder, self._halt, keep=True, shown=self._shown, told=self._told
        )
        self._task = asyncio.ensure_future(work_)

    async def watch(self) -> str:
        """Wait until it has ended."""
        return await self._task if self._task else ""

    async def stop(self) -> None:
        """Let it end in order."""
        self._halt.set()


class Processes:
    """Workers that are processes of this machine; one that dies is begun anew."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._tasks: list[asyncio.Task[tuple[int, str]]] = []
        self._children: dict[int, asyncio.subprocess.Process] = {}
        self._is_over = False

    async def start(self, number: int) -> None:
        """Begin so many."""
        first = len(self._tasks) + 1
        self._tasks += [
            asyncio.ensure_future(self._see(each)) for each in range(first, first + number)
        ]

    async def _see(self, number: int) -> tuple[int, str]:
        """Begin a worker, and again where it dies; return its exit code, and why it ended."""
        places, died = self._places, 0
        while True:
            words = ["fleet", "work", "--store", places.store, "--blobs", places.blobs]
            words += ["--keep", "--json"]
            child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "filon", *words, "--folder", str(places.worker(number))),
                env={**os.environ, PARENT: str(os.getpid())},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for this process, which tells them
            )
            self._children[number] = child
            if self._is_over:
                _interrupt(child)
            said, _ = await child.communicate()
            code = child.returncode or 0
            if code >= 0 or self._is_over:
                return code, json.loads(said).get("stopped", "") if said else ""
            died += 1
            if died > TIMES:
                raise MachineError(f"Worker {number} was killed {died} times in a row.")
            await asyncio.sleep(AGAIN_S)

    async def watch(self) -> str:
        """Wait until all have ended; return why the last that was started has."""
        ended = await asyncio.gather(*self._tasks)
        if any(code for code, _ in ended) and not self._is_over:
            raise MachineError("A worker has failed: its last words are above.")
        return "interrupted" if self._is_over else ended[-1][1]

    async def stop(self) -> None:
        """Let all end in order."""
        self._is_over = True
        for child in self._children.values():
            _interrupt(child)


def _interrupt(child: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(signal.SIGINT)
