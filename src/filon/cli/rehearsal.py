"""`--dry-run`: what would be done, without a request and without a file."""

import json
from pathlib import Path

import typer

from filon.page.url import join
from filon.run.plain import counted, plain
from filon.strategies.follow import build
from filon.verbs import assemble, follow
from filon.verbs.job import Job
from filon.verbs.secrets import secrets_of
from filon.verbs.settings import Settings
from filon.verbs.trail import Trail


def rehearse(settings: Settings, folder: Path, *, as_json: bool) -> int:
    """Print the effective configuration, the first requests and the folder.

    The parts are put together as for a run, since each refuses what it does not understand.
    """
    assemble.strategy(settings)
    assemble.web(settings, folder / "spool")
    robots = [join(settings.url, "/robots.txt")] if settings.robots else []
    first = [*robots, settings.url]
    config = settings.config()
    if as_json:
        told = {"dry_run": True, "run": str(folder), "first_requests": first, "config": config}
        typer.echo(json.dumps(told))
        return 0
    typer.echo(f"Would {settings.verb} {settings.url} into {folder}; nothing was sent or written.")
    typer.echo(f"First requests: {', '.join(first)}")
    for name, value in config.items():
        typer.echo(f"  {name} = {plain(json.dumps(value, ensure_ascii=False))}")
    return 0


def rehearse_enrichment(job: Job, folder: Path, *, as_json: bool) -> int:
    """Print what an enrichment would begin with, its first query included."""
    secrets_of(job.source)
    step = None if job.source.opening() else job.strategy().propose()
    first = [step.request.url] if step else []
    wants, config = job.wants, job.wants.config()
    if as_json:
        told = {"dry_run": True, "run": str(folder), "first_requests": first, "config": config}
        typer.echo(json.dumps(told))
        return 0
    typer.echo(
        f"Would enrich {wants.table} ({counted(job.table.size, 'row')}) from {job.source.name} "
        f"into {folder}; nothing was sent or written."
    )
    if job.source.description.terms:
        typer.echo(f"Terms: {plain(job.source.description.terms)}")
    typer.echo(f"First call: {plain(', '.join(first))}")
    for name, value in config.items():
        typer.echo(f"  {name} = {plain(json.dumps(value, ensure_ascii=False))}")
    return 0


def rehearse_trail(trail: Trail, folder: Path, *, as_json: bool) -> int:
    """Print what following Linked Data would begin with."""
    step = follow.dressed(build(trail.strategy, follow.brief_of(trail)), trail).propose()
    follow.web_of(trail, folder / "spool")
    first = [step.request.url] if step else []
    config = trail.config()
    if as_json:
        told = {"dry_run": True, "run": str(folder), "first_requests": first, "config": config}
        typer.echo(json.dumps(told))
        return 0
    seeds = trail.url if len(trail.seeds) == 1 else counted(len(trail.seeds), "URI")
    typer.echo(f"Would follow {plain(seeds)} into {folder}; nothing was sent or written.")
    typer.echo(f"First request: {plain(', '.join(first))}")
    for name, value in config.items():
        typer.echo(f"  {name} = {plain(json.dumps(value, ensure_ascii=False), 400)}")
    return 0
