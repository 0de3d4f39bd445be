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
    all_: Annotated[
        bool, typer.Option("--all", help="Then each verb alone, beside what it is compared with.")
    ] = False,
) -> int:
    """Show the whole way on a small web that comes with Filon, on loopback only.

    From a topic to sites, to their files, to a table that did not exist before, to more columns
    for it: five stages, each with the command to type. With --all, also what each verb does alone
    and what its learning is worth.
    """
    from rich.console import Console

    from filon.cli import run
    from filon.demo.place import FOLDER, fresh
    from filon.demo.story import story

    if out and out.exists():
        raise UserError(f"{out} exists already: choose another folder with --out.")
    folder, console = out or fresh(Path(FOLDER)), Console(highlight=False)
    code = story(run, console, folder)
    if code or not all_:
        return code
    from filon.demo.tour import tour

    return tour(_shown, console, folder)


@contextmanager
def _shown(title: str) -> Iterator[Watch]:
    line = Line(sys.stderr)
    line.say(title)
    yield Progress(line, Budget()).watch
    line.clear()
