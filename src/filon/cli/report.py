"""`filon report RUN`."""

import json
import webbrowser
from typing import Annotated

import typer

from filon.cli import options as o
from filon.verbs.settle import report as write


def report(
    run: o.RunFolder,
    open_: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    json_: o.Json = False,
) -> int:
    """Write the report of a run, and print where it is.

    The report is one page that needs nothing else: the curve, the arms and what they brought,
    the finds, where the budget went. A run writes it at its end; a running one can be looked at.
    """
    path = write(run)
    typer.echo(json.dumps({"run": str(run), "report": str(path)}) if json_ else path)
    if open_:
        webbrowser.open(path.resolve().as_uri())
    return 0
