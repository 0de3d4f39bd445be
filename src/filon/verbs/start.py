"""Begin a run from Python: where it is written, and what is handed back."""

import asyncio
from pathlib import Path
from typing import Any

from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.look import open_run
from filon.verbs.session import begin, place
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb


async def start(
    verb: Verb[Any],
    settings: Settings,
    out: str | Path | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Begin a run, see it through, and return it.

    out: the folder to write, which must not exist; None: one below filon-runs.
    """
    job = verb.prepare(settings)
    folder = place(out, job.settings.url, job.name)
    await begin(verb, job, folder, halt, watch)
    return open_run(folder)
