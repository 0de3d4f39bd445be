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
    typer.Option(
        "--from", metavar="SOURCE", help="A shipped source such as openalex, or a TOML file."
    ),
]
Match = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="The columns that tell what a row is: title,authors; title=name where the source's "
        "field has another name. By default those that the source seems to have too.",
        rich_help_panel=_MATCH,
    ),
]
Add = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="The columns to fill: year,doi; year=published where the field has another name.",
    ),
]
OneToOne = Annotated[
    bool | None,
    typer.Option(
        "--one-to-one",
        help="No record is about two different rows; equal rows share one.",
        rich_help_panel=_MATCH,
        show_default=False,
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
    str | None,
    typer.Option(metavar="LIST", help="The columns worth querying; by default those of --match."),
]
SourceSet = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE", help="A parameter of the source, such as url; may be repeated."
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Ask again for what earlier runs have paid for.")
]
Sample = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A table of records of the source, for strategies that need one; "
        "--set sample=N draws one.",
    ),
]
SampleRatio = Annotated[
    float | None, typer.Option(metavar="R", help="The part of all records that the sample is.")
]
Strategy = Annotated[
    str | None, typer.Option(metavar="NAME", help="How queries are chosen; prospect by default.")
]
Part = Annotated[
    str | None,
    typer.Option(
        "--part",
        metavar="NAME",
        help="The table of a database, or the sheet of a workbook.",
        rich_help_panel=_TABLE,
    ),
]
NoHeaderRow = Annotated[
    bool | None,
    typer.Option(
        "--no-header-row",
        help="The first row is data; columns are called 'column 1' and so on.",
        rich_help_panel=_TABLE,
        show_default=False,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Of a text file; detected by default.",
        rich_help_panel=_TABLE,
    ),
]
Delay = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        help="Seconds between calls; by default what the source allows, or 1.",
        rich_help_panel=o.POLITE,
    ),
]


def enrich(
    context: typer.Context,
    table: TableFile,
    from_: From = None,
    match: Match = None,
    add: Add = None,
    budget: o.Budget = None,
    strategy: Strategy = None,
    out: o.Out = None,
    seed: o.Seed = None,
    columns: Columns = None,
    source_set: SourceSet = None,
    one_to_one: OneToOne = None,
    review: Review = False,
    fresh: Fresh = False,
    sample: Sample = None,
    sample_ratio: SampleRatio = None,
    part: Part = None,
    no_header_row: NoHeaderRow = None,
    encoding: Encoding = None,
    set_: o.Set = None,
    config: o.Config = None,
    dry_run: o.DryRun = False,
    json_: o.Json = False,
    delay: Delay = None,
    parallel: o.Parallel = None,
    contact: o.Contact = None,
    user_agent: o.UserAgent = None,
    insecure: o.Insecure = None,
    ca_file: o.CaFile = None,
    connect_to: o.ConnectTo = None,
    proxy: o.Proxy = None,
    header: o.Header = None,
    timeout: o.Timeout = None,
    retries: o.Retries = None,
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
