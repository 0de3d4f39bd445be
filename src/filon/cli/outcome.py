"""How a run ended, told on standard output: for people, or as one JSON object for scripts."""

import json
from pathlib import Path

import typer

from filon.cli import INTERRUPTED
from filon.run.text import plain
from filon.verbs.registry import verb_of


def tell(run_path: Path, *, as_json: bool, quiet: bool = False) -> int:
    """Print what a run brought, where it is and what may be typed next; return the exit code.

    quiet: nothing but what scripts asked for.
    """
    verb = verb_of(run_path)
    outcome = verb.outcome(run_path)
    run = outcome.run
    steps = outcome.next_steps(verb.usual_export)
    if not quiet:
        for remark in outcome.remarks:
            typer.echo(plain(remark), err=True)
    if as_json:
        if run.resumable and not quiet:
            typer.echo(f"{outcome.ending}: go on with: {steps[0]}", err=True)
        typer.echo(json.dumps(outcome.as_object() | {"next": steps}))
    elif not quiet:
        typer.echo(outcome)
        typer.echo(f"  report: {Path(run.run) / 'report.html'}")
        for number, step in enumerate(steps):
            typer.echo(f"  {'' if number else 'next:':7} {step}")
    return INTERRUPTED if run.stopped == "interrupted" else 0
