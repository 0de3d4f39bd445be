"""Rounds of a run: each begins or goes on, and the history of the run is written."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filon.core.loop import Watch
from filon.core.plugins import loaded
from filon.run import readonly
from filon.run.disk import apart
from filon.run.history import (
    ROUNDS,
    History,
    next_number,
    round_name,
    rounds,
    run_of,
    runs_before,
    taken_in,
)
from filon.verbs.refresh import Refresh, RefreshSettings, inherited
from filon.verbs.refresh.lengths import seconds
from filon.verbs.registry import verb_of
from filon.verbs.session import settings_of
from filon.verbs.settings import SHARED, Settings
from filon.verbs.verb import Verb

#: Ends after which a round is over; else it goes on.
OPEN = ("", "interrupted", "outage")


def wrap_up(folder: Path) -> None:
    """Write what has become of what the run had brought."""
    with History(run_of(folder)):
        pass
    _link(folder)


def _link(folder: Path) -> None:
    """Keep what an earlier round, or the run itself, has already in one place on the disk."""
    earlier = runs_before(folder)
    for path in (folder / "files").glob("*/*"):
        there = (readonly.stored(one, path.name) for one in earlier)
        if (same := next((one for one in there if one.is_file()), None)) is None:
            continue
        with contextlib.suppress(OSError), apart(path) as part:  # not all file systems have links
            part.hardlink_to(same)
            part.replace(path)


def is_wrapped_up(folder: Path, ledger: sqlite3.Connection) -> bool:
    """Say whether the history of the run has all answers of a round."""
    (answers,) = ledger.execute("SELECT COUNT(answer) FROM steps").fetchone()
    return taken_in(run_of(folder), int(folder.absolute().name)) == int(answers)


def open_round(run: Path) -> Path | None:
    """Return the round of a run that was cut short; None: the last one is over."""
    last = rounds(run)[-1:]
    for folder in last:
        with readonly.reading(folder) as ledger:
            if readonly.meta(ledger).get("stopped", "") in OPEN:
                return folder
    return None


def new_round(run: Path, changes: Mapping[str, Any]) -> tuple[Verb[Any], Settings, Path]:
    """Return the verb, the settings and the folder of the next round of a run.

    changes: what was asked for; all else about the network is as the run had it.
    """
    readonly.find_run(run)
    verb = verb_of(run)
    config = readonly.config(run)
    before = verb.settings.of(config)
    number = next_number(run)
    folder = run / ROUNDS / round_name(number)
    if verb.anew:
        return verb, _anew(verb, run, before, changes), folder
    verb.again(before)  # who cannot be refreshed says so
    words = {"at": time.time(), **inherited(before), **changes}
    settings = RefreshSettings(**words, run=str(run), url=verb.subject(config), number=number)
    return Refresh(), settings, folder


def _anew(verb: Verb[Any], run: Path, before: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return the settings of a round that is a run made anew."""
    older = str(changes.get("older_than") or "")
    asked = {name: value for name, value in changes.items() if name in SHARED}
    settings: Settings = verb.renewed(run, before, seconds(older) if older else 0.0)
    # A service may have no end: without a bound it is what the run itself has cost.
    bound = settings.budget or f"{max(1, readonly.number(run, 'steps'))}req"
    return settings.changed(**{"budget": bound, **asked})


async def refresh(
    run: Path,
    changes: Mapping[str, Any],
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Path:
    """Begin a round of a run, or go on with the one that was cut short; return its folder."""
    if folder := open_round(run):
        verb, settings, _ = settings_of(folder, changes)
        await loaded(f"{verb.session}:go_on")(verb, folder, settings, halt, watch)
        return folder
    verb, settings, folder = new_round(run, changes)
    job: Any = verb.prepare(settings)
    await loaded(f"{verb.session}:begin")(verb, job, folder, halt, watch)
    return folder
