"""A sitting at the terminal: a run in the foreground, with its progress and its interruption."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from filon.cli.interrupt import interruptible
from filon.cli.line import Line
from filon.cli.outcome import tell
from filon.cli.progress import Progress
from filon.core import Budget, Spent
from filon.core.loop import Watch
from filon.run.folder import Run
from filon.verbs.blocking import run as run_blocking

Begin = Callable[[asyncio.Event, Watch], Coroutine[Any, Any, Run]]


def attend(
    folder: Path, begin: Begin, budget: Budget, spent: Spent | None = None, *, as_json: bool
) -> int:
    """See a run through in the foreground and tell how it ended; return the exit code.

    begin: starts the run in `folder`, given what halts it and what watches it.
    """
    line = Line(sys.stderr)
    progress = Progress(line, budget, spent)

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, line.say):
            async with progress.shown():
                run = await begin(halt, progress.watch)
                run.close()

    run_blocking(foreground())
    return tell(folder, as_json=as_json)
