"""`filon why RUN URL`."""

import json
from typing import Annotated

import typer

from filon.cli import options as o
from filon.core import UserError
from filon.verbs.settle import settle


def why(
    run: o.RunFolder,
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="A URL, or the name of a file that was found; of an enrichment a row's number, "
            "a record's id or a query.",
        ),
    ],
    json_: o.Json = False,
) -> int:
    """Tell the chain of steps and reasons that led to a URL, in plain words.

    Of a discovery, tell first why a site is on the list and what was verified.
    Of an enrichment, tell why a row was filled or was not, or what a record or a query brought.

    Example: filon why filon-runs/www.example.org-001 population.csv
    """
    if not url.strip():
        raise UserError("Which URL? Name one, or a file that was found.")
    verb = settle(run)
    typer.echo(json.dumps(verb.reasons(run, url)) if json_ else verb.why(run, url))
    return 0
