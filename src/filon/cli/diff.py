"""`filon diff RUN`."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.cli import options as o
from filon.core import UserError
from filon.run.history import CHANGES, History
from filon.run.text import counted, plain, size

#: Exit code of a script's question: has anything changed?
CHANGED = 1


def diff(
    run: o.RunFolder,
    since: Annotated[
        str,
        typer.Option(metavar="DATE", help="Only what was seen since: 2026-11-01, or with a time."),
    ] = "",
    fail_if_changed: Annotated[
        bool, typer.Option("--fail-if-changed", help="End with exit code 1 if anything changed.")
    ] = False,
    json_: o.Json = False,
) -> int:
    """Tell what the rounds of a run have found: new, changed, moved and vanished files.

    Example: filon diff filon-runs/www.example.org-001 --since 2026-11-01
    """
    since_s = _time(since) if since else 0.0
    changes = changes_of(run, since_s)
    if json_:
        typer.echo(json.dumps({"run": str(run), "since": since, "changes": changes}))
    else:
        _tell(changes)
    return CHANGED if fail_if_changed and changes else 0


def changes_of(path: Path, since_s: float) -> list[dict[str, Any]]:
    """Return what the rounds of a run, or of all runs that a folder holds, have found."""
    from filon.verbs.refresh.many import targets

    found = []
    for run in targets(path):
        with History(run) as history:
            found += [{"run": str(run), **change} for change in history.changes(since_s)]
    return found


def _time(text: str) -> float:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(f"{text!r} is not a date: write it like 2026-11-01.") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def _tell(changes: list[dict[str, Any]]) -> None:
    if not changes:
        typer.echo("Nothing has changed.")
    for what in CHANGES:
        of_kind = [change for change in changes if change["what"] == what]
        if of_kind:
            typer.echo(f"{what}: {counted(len(of_kind), 'file')}")
        for change in of_kind:
            typer.echo(f"  {plain(change['url'])}{_more(change)}")


def _more(change: dict[str, Any]) -> str:
    if "to" in change:
        return f" -> {plain(change['to'])}"
    if change["what"] == "changed":
        return f" ({size(change['size_bytes_before'])} -> {size(change['size_bytes'])})"
    return f" ({size(change['size_bytes'])})" if change["what"] in ("new", "back") else ""
