"""Runs in the API: how they stand and what they brought."""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from aiohttp import web

from filon.core.background import in_thread
from filon.run.frame import find_frame
from filon.run.listing import Entry
from filon.serve.api.operation import Call, Limit, Offset, Operations
from filon.serve.watch import exported
from filon.verbs.refresh.changes import changes_of, moment
from filon.verbs.registry import verb_of

operations = Operations("runs")

Run = Annotated[str, "The name of the run's folder."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run of the folder that is served. problem: why it cannot be read; "" of a sound one."""

    run: str
    verb: str
    ending: str
    stopped: str
    running: bool
    resumable: bool
    requests: int
    bytes: int
    finds: int
    changed: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunList:
    """Runs, the last at work first, and how many there are in all."""

    total: int
    runs: list[RunLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindList:
    """Finds in the order in which they came, as `filon export --to jsonl` writes them."""

    total: int
    finds: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeList:
    """What changed, as `filon diff --json` tells it."""

    changes: list[dict[str, Any]]


@operations.get("/runs")
async def list_runs(call: Call, offset: Offset = 0, limit: Limit = 100) -> RunList:
    """List the runs of the folder, the last at work first."""
    found = await in_thread(call.home.runs)
    return RunList(total=len(found), runs=[_line(each) for each in found[offset : offset + limit]])


@operations.get("/runs/{run}")
async def show_run(call: Call, run: Run) -> dict[str, Any]:
    """Tell how a run stands, what it cost and what it brought.

    The object is the one that the command with --json ends with.
    """
    folder = call.home.run(run)
    return await in_thread(_outcome, folder)


@operations.get("/runs/{run}/finds")
async def list_finds(call: Call, run: Run, offset: Offset = 0, limit: Limit = 100) -> FindList:
    """List what a run has found, in the order in which it came."""
    folder = call.home.run(run)
    return await in_thread(_finds, folder, offset, limit)


@operations.get("/runs/{run}/changes")
async def list_changes(
    call: Call,
    run: Run,
    since: Annotated[str, "Only what was seen since then, as 2026-01-31."] = "",
) -> ChangeList:
    """Tell what the rounds of a run have found new, changed, moved and vanished."""
    folder = call.home.run(run)
    return ChangeList(changes=list(await in_thread(changes_of, folder, moment(since))))


@operations.get("/runs/{run}/export/{format}")
async def export_run(
    call: Call, run: Run, format: Annotated[str, "As `filon export --to` has it: csv, parquet."]
) -> Annotated[web.StreamResponse, "application/octet-stream"]:
    """Send what a run has found in another format; a folder as a zip file."""
    return await exported(call.request, run, format)


def _line(entry: Entry) -> RunLine:
    return RunLine(
        run=entry.run.name,
        verb=entry.verb,
        ending=entry.ending,
        stopped=entry.stopped,
        running=entry.running,
        resumable=entry.resumable,
        requests=entry.requests,
        bytes=entry.bytes,
        finds=entry.finds,
        changed=datetime.fromtimestamp(entry.changed_s, UTC).isoformat(),
        problem=entry.problem,
    )


def _outcome(folder: Path) -> dict[str, Any]:
    return dict(verb_of(folder).outcome(folder).as_object())


def _finds(folder: Path, offset: int, limit: int) -> FindList:
    frame = find_frame(folder)
    return FindList(total=len(frame), finds=list(islice(frame, offset, offset + limit)))
