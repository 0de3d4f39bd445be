"""One sitting of a run: from the first request to the report, whatever ends it."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from filon.core import Find, MachineError, Request, Response, Step, Strategy, Web, drive
from filon.core.loop import Watch
from filon.run.config import write_config
from filon.run.disk import writing
from filon.run.folder import CONFIG, Run
from filon.run.report import write_report
from filon.verbs import network
from filon.verbs.asked import Asked
from filon.verbs.outage import Outage


def all_of(*watches: Watch | None) -> Watch:
    """Return one that calls them all."""

    def call(step: Step, response: Response, finds: Sequence[Find]) -> None:
        for watch in watches:
            if watch:
                watch(step, response, finds)

    return call


async def sit(
    run: Run,
    settings: Asked,
    strategy: Strategy,
    web: Web,
    *,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    wrap_up: Callable[[Path], object] = write_report,
    free: Callable[[Request], bool] = lambda request: False,
) -> str:
    """Drive a run to its end or its interruption, close it and wrap it up with its report.

    Returns why it ended. After a failure the run is only closed: its last checkpoint and its
    ledger are sound, the strategy at hand may not be.
    free: as of `filon.core.loop.drive`.
    """
    cancelled: asyncio.CancelledError | None = None
    watch = all_of(Outage(settings.url).watch, watch)
    try:
        again = sorted(run.rewind(strategy), key=lambda sent: not free(sent[1].request))
        account = network.account(settings, run.spent)
        parallel = settings.parallel
        try:
            stopped = await drive(
                strategy,
                web,
                account,
                run,
                parallel=parallel,
                again=again,
                halt=halt,
                watch=watch,
                free=free,
            )
        except asyncio.CancelledError as error:
            stopped, cancelled = "interrupted", error
        run.finish(stopped, strategy)
    finally:
        run.close()
        await web.close()
    wrap_up(run.path)
    if cancelled:
        raise cancelled
    return stopped


async def see_through(
    run: Run,
    settings: Asked,
    strategy: Strategy,
    web: Web,
    *,
    halt: asyncio.Event | None,
    watch: Watch | None,
    wrap_up: Callable[[Path], object],
    free: Callable[[Request], bool] = lambda request: False,
) -> str:
    """Do as `sit`; what the run has brought is written also where the machine failed."""
    try:
        return await sit(
            run, settings, strategy, web, halt=halt, watch=watch, wrap_up=wrap_up, free=free
        )
    except MachineError:
        with contextlib.suppress(MachineError):  # the first is what the user must know
            wrap_up(run.path)
        raise


async def take_up(folder: Path, settings: Asked, web: Web) -> Run:
    """Open a run to go on with it, under settings that may have changed."""
    run = Run.open(folder)
    try:
        with writing(run.path):
            write_config(run.path / CONFIG, settings.config())
    except BaseException:
        run.close()
        await web.close()
        raise
    return run
