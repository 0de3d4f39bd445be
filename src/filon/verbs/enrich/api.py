"""Fill columns of a table from a search service: `filon.enrich` and `filon.aenrich`."""

import asyncio
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import Budget, Find, Response, Step, Strategy, UserError
from filon.core.loop import Watch
from filon.run.disk import writing
from filon.run.folder import Run
from filon.run.report import write_report
from filon.services.shelf import text_of
from filon.services.source import Source
from filon.verbs import network
from filon.verbs.blocking import blocking
from filon.verbs.enrich.fill import fill
from filon.verbs.enrich.outage import Service
from filon.verbs.enrich.parts import Job
from filon.verbs.enrich.settings import EnrichSettings
from filon.verbs.enrich.strategies import DEFAULT
from filon.verbs.enrich.table import Table, open_table
from filon.verbs.look import open_run
from filon.verbs.place import discard, place
from filon.verbs.secrets import keyed
from filon.verbs.session import all_of, see_through, take_up
from filon.verbs.settings import POLITE_DELAY_S
from filon.web.cached import Cache, Cached, cache_path
from filon.web.live import Live
from filon.web.polite import Polite

#: The copies that a run folder holds, so that `filon resume` needs nothing else.
INPUT, SOURCE, SAMPLE = "input", "source.toml", "sample"


async def aenrich(
    table: str | Path,
    *,
    source: str | Path,
    add: str,
    match: str = "",
    budget: str | int | Budget | None = None,
    strategy: str = DEFAULT,
    seed: int = 0,
    out: str | Path | None = None,
    parallel: int = 1,
    delay_s: float | None = None,
    one_to_one: bool = False,
    fresh: bool = False,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **more: Any,
) -> Run:
    """Fill columns of a table from a service with a keyword search, with the fewest calls.

    table: a CSV, TSV, Parquet or Excel file, or FILE:NAME for a table of SQLite or DuckDB.
    source: the name of a shipped source, or a TOML file that describes one.
    add: the columns to fill, "year,doi"; "year=publication_year" where the source's field has
        another name. A column that the table has is filled where it is empty.
    match: the columns that tell what a row is, in the same way: "title,authors=creator".
    budget: what may be spent, like "500req"; a number is calls.
    delay_s: seconds between calls; by default what the source allows, or 1.
    fresh: ask again for what the cache holds from earlier runs.
    more: any other field of `filon.verbs.enrich.settings.EnrichSettings`.

    Returns the run; the table is beside it:

        run = filon.enrich("papers.csv", source="openalex", match="title", add="doi", budget=500)
        print(run.path / "enriched.csv")
    """
    job = prepare(
        {
            "table": str(table),
            "source": str(source),
            "add": add,
            "match": match,
            "budget": "" if budget is None else str(budget),
            "strategy": strategy,
            "seed": seed,
            "parallel": parallel,
            "one_to_one": one_to_one,
            **({} if delay_s is None else {"delay_s": delay_s}),
            **more,
        },
        fresh=fresh,
    )
    return await start(job, place(out, job.wants.url, name_of(job)), halt, watch)


enrich = blocking(aenrich)


def prepare(wishes: Mapping[str, Any], *, fresh: bool = False) -> Job:
    """Return an enrichment that could begin: the table is read, the source and all names known."""
    wants = EnrichSettings(**wishes)
    table = open_table(wants.table, name=wants.part, header=wants.header, encoding=wants.encoding)
    source = Source.load(wants.source, wants.source_set)
    rate_s = source.meter.delay_s or POLITE_DELAY_S
    changes: dict[str, Any] = {
        "url": source.origin,
        "rate_s": rate_s,
        "since_s": time.time() if fresh else 0.0,
        "input": f"{INPUT}{table.ending}",
        "part": wants.part or getattr(table, "name", ""),
    }
    if "delay_s" not in wishes:
        changes["delay_s"] = rate_s
    return Job(replace(wants, **changes), table, source)


def name_of(job: Job) -> str:
    """Return what a run is called where the user names no folder."""
    return f"{Path(job.wants.table.rpartition('/')[2]).stem}-{job.source.name}"


async def start(
    job: Job,
    folder: Path,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Begin a run and see it through; where the service is of no use, leave nothing behind."""
    job = await _opened(job, folder)
    strategy = job.strategy()
    web = _web(job, folder)
    run = Run.create(folder, job.wants.config())
    try:
        _keep_copies(job, run.path)
        await _sit(run, job, strategy, web, halt, watch)
    except UserError:
        discard(folder)
        raise
    return open_run(folder)


async def go_on(
    folder: Path,
    wants: EnrichSettings,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> Run:
    """Take a run up where it was left and see it through."""
    job = job_of(folder, wants)
    strategy = job.strategy()
    web = _web(job, folder)
    run = await take_up(folder, wants, web)
    await _sit(run, job, strategy, web, halt, watch)
    return open_run(folder)


def job_of(folder: Path, wants: EnrichSettings) -> Job:
    """Return the enrichment that a run folder holds."""
    copy, source = folder / wants.input, folder / SOURCE
    if not (copy.is_file() and source.is_file()):
        raise UserError(f"{folder} was cut short before it began: start it anew.")
    table = _copy_of(folder, wants)
    if wants.sample:
        wants = replace(wants, sample=str(folder / _sample_name(wants)))
    return Job(wants, table, Source.load(source, wants.source_set))


def _copy_of(folder: Path, wants: EnrichSettings) -> Table:
    """Open the copy of the user's table that a run folder holds."""
    copy = folder / wants.input
    return open_table(copy, name=wants.part, header=wants.header, encoding=wants.encoding)


async def _sit(
    run: Run,
    job: Job,
    strategy: Strategy,
    web: Cached,
    halt: asyncio.Event | None,
    watch: Watch | None,
) -> str:
    """See a sitting through; what was fetched is filled in, also where the service failed."""
    watches = all_of(Service(job.source).watch, _naming(job), watch)

    def wrap_up(path: Path) -> None:
        fill(path, job)
        write_report(path)

    return await see_through(
        run,
        job.wants,
        strategy,
        web,
        halt=halt,
        watch=watches,
        wrap_up=wrap_up,
        free=web.holds,
    )


def _naming(job: Job) -> Watch | None:
    """Return what tells at the first records that columns cannot be matched with their fields.

    Where the description names the fields, that is known before.
    """
    looked = False

    def look(step: Step, response: Response, finds: Sequence[Find]) -> None:
        nonlocal looked
        if not looked and (records := job.source.parse(response).records):
            looked = True
            job.alignment(records)

    return None if job.fields else look


def _web(job: Job, folder: Path) -> Cached:
    """Return the web: cache, then secrets, then spacing, then the network."""
    wants, source = job.wants, job.source
    options = network.live_options(wants, source.origin, folder / "spool")
    polite = Polite(Live(options), delay_s=wants.delay_s, per_host=wants.parallel)
    return Cached(
        keyed(polite, source),
        Cache(Path(wants.cache) if wants.cache else cache_path()),
        good=lambda response: not source.parse(response).problem,
        since_s=wants.since_s,
    )


async def _opened(job: Job, folder: Path) -> Job:
    """Return the job with a source that can be asked: some must be read about first."""
    opening = job.source.opening()
    if opening is None:
        return job
    web = _web(job, folder)
    try:
        source = job.source.opened(await web.fetch(opening))
    finally:
        await web.close()
    wants = replace(job.wants, source_set=source.parameters, url=source.origin)
    return Job(wants, job.table, source)


def _keep_copies(job: Job, path: Path) -> None:
    """Copy what the run needs, and let it go on from there: a day is long, and the user's file
    may change or go meanwhile."""
    with writing(path):
        job.table.save(path / job.wants.input)
        (path / SOURCE).write_text(text_of(job.wants.source), "utf-8")
        if job.wants.sample:
            shutil.copyfile(job.wants.sample, path / _sample_name(job.wants))
    job.table = _copy_of(path, job.wants)


def _sample_name(wants: EnrichSettings) -> str:
    return f"{SAMPLE}{Path(wants.sample).suffix}"
