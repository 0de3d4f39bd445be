"""`--dry-run`: what would be done, without a request and without a file."""

import json
from collections.abc import Sequence
from pathlib import Path

import typer

from filon.core import Step
from filon.page.url import join
from filon.run.text import counted, plain
from filon.verbs.asked import Asked
from filon.verbs.discover.parts import Expedition
from filon.verbs.enrich.parts import Job
from filon.verbs.follow import api as follow
from filon.verbs.follow.settings import FollowSettings
from filon.verbs.follow.strategies import build
from filon.verbs.harvest import parts
from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.secrets import secrets_of


def rehearse(settings: HarvestSettings, folder: Path, *, as_json: bool) -> int:
    """Print the effective configuration, the first requests and the folder.

    The parts are put together as for a run, since each refuses what it does not understand.
    """
    parts.strategy(settings)
    parts.web(settings, folder / "spool")
    robots = [join(settings.url, "/robots.txt")] if settings.robots else []
    first = [*robots, settings.url]
    what = f"{settings.verb} {settings.url}"
    return _say(folder, settings, first, what, "First requests", as_json=as_json)


def rehearse_enrichment(job: Job, folder: Path, *, as_json: bool) -> int:
    """Print what an enrichment would begin with, its first query included."""
    secrets_of(job.source)
    step = None if job.source.opening() else job.strategy().propose()
    rows = counted(job.table.size, "row")
    what = f"enrich {job.wants.table} ({rows}) from {job.source.name}"
    terms = job.source.description.terms
    notes = [f"Terms: {terms}"] if terms else []
    return _say(folder, job.wants, _urls(step), what, "First call", notes, as_json=as_json)


def rehearse_trail(trail: FollowSettings, folder: Path, *, as_json: bool) -> int:
    """Print what following Linked Data would begin with."""
    step = follow.dressed(build(trail.strategy, follow.brief_of(trail)), trail).propose()
    follow.web_of(trail, folder / "spool")
    seeds = trail.url if len(trail.seeds) == 1 else counted(len(trail.seeds), "URI")
    return _say(folder, trail, _urls(step), f"follow {seeds}", "First request", as_json=as_json)


def rehearse_quest(expedition: Expedition, folder: Path, *, as_json: bool) -> int:
    """Print what a discovery would begin with, and who would be asked."""
    step = expedition.dressed(expedition.strategy()).propose()
    quest, services = expedition.quest, expedition.services
    told = [f"“{quest.topic}”"] if quest.topic else []
    told += [f"sites like {counted(len(quest.seeds), 'example')}"] if quest.seeds else []
    notes = [f"Asked: {', '.join(one.name for one in services.searchers)}"]
    notes += [f"Not asked: {'; '.join(services.unasked)}"] if services.unasked else []
    what = f"discover {' and '.join(told)}"
    return _say(folder, quest, _urls(step), what, "First request", notes, as_json=as_json)


def _urls(step: Step | None) -> list[str]:
    return [step.request.url] if step else []


def _say(
    folder: Path,
    asked: Asked,
    first: list[str],
    what: str,
    named: str,
    notes: Sequence[str] = (),
    *,
    as_json: bool,
) -> int:
    """Print it all, for people or as one object. named: what the first requests are called."""
    config = asked.config()
    if as_json:
        told = {"dry_run": True, "run": str(folder), "first_requests": first, "config": config}
        typer.echo(json.dumps(told))
        return 0
    typer.echo(f"Would {plain(what)} into {folder}; nothing was sent or written.")
    for note in notes:
        typer.echo(plain(note))
    typer.echo(f"{named}: {plain(', '.join(first))}")
    for name, value in config.items():
        typer.echo(f"  {name} = {plain(json.dumps(value, ensure_ascii=False), 400)}")
    return 0
