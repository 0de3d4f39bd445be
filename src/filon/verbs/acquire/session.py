"""One session of a whole: it begins or goes on, is seen through, and is wrapped up."""

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.core import UserError
from filon.core.loop import Watch
from filon.run import readonly
from filon.run.folder import RunFolder
from filon.run.ledger import Ledger
from filon.run.report import write_report
from filon.run.text import counted
from filon.verbs.acquire.index import NOTHING, OUTAGE, Index
from filon.verbs.acquire.profiling import Profiling
from filon.verbs.acquire.scope import Sites
from filon.verbs.acquire.whole import Whole
from filon.verbs.progress import ShowsParts
from filon.verbs.session import discarding, is_there, take_up
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.verbs.acquire import AcquireSettings
    from filon.verbs.acquire.job import AcquireJob


#: More files than this take a while to be read.
SAID = 50


async def begin(
    verb: Verb[Any],
    job: "AcquireJob",
    folder: Path,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    *,
    claimed: bool = False,
) -> None:
    """Begin a whole and see it through; where there is nothing to be had, leave nothing behind."""
    was_there = is_there(folder) and not claimed
    run = RunFolder.create(folder, job.settings.config())
    with discarding(folder, was_there=was_there):
        await _see_through(verb, job, run, halt, watch)


async def go_on(
    verb: Verb[Any],
    folder: Path,
    settings: "AcquireSettings",
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> None:
    """Take a whole up where it was left and see it through."""
    await _see_through(verb, verb.prepare(settings), take_up(folder, settings), halt, watch)


async def _see_through(
    verb: Verb[Any],
    job: Any,
    run: RunFolder,
    halt: asyncio.Event | None,
    watch: Watch | None,
) -> None:
    folder, stopped = run.path, "interrupted"
    web, profiling = job.web(folder / "spool"), Profiling() if job.settings.profile else None
    try:
        with Index(folder) as index:
            index.set_meta(stopped="")
            known = Sites(job.settings.only)
            whole = _whole(job, folder, index, web, watch, profiling, known)
            if isinstance(watch, ShowsParts):
                watch.show_parts(whole.board)
            try:
                stopped = await whole.run(halt)
                if known.left_out and isinstance(watch, ShowsParts):
                    watch.say(f"--only left out {counted(known.left_out, 'site')}.")
                _complain(whole, stopped)
            finally:
                index.keep_time(whole.elapsed_s())
                index.set_meta(stopped=stopped)
        if profiling and stopped != "interrupted":
            with_files = [part.folder for part in whole.parts.values() if part.finds]
            left = sum(part.finds for part in whole.parts.values()) - profiling.made
            if left > SAID and isinstance(watch, ShowsParts):
                watch.say(f"{counted(left, 'file')} are still to be read for the catalog.")
            await profiling.finish(with_files, halt)
    finally:
        if profiling:
            await profiling.close()
        run.close()
        await web.close()
        _sweep(folder / "spool")
    if profiling and stopped != "interrupted" and not (halt and halt.is_set()):
        _catalogue(folder)
    write_report(folder, verb.page)
    if stopped == OUTAGE:
        whole.raise_if_out()


def _whole(
    job: Any,
    folder: Path,
    index: Index,
    web: Any,
    watch: Watch | None,
    profiling: Profiling | None,
    known: Sites,
) -> Whole:
    """Return the whole as its folder has it: with all its runs, and what they have taught."""
    settings = job.settings
    sites = index.sites()
    for site in sites:
        known.keep(site)
    index.catch_up()
    with contextlib.closing(Ledger.open(folder / readonly.LEDGER)) as ledger:
        spent = ledger.spent()
    whole = Whole(
        folder,
        index,
        settings.account(spent),
        web,
        make=job.maker(folder),
        named=known.found,
        topic=settings.topic,
        parallel=settings.parallel,
        delay_s=settings.delay,
        most=settings.per_site,
        shown=watch,
        profiling=profiling,
        told=watch.say if isinstance(watch, ShowsParts) else lambda sentence: None,
    )
    for site in sites:
        whole.take_up(site)
    whole.replay()
    for site in job.first_sites(known):  # all that a kill kept from being written down
        whole.add(site)
    return whole


def _complain(whole: Whole, stopped: str) -> None:
    """Raise what is wrong where there is nothing to be had at all."""
    parts = list(whole.parts.values())
    if stopped == "exhausted" and all(part.site.state == NOTHING for part in parts):
        notes = list(dict.fromkeys(part.note for part in parts if part.note))
        more = f" The same holds for {len(notes) - 1} others." if len(notes) > 1 else ""
        raise UserError(f"{notes[0] if notes else 'No site has anything.'}{more}")


def _sweep(spool: Path) -> None:
    """Remove what downloads have left behind."""
    with contextlib.suppress(OSError):
        for left in spool.glob("*"):
            left.unlink()
        spool.rmdir()


def _catalogue(folder: Path) -> None:
    """Write the catalog of all files: nothing is left to be profiled."""
    from filon.catalog.store import CatalogStore

    with CatalogStore(folder) as catalog:
        catalog.update()
