"""One session of a run: it begins or goes on, is seen through, and is wrapped up.

    begin ──┐
            ├── see through: drive ── finish ── wrap up ── report
    go on ──┘

What ends it, a spent budget, Ctrl-C, a dead line or a full disk, makes no difference to what is
left behind.
"""

import asyncio
import contextlib
import itertools
import os
import re
import shutil
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol, TypeVar

from filon.core import (
    FilonError,
    Find,
    MachineError,
    Response,
    Spent,
    Step,
    Strategy,
    UserError,
    Web,
    drive,
)
from filon.core.budget import Purse
from filon.core.clock import going_on_from
from filon.core.loop import Watch
from filon.page.url import split
from filon.run.disk import writing
from filon.run.folder import RunFolder, write_config
from filon.run.readonly import CONFIG
from filon.run.report import write_report
from filon.verbs.job import Job
from filon.verbs.registry import verb_of
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb
from filon.web.live import ONLY_HOSTS

R = TypeVar("R")
#: Where runs are written whose folder nobody names.
RUNS = Path("filon-runs")


async def begin(
    verb: Verb[Any],
    job: Job,
    folder: Path,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    *,
    claimed: bool = False,
) -> None:
    """Begin a run and see it through; where there is nothing to be had, leave nothing behind.

    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    claimed: the folder is empty, and was made for this run by `place`.
    """
    was_there = is_there(folder) and not claimed
    with job.held(), _unclaiming(folder) if claimed else contextlib.nullcontext():
        await job.open(folder)
        _ = job.strategy  # it refuses what it does not understand, before anything is written
        web = job.web(folder / "spool")
        run = RunFolder.create(folder, job.settings.config())
        first = job.first_answers()
        with discarding(folder, was_there=was_there):
            job.keep(run.path)
            watches = [first, *job.watch(run, watch)]
            stopped = await _see_through(verb, job, run, web, halt, watches)
            if stopped == "exhausted" and (complaint := job.complaint(folder)):
                raise UserError(complaint)


async def go_on(
    verb: Verb[Any],
    folder: Path,
    settings: Settings,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> None:
    """Take a run up where it was left and see it through."""
    job = verb.reopen(folder, settings)
    with job.held():
        web = job.web(folder / "spool")
        try:
            run = take_up(folder, settings)
        except BaseException:
            await web.close()
            raise
        with going_on_from(run.last_at_s):
            await _see_through(verb, job, run, web, halt, job.watch(run, watch))


def settings_of(folder: Path, changes: Mapping[str, Any]) -> tuple[Verb[Any], Settings, Spent]:
    """Return what a run is of, its settings with what changes in them, and what it has spent."""
    verb = verb_of(folder)
    known = {entry.name for entry in fields(verb.settings)}
    if strange := [name for name in changes if name not in known]:
        flag = strange[0].replace("_", "-")
        raise UserError(f"--{flag} is not for a run of filon {verb.name}, as {folder} is one.")
    with RunFolder.open(folder, read_only=True) as run:
        settings = verb.settings.of(run.config).changed(**changes)
        spent, stopped = run.spent, run.stopped
    settings = verb.revise(folder, settings, stopped)
    refusal = settings.account(spent).refusal(spent.seconds)
    if refusal and stopped in ("budget", "goal") and verb.is_wrapped_up(folder):
        raise UserError(
            f"The budget {settings.budget} of {folder} is spent: give a larger one with --budget."
        )
    return verb, settings, spent


async def _see_through(
    verb: Verb[Any],
    job: Job,
    run: RunFolder,
    web: Web,
    halt: asyncio.Event | None,
    watches: Sequence[Watch | None],
) -> str:
    """Drive a run to its end or its interruption, close it and wrap it up; return why it ended.

    After a failure of the machine the strategy at hand may not be sound. The last checkpoint and
    the ledger are: what the run has brought is written from them.
    """
    try:
        job, stopped, cancelled = await see_driven(verb, job, run, web, halt, watches)
    except MachineError:
        # The first is what the user must know; without descriptors not even modules are found.
        with contextlib.suppress(FilonError, OSError, ImportError):
            verb.wrap_up(run.path)
            write_report(run.path, verb.page)
        raise
    if not job.wrap_up(run.path):
        verb.wrap_up(run.path)
    write_report(run.path, verb.page)
    if cancelled:
        raise cancelled
    return stopped


class Share(Purse, Protocol):
    """What a run may spend that is part of a whole, and when."""

    async def turn(self) -> None:
        """Wait until it is the run's turn, or there is something else to be said."""


class Reopens(Protocol):
    """Puts the parts of a run together anew: a verb, or who wants to know of it."""

    def reopen(self, folder: Path, settings: Any, /) -> Any:
        """Return the run that a folder holds, ready to go on."""


async def see_driven(
    verb: Reopens,
    job: Job,
    run: RunFolder,
    web: Web,
    halt: asyncio.Event | None,
    watches: Sequence[Watch | None],
    share: Share | None = None,
) -> tuple[Job, str, asyncio.CancelledError | None]:
    """Drive a run; return the job as it was driven last, why it ended, and what cancelled it.

    share: of a whole that the run is part of; else its own settings say what it may spend.
    """
    cancelled: asyncio.CancelledError | None = None
    settings = job.settings

    def renew() -> Strategy:
        """Put the job together anew, as a resume does, after a bug: its strategy is unsound."""
        nonlocal job
        job = verb.reopen(run.path, settings)
        run.rewind(job.strategy)
        run.checkpoint(job.strategy, now=True)
        return job.strategy

    watch = all_of(*watches)
    try:
        again = sorted(run.rewind(job.strategy), key=lambda sent: not job.is_free(sent[1].request))
        try:
            stopped = await drive(
                job.strategy,
                web,
                share or settings.account(run.spent),
                run,
                parallel=settings.parallel,
                again=again,
                halt=halt,
                watch=watch,
                free=job.is_free,
                renew=renew,
                turn=share.turn if share else None,
            )
        except asyncio.CancelledError as error:
            stopped, cancelled = "interrupted", error
        except MemoryError as error:
            raise MachineError(
                f"The memory is full: nothing that came in is lost, and `filon resume {run.path}` "
                "goes on when there is more."
            ) from error
        run.finish(stopped, job.strategy)
        if stopped == "outage":
            raise MachineError(str(job.strategy.summary()["note"]))
    finally:
        run.close()
        await web.close()
    return job, stopped, cancelled


def take_up(folder: Path, settings: Settings) -> RunFolder:
    """Open a run to go on with it, under settings that may have changed."""
    run = RunFolder.open(folder)
    try:
        with writing(run.path):
            write_config(run.path / CONFIG, settings.config())
    except BaseException:
        run.close()
        raise
    return run


def run_here(coroutine: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine to its end; for a thread that runs no event loop yet."""
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    with contextlib.suppress(ImportError):  # it does not exist for Windows
        from uvloop import new_event_loop as factory
    runner = asyncio.Runner(loop_factory=factory)
    try:
        result = runner.run(coroutine)
    except BaseException:
        # The machine may lack what it takes to close a loop; what it lacked first must be told.
        with contextlib.suppress(OSError, RuntimeError):
            runner.close()
        raise
    runner.close()
    return result


def all_of(*watches: Watch | None) -> Watch:
    """Return one that calls them all."""

    def call(step: Step, response: Response, finds: Sequence[Find]) -> None:
        for watch in watches:
            if watch:
                watch(step, response, finds)

    return call


# Where it is written.


def place(out: str | Path | None, url: str, name: str = "", *, claim: bool = False) -> Path:
    """Return the folder for a new run; it does not exist yet, or is empty.

    Without `out`: filon-runs/example.org-001, or the next number that is free.
    name: what it is called after, in place of the host.
    claim: make one that nobody named, so that no other run that begins now takes it too.
    """
    if out is None:
        return numbered(RUNS, name or split(url).hostname or "site", claim=claim)
    folder = Path(out)
    if folder.is_dir() and not any(folder.iterdir()):
        return folder
    if folder.exists() or folder.is_symlink():
        what = "folder" if folder.is_dir() else "file"
        ahead = f", or go on with: filon resume {folder}" if (folder / "run.toml").exists() else ""
        raise UserError(f"The {what} {folder} exists already: choose another with --out{ahead}.")
    return folder


def numbered(parent: Path, host: str, *, claim: bool) -> Path:
    """Return a folder for a run that is called after a host or a word, with the next number.

    claim: make it, so that no other run that begins now takes it too.
    """
    name = re.sub(r"[^a-z0-9.-]", "-", host.lower())[:80]
    folders = (parent / f"{name}-{number:03}" for number in itertools.count(1))
    free = (folder for folder in folders if not folder.exists())
    return next(folder for folder in free if not claim or _make(folder))


def _make(folder: Path) -> bool:
    """Make a folder; return whether it was this process that did."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return False
    except OSError as error:
        raise UserError(f"{folder} cannot be made: {error.strerror}.") from error
    return True


def is_there(folder: Path) -> bool:
    """Say whether there is a folder already."""
    return folder.exists()


@contextlib.contextmanager
def discarding(folder: Path, *, was_there: bool = False) -> Iterator[None]:
    """Remove what this very run has made where there is nothing to be had.

    Where the process is fenced, somebody keeps an account of what others send: it stays.
    """
    try:
        yield
    except UserError:
        if ONLY_HOSTS in os.environ:
            raise
        shutil.rmtree(folder)
        if was_there:
            folder.mkdir()
        else:
            _unclaim(folder)
        raise


@contextlib.contextmanager
def _unclaiming(folder: Path) -> Iterator[None]:
    """Let no empty folder stay behind of a run that fails."""
    try:
        yield
    except BaseException:
        _unclaim(folder)
        raise


def _unclaim(folder: Path) -> None:
    """Remove a folder that nobody named, and the one it is in, where nothing was written."""
    if folder.parent == RUNS:
        with contextlib.suppress(OSError):  # there are other runs, or this one has begun
            for one in (folder, RUNS):
                if one.exists():
                    one.rmdir()
