"""`filon fleet run` and `filon fleet work`."""

import asyncio
import inspect
import json
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.cli import INTERRUPTED
from filon.cli import options as o
from filon.cli.commands import gather, parameters, signed
from filon.core import UserError
from filon.fleet.metrics import SHARE, metrics_served, place_of
from filon.fleet.model import Overview
from filon.fleet.session import Places, Session
from filon.fleet.settings import FleetSettings
from filon.fleet.store import Store, opened
from filon.run.text import count, counted, size
from filon.verbs.acquire.summary import ENDS

#: How often the line that shows how all stands is made anew.
SHOWN_EVERY_S = 1.0
#: The same with a store that others ask, too.
STORE_EVERY_S = 30.0
_Store = Annotated[
    str,
    typer.Option(
        metavar="FILE|URL",
        help="What holds the truth: postgresql://…, or a file; by default a file in DIR.",
    ),
]
_Blobs = Annotated[
    str,
    typer.Option(
        metavar="DIR|URL",
        help="What holds the bytes: s3://BUCKET/PATH, or a folder; by default one in DIR.",
    ),
]


def _run(
    *,
    sites: Path | None,
    store: str,
    blobs: str,
    on: str,
    workers: int | None,
    out: Path | None,
    metrics: str,
    json_: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Harvest the sites of a list under one budget, or go on with that.

    A site is a run of its own. Each request goes to the site that is expected to bring most, at the
    pace of its host. It is safe to kill: the same command again, or a worker elsewhere, goes on.

    Example: filon fleet run sites.txt --budget 100000req,50GiB --out statistics
    """
    from filon.cli.session import Line, interruptible
    from filon.verbs.session import run_here

    if workers is not None and workers < 1:
        raise UserError(f"{workers} workers get nowhere: 1 is the least.")
    settings = FleetSettings(**gather(FleetSettings, given))
    if metrics:
        place_of(metrics)
    places = Places.of(out, store, blobs)
    line = Line(None if quiet else sys.stderr)

    async def foreground() -> tuple[str, Overview]:
        halt = asyncio.Event()
        with interruptible(halt, line.say):
            session = Session(places, settings, told=line.say)
            session.check(workers or 0, on)
            await session.begin(sites)
            async with opened(places.store) as looked, _served(looked, metrics):
                shown = asyncio.ensure_future(_show(looked, line.show, places))
                try:
                    over = await session.see_through(workers or 0, on, halt)
                finally:
                    shown.cancel()
                    await asyncio.gather(shown, return_exceptions=True)
                return over, await looked.overview()

    over, seen = run_here(foreground())
    line.clear()
    if json_:
        typer.echo(json.dumps({"fleet": str(places.folder), "stopped": over, **asdict(seen)}))
    elif not quiet:
        _tell(places, over, seen)
    return INTERRUPTED if over == "interrupted" else 0


def _served(store: Store, place: str) -> AbstractAsyncContextManager[object]:
    return metrics_served(store, place) if place else nullcontext()


async def _show(store: Store, show: Callable[[Callable[[], str]], None], places: Places) -> None:
    """Show how all stands: seldom where others need the store, or where it takes long."""
    wait_s = every_s = SHOWN_EVERY_S if places.is_local else STORE_EVERY_S
    while True:
        await asyncio.sleep(wait_s)
        began_s = time.monotonic()
        seen = await store.overview()
        show(lambda seen=seen: _line(seen))  # type: ignore[misc]
        wait_s = max(every_s, (time.monotonic() - began_s) / SHARE)


def _line(seen: Overview) -> str:
    ended = seen.sites - seen.states.get("", 0)
    return (
        f"{count(ended)} of {counted(seen.sites, 'site')} ended, {count(seen.held)} at work: "
        f"{counted(seen.requests, 'request')}, {counted(seen.finds, 'file')}, {size(seen.bytes)}"
    )


_ENDS = {**ENDS, "drained": "it was drained", "": "all workers have ended"}


def _tell(places: Places, over: str, seen: Overview) -> None:
    typer.echo(f"{_line(seen)}.")
    typer.echo(f"It ended: {_ENDS.get(over, over)}.")
    if seen.lost_requests:
        lost = counted(seen.lost_requests, "request")
        typer.echo(f"{lost} of the budget were lost with workers that died.")
    if seen.dead_letters:
        typer.echo(f"{counted(seen.dead_letters, 'site')} ended with a trouble.")
    if seen.states.get("") and places.is_local:
        again = f"filon fleet run --out {shlex.quote(str(places.folder))} --budget …"
        typer.echo(f"Go on with: {again}")


def _work(*, store: str, blobs: str, folder: Path, keep: bool, json_: bool, quiet: bool) -> int:
    """Be a worker of a fleet until there is nothing left to do.

    Begun anew in the same folder, it goes on where it was: let a service manager restart it. Ctrl-C
    or SIGTERM lets it give its sites back first.

    Example: filon fleet work --store postgresql://db/fleet --blobs s3://bucket/fleet
    """
    from filon.cli.session import Line, interruptible
    from filon.fleet.workers import work as be_worker
    from filon.verbs.session import run_here

    places = Places(store=store, blobs=blobs, folder=folder)
    line = Line(None if quiet else sys.stderr)

    async def foreground() -> str:
        halt = asyncio.Event()
        with interruptible(halt, line.say):
            return await be_worker(places, folder, halt, keep=keep, told=line.say)

    over = run_here(foreground())
    if json_:
        typer.echo(json.dumps({"stopped": over}))
    return INTERRUPTED if over == "interrupted" else 0


_PLACE = inspect.Parameter.KEYWORD_ONLY
_Sites = Annotated[
    Path | None,
    typer.Argument(
        metavar="SITES",
        help="A file with the address of a site a line; without it, a fleet that is there goes on.",
    ),
]
_On = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="Where workers run: ray://HOST:PORT, ray for the cluster that this machine is part "
        "of, local for a Ray of its own; by default on this machine, without Ray.",
    ),
]
_Number = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Workers to start, each a process; by default one, which is this process, or on Ray "
        "one for each core.",
    ),
]
_Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="The folder of the fleet; by default filon-runs/fleet-001 and so on."
    ),
]

_Metrics = Annotated[
    str,
    typer.Option(
        metavar="[HOST:]PORT",
        help="Serve figures for Prometheus there, at /metrics; by default on this machine only.",
    ),
]


def _asked(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, _PLACE, annotation=annotation, default=default)


run = signed(
    _run,
    "run",
    inspect.getdoc(_run) or "",
    [
        _asked("sites", _Sites, None),
        *parameters(FleetSettings),
        _asked("store", _Store, ""),
        _asked("blobs", _Blobs, ""),
        _asked("on", _On, ""),
        _asked("workers", _Number, None),
        _asked("out", _Out, None),
        _asked("metrics", _Metrics, ""),
        _asked("json_", o.Json, False),
        _asked("quiet", o.Quiet, False),
    ],
)
work = signed(
    _work,
    "work",
    inspect.getdoc(_work) or "",
    [
        _asked("store", Annotated[str, typer.Option(metavar="FILE|URL", help="The store.")], ...),
        _asked("blobs", Annotated[str, typer.Option(metavar="DIR|URL", help="The blobs.")], ...),
        _asked(
            "folder",
            Annotated[
                Path,
                typer.Option(
                    metavar="DIR",
                    help="Where it keeps what it works on; by default filon-worker.",
                ),
            ],
            Path("filon-worker"),
        ),
        _asked(
            "keep",
            Annotated[
                bool, typer.Option("--keep", help="Leave the runs of sites that ended in place.")
            ],
            False,
        ),
        _asked("json_", o.Json, False),
        _asked("quiet", o.Quiet, False),
    ],
)
