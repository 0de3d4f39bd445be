"""`filon enrich TABLE --from SOURCE`."""

from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.session import launch
from filon.cli.wishes import ENRICH_FIELDS, gather
from filon.core import UserError
from filon.verbs.enrich import Enrich
from filon.verbs.enrich.settings import EnrichSettings

_TABLE = "Table"
_MATCH = "Matching"

TableFile = Annotated[
    str,
    typer.Argument(
        metavar="TABLE", help="CSV, TSV, Parquet or Excel; FILE:NAME in SQLite, DuckDB or Excel."
    ),
]
From = Annotated[
    str | None,
    o.option("SOURCE", "A shipped source such as openalex, or a TOML file.", name="--from"),
]
Match = Annotated[
    str | None,
    o.option(
        "LIST",
        "The columns that tell what a row is: title,authors; title=name where the source's "
        "field has another name. By default those that the source seems to have too.",
        _MATCH,
    ),
]
Add = Annotated[
    str | None,
    o.option(
        "LIST", "The columns to fill: year,doi; year=published where the field has another name."
    ),
]
OneToOne = Annotated[
    bool | None,
    o.switch(
        "--one-to-one", "No record is about two different rows; equal rows share one.", _MATCH
    ),
]
Review = Annotated[
    bool,
    typer.Option(
        "--review",
        help="After the run, ask about the most uncertain pairs and learn from the answers.",
        rich_help_panel=_MATCH,
    ),
]
Columns = Annotated[
    str | None, o.option("LIST", "The columns worth querying; by default those of --match.")
]
SourceSet = Annotated[
    list[str] | None,
    o.option("NAME=VALUE", "A parameter of the source, such as url; may be repeated."),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Ask again for what earlier runs have paid for.")
]
Sample = Annotated[
    Path | None,
    o.option(
        "FILE",
        "A table of records of the source, for strategies that need one; --set sample=N draws one.",
    ),
]
SampleRatio = Annotated[float | None, o.option("R", "The part of all records that the sample is.")]
Strategy = Annotated[str | None, o.option("NAME", "How queries are chosen; prospect by default.")]
Part = Annotated[
    str | None,
    o.option("NAME", "The table of a database, or the sheet of a workbook.", _TABLE, name="--part"),
]
NoHeaderRow = Annotated[
    bool | None,
    o.switch(
        "--no-header-row", "The first row is data; columns are called 'column 1' and so on.", _TABLE
    ),
]
Encoding = Annotated[str | None, o.option("NAME", "Of a text file; detected by default.", _TABLE)]
Delay = Annotated[
    float | None,
    o.option("S", "Seconds between calls; by default what the source allows, or 1.", o.POLITE),
]


@o.takes(
    "from_ match add budget strategy out seed columns source_set one_to_one review fresh",
    "sample sample_ratio part no_header_row encoding set_ config dry_run json_ delay",
    "parallel",
    o.REACH,
    "timeout retries",
)
def enrich(
    context: typer.Context,
    table: TableFile,
    review: Review,
    fresh: Fresh,
    config: o.Config,
    dry_run: o.DryRun,
    json_: o.Json,
) -> int:
    """Fill columns of a table from a service with a keyword search, with the fewest calls.

    Each call brings at most a page of results, so a query is worth the rows that it covers: which
    queries those are is learnt on the way. The run folder holds the enriched table in the format
    of the first, what was not found and why, an archive of all answers and a report.

    Example: filon enrich papers.csv --from openalex --match title,authors --add doi --budget 500
    """
    wishes = gather(config, {**context.params, "fresh": fresh or None}, ENRICH_FIELDS)
    if "source" not in wishes:
        raise UserError("Which service is to be asked? Name it with --from, as --from openalex.")
    out_wish = wishes.pop("out", None)
    settings = EnrichSettings(table=table, **wishes)
    return launch(Enrich(), settings, out_wish, dry_run=dry_run, as_json=json_, review=review)
