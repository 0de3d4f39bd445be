"""One session of a run: it begins or goes on, is seen through, and is wrapped up.

    begin ──┐
            ├── see through: drive ── finish ── wrap up ── report
    go on ──┘

What ends it, a spent budget, Ctrl-C or a full disk, makes no difference to what is left behind.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from filon.core import FilonError, Find, MachineError, Response, Spent, Step, UserError, Web, drive
from filon.core.loop import Watch
from filon.run.config import write_config
from filon.run.disk import writing
from filon.run.folder import RunFolder
from filon.run.readonly import CONFIG
from filon.run.report import write_report
from filon.verbs import network
from filon.verbs.job import Job
from filon.verbs.outage import Outage
from filon.verbs.place import discard
from filon.verbs.registry import verb_of
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb


async def begin(
    verb: Verb[Any],
    job: Job,
    folder: Path,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> None:
    """Begin a run and see it through; where there is nothing to be had, leave nothing behind.

    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    """
    await job.open(folder)
    _ = job.strategy  # it refuses what it does not understand, before anything is written
    web = job.web(folder / "spool")
    run = RunFolder.create(folder, job.settings.config())
    first = job.first_answers()
    try:
        job.keep(run.path)
        watches = [first, *job.watch(run, watch)]
        stopped = await _see_through(verb, job, run, web, halt, watches)
        if stopped == "exhausted" and (complaint := job.complaint(folder)):
            raise UserError(complaint)
    except UserError:
        discard(folder)
        raise


async def go_on(
    verb: Verb[Any],
    folder: Path,
    settings: Settings,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> None:
    """Take a run up where it was left and see it through."""
    job = verb.reopen(folder, settings)
    web = job.web(folder / "spool")
    run = await _take_up(folder, settings, web)
    await _see_through(verb, job, run, web, halt, job.watch(run, watch))


def settings_of(folder: Path, changes: Mapping[str, Any]) -> tuple[Verb[Any], Settings, Spent]:
    """Return what a run is of, its settings with what changes in them, and what it has spent."""
    verb = verb_of(folder)
    with RunFolder.open(folder, read_only=True) as run:
        settings = verb.settings.of(run.config).changed(**changes)
        spent, stopped = run.spent, run.stopped
    settings = verb.revise(folder, settings, stopped)
    refusal = network.account(settings, spent).refusal(spent.seconds)
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
        stopped, cancelled = await _drive(job, run, web, halt, watches)
    except MachineError:
        with contextlib.suppress(FilonError):  # the first is what the user must know
            verb.wrap_up(run.path)
            write_report(run.path, verb.page)
        raise
    if not job.wrap_up(run.path):
        verb.wrap_up(run.path)
    write_report(run.path, verb.page)
    if cancelled:
        raise cancelled
    return stopped


async def _drive(
    job: Job,
    run: RunFolder,
    web: Web,
    halt: asyncio.Event | None,
    watches: Sequence[Watch | None],
) -> tuple[str, asyncio.CancelledError | None]:
    """Drive a run; return why it ended, and what cancelled it."""
    cancelled: asyncio.CancelledError | None = None
    settings, strategy = job.settings, job.strategy
    watch = all_of(Outage(settings.url).watch, *watches)
    try:
        again = sorted(run.rewind(strategy), key=lambda sent: not job.is_free(sent[1].request))
        account = network.account(settings, run.spent)
        try:
            stopped = await drive(
                strategy,
                web,
                account,
                run,
                parallel=settings.parallel,
                again=again,
                halt=halt,
                watch=watch,
                free=job.is_free,
            )
        except asyncio.CancelledError as error:
            stopped, cancelled = "interrupted", error
        run.finish(stopped, strategy)
    finally:
        run.close()
        await web.close()
    return stopped, cancelled


async def _take_up(folder: Path, settings: Settings, web: Web) -> RunFolder:
    """Open a run to go on with it, under settings that may have changed."""
    run = RunFolder.open(folder)
    try:
        with writing(run.path):
            write_config(run.path / CONFIG, settings.config())
    except BaseException:
        run.close()
        await web.close()
        raise
    return run


def all_of(*watches: Watch | None) -> Watch:
    """Return one that calls them all."""

    def call(step: Step, response: Response, finds: Sequence[Find]) -> None:
        for watch in watches:
            if watch:
                watch(step, response, finds)

    return call
