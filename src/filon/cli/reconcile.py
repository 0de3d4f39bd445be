"""`filon reconcile serve RUN`."""

import asyncio
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.session import interruptible
from filon.verbs.enrich.reconcile import PORT, desk_of, offer
from filon.verbs.session import run_here

reconcile = typer.Typer(
    name="reconcile",
    add_completion=False,
    help="Let OpenRefine use what was fetched.",
    no_args_is_help=True,
)


@reconcile.callback()
def group() -> None:
    """Let OpenRefine use what was fetched."""


@reconcile.command()
def serve(
    run: o.RunFolder,
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
) -> int:
    """Serve the records of an enrichment by the reconciliation API, version 0.2, until Ctrl-C.

    Add the URL that it prints to OpenRefine as a reconciliation service: names are matched with
    the records that were fetched, and columns can be added from them. No call is made, and nobody
    but programs on this machine can reach it.

    Example: filon reconcile serve filon-runs/papers-openalex-001
    """
    desk = desk_of(run, port)

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, lambda _: None):
            await offer(
                desk,
                ready=lambda url: typer.echo(f"{url}  (Ctrl-C ends it)"),
                halt=halt,
                origins=allow_origin or (),
            )

    run_here(foreground())
    return 0
