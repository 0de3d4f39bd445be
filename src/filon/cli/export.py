"""`filon export RUN --to FORMAT`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.run.export import FORMATS
from filon.run.export import export as write


def export(
    run: o.RunFolder,
    to: Annotated[
        str, typer.Option(metavar="|".join(FORMATS), help="The format; files is a folder tree.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Where to write; by default beside the run."),
    ] = None,
    json_: o.Json = False,
) -> int:
    """Write the finds of a run as a table or as a folder of files, and print where it is.

    Of an enrichment, the records that were fetched and the rows they are about.

    Example: filon export filon-runs/www.example.org-001 --to files
    """
    written = write(run, to, out)
    told = {"run": str(run), "to": to, "written": str(written)}
    typer.echo(json.dumps(told) if json_ else written)
    return 0
