"""Sees to it that what should run does: so many at once, and never two on one host.

    queue: what should run ──┐
                             ├── tick ──▶ processes that are begun, and what became of those
    locks: what does run ────┘

The queue is on disk and the locks are the system's, so a server that begins knows as much as the
one before it: a run whose process is at work is let work, and one that was cut short goes on.
"""

import asyncio
import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Literal

from filon.core import FilonError, UserError
from filon.core.background import running
from filon.dispatch import child
from filon.dispatch.child import ENDED, INTERRUPTED, Child
from filon.dispatch.hosts import Reach, has_asked, reach
from filon.dispatch.queue import Queue, Wanted, Work
from filon.run import readonly
from filon.run.disk import Lock
from filon.run.history import rounds
from filon.run.readonly import CONFIG, LEDGER
from filon.verbs.refresh.session import OPEN

#: The folder in a home in which the pages keep what is theirs.
OWN_FOLDER = ".filon-serve"
#: How often processes are looked after.
EVERY_S = 0.25
#: How long a server that ends waits for its runs to save themselves.
PATIENCE_S = 20.0
#: In place of a number of a process that is about to begin; and of an exit code that nobody saw.
_UNKNOWN = -1

#: How a run stands: at work, on its way to an end, in line, or none of it.
Standing = Literal["running", "pausing", "waiting", "idle"]


class Dispatcher:
    """Looks after the runs of a folder.

    most: how many may be at work at the same time; 0: as many as the machine has cores.
    begin: begins a process, in place of `child.begin`.
    own: the folder in the first in which the queue and the logs are kept.
    """

    def __init__(
        self,
        folder: Path,
        most: int = 0,
        begin: Callable[[Sequence[str], Path], Child] | None = None,
        own: str = OWN_FOLDER,
    ) -> None:
        self.folder = folder
        self.own = folder / own
        self.most = most or os.cpu_count() or 1
        self.queue = Queue(self.own / "queue.sqlite")
        self._begin = begin
        self._children: dict[str, Child] = {}
        self._seen: set[str] = set()  # at work, and begun by no process of ours
        self._interrupted: set[str] = set()  # told to end, by us
        self._lock = threading.RLock()
        self._closing = False
        self._held: Lock | None = None
        self._is_second = False  # another server looks after the folder, and this one only asks it

    # What a person asks for.

    def add(self, run: str, arguments: Sequence[str], where: Reach) -> None:
        """Begin a new run as soon as there is room."""
        with self._lock:
            self.queue.add(run, arguments, where.hosts, roams=where.roams)
            self.tick()

    def go_on(self, run: str, again: Sequence[str] = ()) -> None:
        """Go on with a run as soon as there is room.

        again: the words after filon, where these are not `resume RUN`; a run that is at work is
            begun anew with them, as it would be by hand.
        """
        with self._lock:
            self.queue.want(run, "run", again)
            if again:
                self._interrupt(run)
            self.tick()

    def pause(self, run: str) -> None:
        """Let a run save itself and wait; its place is kept."""
        self._leave(run, "pause")

    def stop(self, run: str) -> None:
        """Let a run save itself and end; it can go on all the same."""
        self._leave(run, "off")

    def _leave(self, run: str, wanted: Wanted) -> None:
        with self._lock:
            self.queue.want(run, wanted)
            self._interrupt(run)
            self.tick()

    def forget(self, run: str) -> None:
        """Take a run off the queue that is not at work; one that was never begun leaves nothing."""
        with self._lock:
            if self.standing(run) != "idle":
                return
            self.queue.forget(run)
            if not (self.folder / run / CONFIG).exists():
                with contextlib.suppress(OSError):  # what was claimed for it, and is empty still
                    (self.folder / run).rmdir()

    # How it stands.

    def standing(self, run: str) -> Standing:
        """Say whether a run is at work, or would be if there were room."""
        return self.standing_as(run, self.queue.work(run))

    def standing_as(self, run: str, work: Work | None) -> Standing:
        """Say the same of a run whose line in the queue is at hand."""
        with self._lock:
            if self._is_running(run, work):
                return "running" if not work or work.wanted == "run" or not work.pid else "pausing"
            return "waiting" if work and work.wanted == "run" else "idle"

    def waits_for(self, run: str) -> str:
        """Return the run that asks a host which this one is to ask; "" where there is no room."""
        with self._lock:
            work = self.queue.work(run)
            busy = self._busy() if work else {}
            return next((name for name in busy if work and self._meets(work, name, busy[name])), "")

    def log(self, run: str) -> Path:
        """Return where what a run's processes say is kept."""
        return self.own / "logs" / f"{run}.log"

    # Looking after them.

    def tick(self) -> None:
        """Take note of what has ended, and begin what there is room for."""
        with self._lock:
            if self._is_second:
                return
            self._reap()
            waiting = [work for work in self.queue.wanted("run") if work.run not in self._children]
            if not waiting or self._closing:
                return
            busy = self._busy()
            for work in waiting:
                if work.run in busy:
                    self._seen.add(work.run)
                elif not self._is_over(work) and self._has_room(work, busy):
                    self._start(work)
                    busy[work.run] = self._reach(work)

    def _reap(self) -> None:
        for run, process in list(self._children.items()):
            if (code := process.poll()) is not None:
                del self._children[run]
                self._ended(run, code)

    def _ended(self, run: str, code: int) -> None:
        """Write down how a process ended, and what that means for its run."""
        work = self.queue.work(run)
        wanted: Wanted = work.wanted if work else "off"
        asked = run in self._interrupted or (self._closing and code == INTERRUPTED)
        self._interrupted.discard(run)
        if wanted == "run" and not (asked and code in (ENDED, INTERRUPTED)):
            # It ended by itself, or somebody else has ended it: it goes on when it is asked to.
            wanted = "pause" if code == INTERRUPTED else "off"
        said = child.last_sentence(self.log(run)) if code not in (ENDED, INTERRUPTED) else ""
        self.queue.ended(run, wanted, code, said)

    def _is_over(self, work: Work) -> bool:
        """Say whether a run that should go on has ended meanwhile, and write that down.

        Its process was begun by an earlier server, or by hand: nobody has seen its exit code.
        """
        if not work.pid and work.run not in self._seen:
            return False
        stands = standing_of(newest(self.folder / work.run))
        killed = work.run in self._seen and not stands.partition(" ")[0]
        self._seen.discard(work.run)
        if killed:  # under our eyes: it goes on when it is asked to
            self.queue.ended(work.run, "off", _UNKNOWN)
            return True
        if stands.partition(" ")[0] and stands != work.before:
            interrupted = stands.startswith("interrupted")
            self.queue.ended(work.run, "run" if interrupted else "off", None)
            return not interrupted
        return False

    def _has_room(self, work: Work, busy: dict[str, Reach]) -> bool:
        if len(busy) >= self.most:
            return False
        return not any(self._meets(work, run, other) for run, other in busy.items())

    def _meets(self, work: Work, run: str, other: Reach) -> bool:
        """Say whether a run would ask a host that another, which is at work, asks or has asked."""
        own = self._reach(work)
        return own.meets(other) or (other.roams and has_asked(self.folder / run, own.hosts))

    def _start(self, work: Work) -> None:
        folder = self.folder / work.run
        there = (folder / CONFIG).is_file() and (folder / LEDGER).is_file()
        arguments = list(work.again) or go_on_words(folder) if there else list(work.begin)
        if not there:
            self._clear(folder)
        before = standing_of(newest(folder))
        self.queue.begun(work.run, _UNKNOWN, before)  # should this server be killed right here
        process = (self._begin or child.begin)(arguments, self.log(work.run))
        self._children[work.run] = process
        self.queue.begun(work.run, process.pid, before)

    def _clear(self, folder: Path) -> None:
        """Put aside what a process left that was killed while it made the folder of a new run.

        Its run.toml is written last: without it nothing was asked yet, and a command would refuse
        the folder.
        """
        if folder.is_dir() and any(folder.iterdir()):
            aside = self.own / "unbegun"
            aside.mkdir(exist_ok=True)
            folder.rename(aside / f"{folder.name}-{time.time_ns()}")

    def _busy(self) -> dict[str, Reach]:
        """Return where the runs of the folder go that are at work, whoever has begun them."""
        queued = self.queue.all()
        names = {*self._children, *queued}
        if self.folder.is_dir():
            names |= {path.name for path in self.folder.iterdir() if (path / CONFIG).is_file()}
        return {
            run: self._reach(queued.get(run) or _unqueued(run))
            for run in sorted(names)
            if self._is_running(run, queued.get(run))
        }

    def _is_running(self, run: str, work: Work | None) -> bool:
        if run in self._children:
            return self._children[run].poll() is None
        folder = self.folder / run
        if work and work.pid and child.is_alive(work.pid, folder):
            return True
        return (folder / CONFIG).is_file() and readonly.running(folder)

    def _reach(self, work: Work) -> Reach:
        if config := readonly.config(self.folder / work.run):
            return reach(config)
        return Reach(frozenset(work.hosts), work.roams)

    def is_ours(self, run: str) -> bool:
        """Say whether a run's process was begun by this server or an earlier one: it can be told.

        One that was begun in a shell is ended there.
        """
        work = self.queue.work(run)
        return run in self._children or bool(work and child.is_alive(work.pid, self.folder / run))

    def _interrupt(self, run: str) -> None:
        process, work = self._children.get(run), self.queue.work(run)
        with contextlib.suppress(ProcessLookupError):
            if process and process.poll() is None:
                self._interrupted.add(run)
                child.interrupt(process.pid, own=True)
            elif not process and work and child.is_alive(work.pid, self.folder / run):
                child.interrupt(work.pid, own=False)

    # From beginning to end.

    @contextlib.asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Look after the runs as long as the server is there; let them save themselves then."""
        try:
            async with running(self._keep_ticking()):
                yield
        finally:
            await asyncio.to_thread(self.close)
            if self._held:
                self._held.release()

    async def _keep_ticking(self) -> None:
        while True:
            # A full disk must not end the watch over those that run.
            with contextlib.suppress(OSError, sqlite3.Error, FilonError):
                self._is_second = not self._is_first()
                await asyncio.to_thread(self.tick)
            await asyncio.sleep(EVERY_S)

    def _is_first(self) -> bool:
        """Say whether no other server looks after the same folder, and keep others from it."""
        if self._held is None and self.own.is_dir():
            try:
                self._held = Lock(self.own)
            except UserError:
                return False
        return True

    def close(self, patience_s: float = PATIENCE_S) -> None:
        """Let all runs save themselves; they go on when the next server begins."""
        with self._lock:
            self._closing = True
            for process in self._children.values():
                if process.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        child.interrupt(process.pid, own=True)
        until_s = time.monotonic() + patience_s
        while self._children and time.monotonic() < until_s:
            self.tick()
            time.sleep(0.02)


def _unqueued(run: str) -> Work:
    return Work(run=run, place=0.0, wanted="off")


def shown(path: Path) -> str:
    """Return a path as a person would type it: from the working folder, where it is below it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def go_on_words(run: Path) -> list[str]:
    """Return the words after filon by which a run goes on, or its round that was cut short."""
    return ["refresh" if newest(run) != run and is_open(newest(run)) else "resume", shown(run)]


def newest(run: Path) -> Path:
    """Return where a run works, or has worked last: its newest round, or itself."""
    return next(iter(rounds(run)[-1:]), run)


def is_open(folder: Path) -> bool:
    """Say whether a run or a round was cut short, or is still at work."""
    return standing_of(folder).partition(" ")[0] in OPEN


def standing_of(folder: Path) -> str:
    """Return how a ledger stands: why it has ended, and marks that change with each session.

    "" where there is none. Whoever ends a run writes a checkpoint and how long it took, and who
    begins it takes the word away: two ends are never told alike.
    """
    try:
        with readonly.reading(folder) as ledger:
            (last,) = ledger.execute("SELECT MAX(checkpoint) FROM checkpoints").fetchone()
            meta = readonly.meta(ledger)
            return f"{meta.get('stopped', '')} {last or 0} {meta.get('seconds', '')} {folder.name}"
    except FilonError:
        return ""
