"""`filon list`."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.run.listing import Entry
from filon.run.listing import runs as runs_in
from filon.run.text import count, plain, size
from filon.verbs.session import RUNS


def list_(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help=f"That holds runs; {RUNS} by default.")
    ] = None,
    json_: o.Json = False,
) -> int:
    """List the runs of a folder: how they stand, what they cost and brought, the latest first.

    Example: filon list
    """
    if folder is None and not RUNS.is_dir():
        found: list[Entry] = []
    else:
        found = runs_in(folder or RUNS)
    if json_:
        typer.echo(json.dumps({"runs": [_object(entry) for entry in found]}))
    elif not found:
        typer.echo(f"There is no run in {folder or RUNS}.")
    else:
        typer.echo("\n".join(_lines(found)))
    return 0


def _lines(found: list[Entry]) -> list[str]:
    """Return a table, its columns as wide as they need to be."""
    rows = [("last at work", "what", "requests", "finds", "received", "run", "how it stands")]
    for entry in found:
        when = datetime.fromtimestamp(entry.changed_s).strftime("%Y-%m-%d %H:%M")
        figures = (count(entry.requests), count(entry.finds), size(entry.bytes))
        rows.append((when, entry.verb, *figures, plain(str(entry.run)), plain(entry.ending)))
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = []
    for row in rows:
        cells = [
            f"{text:>{width}}" if 2 <= column <= 4 else f"{text:<{width}}"
            for column, (text, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append("  ".join([*cells, row[6]]))
    return lines


def _object(entry: Entry) -> dict[str, object]:
    return {
        "run": str(entry.run),
        "verb": entry.verb,
        "changed": datetime.fromtimestamp(entry.changed_s).astimezone().isoformat(),
        "stopped": entry.stopped,
        "running": entry.running,
        "resumable": entry.resumable,
        "requests": entry.requests,
        "bytes": entry.bytes,
        "finds": entry.finds,
        "problem": entry.problem,
    }
