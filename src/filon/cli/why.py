"""`filon why RUN URL`."""

from typing import Annotated

import typer

from filon.cli import options as o
from filon.run.why import why as tell


def why(
    run: o.RunFolder,
    url: Annotated[str, typer.Argument(metavar="URL", help="A URL that the run asked for.")],
    json_: o.Json = False,
) -> int:
    """Tell the chain of steps and reasons that led to a URL, in plain words."""
    typer.echo(tell(run, url))
    return 0
