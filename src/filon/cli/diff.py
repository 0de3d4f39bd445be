"""`filon diff RUN`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o

#: Exit code of a script's question: has anything changed?
CHANGED = 1


def diff(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="The folder of a run, or one that holds many.")
    ],
    since: Annotated[
        str,
        typer.Option(metavar="DATE", help="Only what was seen since: 2026-11-01, or with a time."),
    ] = "",
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as a page, too: changes.html.")
    ] = None,
    fail_if_changed: Annotated[
        bool, typer.Option("--fail-if-changed", help="End with exit code 1 if anything changed.")
    ] = False,
    json_: o.Json = False,
) -> int:
    """Tell what the rounds of a run have found: new, changed, moved and vanished files.

    Of a table that changed it tells rows, columns and cells.

    Example: filon diff filon-runs/www.example.org-001 --since 2026-11-01
    """
    from filon.run.disk import replace_text
    from filon.verbs.refresh import changes as told

    found = told.changes_of(run, told.moment(since))
    if page:
        title = f"What changed in {run.name}{f' since {since}' if since else ''}"
        replace_text(page, told.page(found, title), errors="replace")
    if json_:
        typer.echo(json.dumps({"run": str(run), "since": since, "changes": found}))
    else:
        for line in told.lines(found):
            typer.echo(line)
    return CHANGED if fail_if_changed and found else 0
