"""Fill columns of a table from a search service: `filon.enrich` and `filon.aenrich`."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Unpack

from filon.core import Budget, Strategy
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.enrich import Enrich, EnrichSettings
from filon.verbs.enrich.frames import takes_frames, without_await
from filon.verbs.enrich.strategies import DEFAULT, Brief
from filon.verbs.keywords import NetworkOptions, takes_old_words
from filon.verbs.start import start


@takes_frames
@takes_old_words(EnrichSettings)
async def aenrich(
    table: str | Path,
    *,
    source: str | Path,
    add: str,
    match: str = "",
    columns: str = "",
    budget: str | int | Budget | None = None,
    strategy: str | Callable[[Brief], Strategy] = DEFAULT,
    seed: int = 0,
    out: str | Path | None = None,
    parallel: int = 1,
    delay: float | None = None,
    one_to_one: bool = False,
    part: str = "",
    header_row: bool = True,
    encoding: str = "",
    source_set: Mapping[str, str] | None = None,
    sample: str | Path = "",
    sample_ratio: float = 0.0,
    fresh: bool = False,
    cache: str | Path = "",
    set: Mapping[str, str | float] | None = None,
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    **network: Unpack[NetworkOptions],
) -> Run:
    """Fill columns of a table from a service with a keyword search, with the fewest calls.

    table: a CSV, Parquet, Excel, ODS or JSON file, or FILE:NAME where it holds several tables; or a
        data frame of pandas, Polars or Arrow, and then one of the same kind comes back.
    source: the name of a shipped source, or a TOML file that describes one.
    add: the columns to fill, "year,doi"; "year=publication_year" where the source's field has
        another name. A column that the table has is filled where it is empty.
    match: the columns that tell what a row is, in the same way: "title,authors=creator".
    columns: those of them that are worth querying; by default all.
    budget: what may be spent, like "500req"; a number is calls.
    strategy: a name, "package.module:Class", or the class itself, which is made from a `Brief`.
    seed: of the strategy's random choices.
    out: the folder to write, which must not exist; by default one below filon-runs.
    parallel: calls in flight.
    delay: seconds between calls; by default what the source allows, or 1.
    one_to_one: no record is about two rows.
    part: the table of a database, or the sheet of a workbook.
    header_row: whether the first row names the columns.
    encoding: of a text file; detected where it is not given.
    source_set: the source's own parameters.
    sample, sample_ratio: a table of records of the source, and the part of all that they are.
    fresh: ask again for what the cache holds from earlier runs.
    cache: the file in which answers are kept; by default the user's own.
    set: the strategy's own parameters.
    halt: when set, the run ends in order and can be resumed.
    watch: called with the step, the response and the finds after each answer.
    network: any of `filon.NetworkOptions`; robots.txt is not read, the service's terms count.

    Returns the run, with the table:

        run = filon.enrich("papers.csv", source="openalex", match="title", add="doi", budget=500)
        run.table().to_pandas()

    Of a data frame it returns the frame with its new columns, as text; one of pandas keeps its
    index and types, and has the folder of the run in `attrs["filon_run"]`:

        papers = filon.enrich(papers, source="openalex", match="title", add="doi", budget=500)
        filon.open_run(papers.attrs["filon_run"])
    """
    return await start(Enrich(), locals())


enrich = without_await(aenrich)
