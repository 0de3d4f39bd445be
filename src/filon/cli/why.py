"""`filon why RUN URL`."""

import json
from typing import Annotated

import typer

from filon.cli import options as o
from filon.core import UserError
from filon.run.chain import chain
from filon.run.why import why as tell


def why(
    run: o.RunFolder,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="A URL, or the name of a file that was found.")
    ],
    json_: o.Json = False,
) -> int:
    """Tell the chain of steps and reasons that led to a URL, in plain words.

    Example: filon why filon-runs/www.example.org-001 population.csv
    """
    if not url.strip():
        raise UserError("Which URL? Name one, or a file that was found.")
    if json_:
        typer.echo(json.dumps({"run": str(run), "url": url, "steps": chain(run, url)}))
    else:
        typer.echo(tell(run, url))
    return 0
