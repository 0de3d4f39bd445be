"""Fill columns of a table from a search service: `filon.enrich` and `filon.aenrich`."""

import asyncio
from pathlib import Path
from typing import Any

from filon.core import Budget
from filon.core.loop import Watch
from filon.run.handle import Run
from filon.verbs.blocking import blocking
from filon.verbs.enrich import Enrich
from filon.verbs.enrich.settings import BY_SOURCE_S, EnrichSettings
from filon.verbs.enrich.strategies import DEFAULT
from filon.verbs.keywords import takes_old_words
from filon.verbs.start import start


@takes_old_words(EnrichSettings)
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
    delay: float | None = None,
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
    delay: seconds between calls; by default what the source allows, or 1.
    fresh: ask again for what the cache holds from earlier runs.
    more: any other field of `filon.verbs.enrich.settings.EnrichSettings`.

    Returns the run; the table is beside it:

        run = filon.enrich("papers.csv", source="openalex", match="title", add="doi", budget=500)
        print(run.path / "enriched.csv")
    """
    settings = EnrichSettings(
        table=str(table),
        source=str(source),
        add=add,
        match=match,
        budget="" if budget is None else str(budget),
        strategy=strategy,
        seed=seed,
        parallel=parallel,
        one_to_one=one_to_one,
        fresh=fresh,
        delay=BY_SOURCE_S if delay is None else delay,
        **more,
    )
    return await start(Enrich(), settings, out, halt, watch)


enrich = blocking(aenrich)
