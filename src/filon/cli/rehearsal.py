"""`--dry-run`: what would be done, without a request and without a file."""

import json
from pathlib import Path

import typer

from filon.run.text import plain
from filon.verbs.job import Job


def rehearse(job: Job, folder: Path, *, as_json: bool) -> int:
    """Print the effective configuration, the first requests and the folder.

    The parts are put together as for a run, since each refuses what it does not understand.
    """
    _ = job.strategy
    job.web(folder / "spool")
    first = job.first_urls()
    config = job.settings.config()
    if as_json:
        told = {"dry_run": True, "run": str(folder), "first_requests": first, "config": config}
        typer.echo(json.dumps(told))
        return 0
    typer.echo(f"Would {plain(job.what)} into {folder}; nothing was sent or written.")
    for sentence in job.terms:
        typer.echo(plain(sentence))
    typer.echo(f"First requests: {plain(', '.join(first))}")
    for name, value in config.items():
        typer.echo(f"  {name} = {plain(json.dumps(value, ensure_ascii=False), 400)}")
    return 0
