"""`filon demo`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from filon.cli.session import Line
from filon.core import Budget, UserError
from filon.core.loop import Watch
from filon.verbs.progress import Progress


def demo(
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder to write; by default filon-demo."),
    ] = None,
) -> int:
    """Show the whole thing on a small web that comes with Filon, on loopback only.

    It harvests a statistics portal three times, with vein, with sb and breadth first, enriches a
    list of books, follows Linked Data, discovers the repositories of a topic, and tells what was
    found, what paid, and what the learning was worth.
    """
    from filon.demo.tour import tour  # here: the other verbs need no small web

    if out and out.exists():
        raise UserError(f"{out} exists already: choose another folder with --out.")
    return tour(_shown, folder=out)


@contextmanager
def _shown(title: str) -> Iterator[Watch]:
    line = Line(sys.stderr)
    line.say(title)
    yield Progress(line, Budget()).watch
    line.clear()
