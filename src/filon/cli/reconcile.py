"""`filon reconcile serve WHAT`."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.cli.commands import also_asks_service, gather
from filon.cli.session import interruptible
from filon.core import UserError
from filon.page.url import origin
from filon.run import readonly
from filon.services.source import Source
from filon.verbs.enrich import EnrichSettings
from filon.verbs.enrich.name_lookup import NameLookup, calls_of, service_web
from filon.verbs.enrich.reconcile import DRAFT, PORT, Endpoint, offer
from filon.verbs.enrich.reconciler import Reconciler
from filon.verbs.enrich.record_sources import naming, reconciler_of
from filon.verbs.option import named_texts
from filon.verbs.session import run_here
from filon.verbs.settle import settle
from filon.web.serve import ANYBODY

reconcile = typer.Typer(
    name="reconcile",
    add_completion=False,
    help="Let OpenRefine use what you have, or a service under a budget.",
    no_args_is_help=True,
)


@reconcile.callback()
def group() -> None:
    """Let OpenRefine use what you have, or a service under a budget."""


@reconcile.command()
@also_asks_service
def serve(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="A table (FILE, or FILE:NAME in a database or workbook), the folder of a run, "
            "or the folder that holds runs.",
        ),
    ] = "",
    table: Annotated[
        str,
        typer.Option(
            metavar="ID", help="Of a folder with runs: match with the rows of this file's table."
        ),
    ] = "",
    name: Annotated[
        str,
        typer.Option(
            metavar="COLUMN", help="That holds what a row is called; by default the likeliest."
        ),
    ] = "",
    id_: Annotated[
        str,
        typer.Option(
            "--id", metavar="COLUMN", help="That holds the id of a row; by default its number."
        ),
    ] = "",
    source: Annotated[
        str,
        typer.Option(
            "--source",
            "--from",
            metavar="SOURCE",
            help="Ask a service for each name, as openalex or a TOML file; needs --budget.",
        ),
    ] = "",
    budget: Annotated[
        str, typer.Option(metavar="N", help="The most calls of the service, as long as this runs.")
    ] = "",
    source_set: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="A parameter of the source, such as url. Repeatable."
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port on this machine; 0: any.")
    ] = PORT,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Also let web pages of this origin ask, such as https://refine.example.org; "
            "* for all. Pages on this machine may anyway. Repeatable.",
        ),
    ] = None,
    **typed: Any,
) -> int:
    """Serve records by the reconciliation API, versions 0.2 and 1.0 draft, until Ctrl-C.

    Add the URL that it prints to OpenRefine as a reconciliation service: names are matched with
    your records, and columns can be added from them. Of an enrichment these are the records that
    it fetched, of a table its rows, of other runs their files. With --from a service is asked for
    each name that is new, within --budget; otherwise no call is made. Nobody but programs on this
    machine can reach it.

    Example: filon reconcile serve filon-runs/papers-openalex-001
    """
    if not what and not source:
        raise UserError("Reconcile with what? Name a table, a run or a folder of runs, or --from.")
    if what and source:
        raise UserError(f"Reconcile with one of both: {what}, or --from {source}.")
    if budget and not source:
        raise UserError("A budget is for --from SOURCE: what you have costs no call.")
    origins = [_origin(each) for each in allow_origin or []]
    if not source:
        if (Path(what) / readonly.CONFIG).is_file():
            settle(Path(what))  # a run that was killed: what it had fetched counts
        endpoint = Endpoint(reconciler_of(what, table=table, name=name, id_=id_), port)
        return _go(endpoint, None, origins)
    if table or id_:
        raise UserError("--table and --id are for what you have; a service has ids of its own.")
    if not budget:
        raise UserError("How many calls may the service be asked? Say it with --budget, as 200.")
    calls = calls_of(budget)
    described = Source.load(source, named_texts(source_set or [], "--source-set"))
    empty = _empty(described, name)
    web = service_web(described, gather(EnrichSettings, typed))
    lookup = NameLookup(described, web, calls)
    return _go(Endpoint(empty, port, lookup), lookup, origins)


def _origin(text: str) -> str:
    """Return an origin as a browser tells it; a UserError where it is none.

    >>> _origin("https://Refine.example.org/")
    'https://refine.example.org'
    """
    found = text if text == ANYBODY else origin(text)
    if not found:
        raise UserError(f"{text!r} is no origin: write it like https://refine.example.org.")
    return found


def _empty(source: Source, name: str) -> Reconciler:
    """Return a service that has nothing at hand yet."""
    fields = source.description.answer.fields
    known = list(fields) if isinstance(fields, dict) else []
    if name and known and name not in known:
        raise UserError(f"{source.name} has no field {name!r}: it has {', '.join(known)}.")
    named = name or (naming(dict.fromkeys(known, ())) if known else "title")
    return Reconciler((), title=source.name, name_field=named, space=source.origin)


def _go(endpoint: Endpoint, lookup: NameLookup | None, origins: list[str]) -> int:
    def ready(url: str) -> None:
        for line in lookup.told() if lookup else ():
            typer.echo(line)
        typer.echo(f"{url}  (Ctrl-C ends it; {url}{DRAFT} speaks the draft of 1.0)")

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, lambda _: None):
            try:
                if lookup:
                    await lookup.open()
                await offer(endpoint, ready=ready, halt=halt, origins=origins)
            finally:
                if lookup:
                    await lookup.close()

    run_here(foreground())
    return 0
