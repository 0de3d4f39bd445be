"""`filon watch FILE`."""

import asyncio
import inspect
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.cli import INTERRUPTED, MACHINE
from filon.cli import options as o
from filon.cli.commands import gather, parameters, signed
from filon.run.text import counted, duration, plain
from filon.verbs.settings import NETWORK, POLITE, Settings


def _watch(*, file: Path, once: bool, quiet: bool, **given: Any) -> int:
    """Look again at many sites, each when it is due, in one process.

    The file says which sites, how often, with what budget, and in which hours not. A site that was
    never harvested is harvested first. It is safe to kill: all it knows stands in the run folders.
    With --once, exit code 4 says that a site failed, which a line names.

    Example: filon watch sites.toml --once
    """
    from filon.cli.session import Line, interruptible
    from filon.verbs.refresh.schedule import Schedule
    from filon.verbs.refresh.watch import Watch
    from filon.verbs.session import run_here

    schedule = Schedule.read(file)
    line = Line(None if quiet else sys.stderr)

    async def foreground() -> int:
        halt = asyncio.Event()
        watch = Watch(schedule, gather(Settings, given), lambda told: line.say(_line(told)))
        with interruptible(halt, line.say):
            await (watch.once(halt) if once else watch.always(halt))
        return INTERRUPTED if halt.is_set() else MACHINE if watch.has_failed else 0

    if not once and not quiet:
        line.say(f"Watching {counted(len(schedule.sites), 'site')}; Ctrl-C ends it.")
    return run_here(foreground())


def _line(told: Any) -> str:
    """Return a round in a line."""
    now = datetime.now().astimezone().isoformat(" ", "minutes")[:16]
    site = plain(told.site.url or str(told.site.run))
    if told.problem:
        return f"{now} {site}: {plain(told.problem)}"
    counts = ", ".join(f"{number} {name}" for name, number in told.counts.items() if number)
    cost = counted(told.requests, "request")
    after = f"next in {duration(told.site.interval_s)}"
    if told.is_cut:
        after = "it goes on after the quiet hours" if told.site.quiet else "it goes on later"
    return f"{now} {site}: {counts or 'nothing to look at'} ({cost}); {after}"


_PLACE = inspect.Parameter.KEYWORD_ONLY
_File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A TOML file that says which sites, and how often.")
]
_Once = Annotated[
    bool, typer.Option("--once", help="See to what is due now, and end: for cron and systemd.")
]
watch = signed(
    _watch,
    "watch",
    inspect.getdoc(_watch) or "",
    [
        inspect.Parameter("file", _PLACE, annotation=_File),
        inspect.Parameter("once", _PLACE, default=False, annotation=_Once),
        *parameters(Settings, lambda way: way.panel in (POLITE, NETWORK)),
        inspect.Parameter("quiet", _PLACE, default=False, annotation=o.Quiet),
    ],
)
