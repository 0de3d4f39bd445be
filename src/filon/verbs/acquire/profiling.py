"""Files are profiled as they come, in the worker's process, and never hold up a request.

One thread waits for the worker, for one run after another. A hash is profiled once: a file that
another site has too takes over the profile.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from pathlib import Path

from filon.core import MachineError
from filon.profile.shape import Profile
from filon.profile.store import Found, Profiles
from filon.profile.worker import Worker


class Profiling:
    """Profiles the files of many runs; to be used within one event loop."""

    def __init__(self) -> None:
        self._worker = Worker()
        self._waiting: dict[Path, None] = {}
        self._homes: dict[str, Path] = {}  # by hash: a run that has its profile
        self._halted = False
        self._task: asyncio.Task[None] | None = None
        self.made = 0

    def hear(self, run: Path) -> None:
        """Take note that a run has files that were not looked at."""
        self._waiting[run] = None
        if self._task is None or self._task.done():
            self._check()
            self._task = asyncio.ensure_future(self._work())

    async def finish(self, runs: Iterable[Path], halt: asyncio.Event | None) -> None:
        """Profile all that has no profile yet, unless halt is set."""
        for run in runs:
            self.hear(run)
        if not self._task:
            return
        halted = asyncio.ensure_future((halt or asyncio.Event()).wait())
        await asyncio.wait([self._task, halted], return_when=asyncio.FIRST_COMPLETED)
        halted.cancel()
        if self._task.done():
            self._check()

    async def close(self) -> None:
        """End it: a file that is being read is left for another time."""
        self._halted = True
        self._waiting.clear()
        self._worker.cut_short()
        if self._task:
            with contextlib.suppress(MachineError):  # it was told, or comes again at a resume
                await self._task
        self._worker.close()

    def _check(self) -> None:
        """Raise what the machine failed with, as a disk that is full."""
        if self._task and self._task.done():
            self._task.result()

    async def _work(self) -> None:
        while self._waiting and not self._halted:
            run = next(iter(self._waiting))
            del self._waiting[run]
            await asyncio.to_thread(self._profile, run)

    def _profile(self, run: Path) -> None:
        """Profile what is new in a run; in a thread of its own."""
        with Profiles(run) as profiles:

            def watch(found: Found, profile: Profile) -> None:
                self._homes.setdefault(found.sha256, run)
                self.made += 1

            profiles.make(
                watch, worker=self._worker, known=self._known, halted=lambda: self._halted
            )

    def _known(self, sha256: str) -> Profile | None:
        home = self._homes.get(sha256)
        if home is None:
            return None
        with Profiles(home) as profiles:
            return profiles.get(sha256)
