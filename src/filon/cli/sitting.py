"""A sitting at the terminal: a run in the foreground, with its progress and its interruption."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import typer

from filon.cli.interrupt import interruptible
from filon.cli.line import Line
from filon.cli.outcome import tell
from filon.cli.progress import Progress
from filon.cli.rehearsal import rehearse
from filon.core import Budget, Spent
from filon.core.loop import Watch
from filon.run.folder import Run
from filon.verbs.blocking import run as run_blocking
from filon.verbs.harvest.api import start
from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.place import place

#: What each verb spends, and what that brings; the others are about requests and finds.
NOUNS = {"enrich": ("call", "row"), "follow": ("request", "RDF document")}
Begin = Callable[[asyncio.Event, Watch], Coroutine[Any, Any, Run]]


def launch(
    settings: HarvestSettings, typed: str, out: str | None, *, dry_run: bool, as_json: bool
) -> int:
    """Begin a run and see it through, or only say what would be done; return the exit code.

    typed: the URL as the user wrote it.
    """
    folder = place(out, settings.url)
    if dry_run:
        return rehearse(settings, folder, as_json=as_json)
    if "://" not in typed:
        typer.echo(f"No http:// or https:// was given: trying {settings.url}", err=True)
    return attend(folder, partial(start, settings, folder), settings.bound(), as_json=as_json)


def attend(
    folder: Path,
    begin: Begin,
    budget: Budget,
    spent: Spent | None = None,
    *,
    as_json: bool,
    verb: str = "harvest",
) -> int:
    """See a run through in the foreground and tell how it ended; return the exit code.

    begin: starts the run in `folder`, given what halts it and what watches it.
    verb: tells what the progress is about.
    """
    line = Line(sys.stderr)
    nouns = NOUNS.get(verb, ("request", "find"))
    progress = Progress(line, budget, spent, nouns=nouns)

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, line.say):
            async with progress.shown():
                run = await begin(halt, progress.watch)
                run.close()

    run_blocking(foreground())
    return tell(folder, as_json=as_json)
