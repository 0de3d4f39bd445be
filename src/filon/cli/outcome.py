"""How a run ended, told on standard output: for people, or as one JSON object for scripts."""

import json
from pathlib import Path

import typer

from filon.cli import INTERRUPTED
from filon.run.text import plain
from filon.verbs.registry import verb_of


def tell(run_path: Path, *, as_json: bool) -> int:
    """Print what a run brought and where it is; return the exit code."""
    outcome = verb_of(run_path).outcome(run_path)
    run = outcome.run
    for remark in outcome.remarks:
        typer.echo(plain(remark), err=True)
    if as_json:
        if run.resumable:
            typer.echo(f"{outcome.ending}: go on with: filon resume {run.run}", err=True)
        typer.echo(json.dumps(outcome.as_object()))
    else:
        typer.echo(outcome)
        typer.echo(f"  report: {Path(run.run) / 'report.html'}")
    return INTERRUPTED if run.stopped == "interrupted" else 0
