"""A run in the foreground of a terminal, with its progress and its interruption."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import typer

from filon.cli import INTERRUPTED
from filon.cli.outcome import tell
from filon.cli.progress import Line, Progress
from filon.cli.rehearsal import rehearse
from filon.core import Budget, Spent
from filon.core.loop import Watch
from filon.run.text import plain
from filon.verbs.session import begin, go_on, place, run_here
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb

Work = Callable[[asyncio.Event, Watch], Coroutine[Any, Any, None]]


def launch(
    verb: Verb[Any],
    settings: Settings,
    out: str | Path | None,
    *,
    dry_run: bool,
    as_json: bool,
    review: bool = False,
) -> int:
    """Begin a run and see it through, or only say what would be done; return the exit code."""
    job = verb.prepare(settings)
    folder = place(out, job.settings.url, job.name)
    if dry_run:
        return rehearse(job, folder, as_json=as_json)
    for sentence in job.greeting:
        typer.echo(plain(sentence), err=True)
    work = partial(begin, verb, job, folder)
    code = _attend(verb, folder, work, job.settings.bound(), Spent(), as_json=as_json)
    if review and not code and verb.is_reviewable(folder):
        from filon.cli.review import review as ask

        return ask(folder, json_=as_json)
    return code


def take_up(
    verb: Verb[Any], folder: Path, settings: Settings, spent: Spent, *, as_json: bool
) -> int:
    """Go on with a run and see it through; return the exit code."""
    work = partial(go_on, verb, folder, settings)
    return _attend(verb, folder, work, settings.bound(), spent, as_json=as_json)


def _attend(
    verb: Verb[Any], folder: Path, work: Work, budget: Budget, spent: Spent, *, as_json: bool
) -> int:
    line = Line(sys.stderr)
    progress = Progress(line, budget, spent, nouns=verb.nouns)

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, line.say):
            async with progress.shown():
                await work(halt, progress.watch)

    run_here(foreground())
    return tell(folder, as_json=as_json)


@contextlib.contextmanager
def interruptible(halt: asyncio.Event, say: Callable[[str], None]) -> Iterator[None]:
    """Set `halt` at the first signal; within a running event loop of the main thread."""
    loop = asyncio.get_running_loop()
    signals = 0

    def stop() -> None:
        say("Stopping: what is in flight may still come in. Once more ends at once.")
        halt.set()

    def handle(_signum: int, _frame: FrameType | None) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            # Nothing to tidy up: what is acknowledged is on disk already.
            os._exit(INTERRUPTED)
        # The handler may have cut into a write to the terminal: the loop speaks in its turn.
        loop.call_soon_threadsafe(stop)

    before = {signum: signal.signal(signum, handle) for signum in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
