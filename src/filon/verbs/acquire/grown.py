"""Sites that a round of the discovery has found: each becomes a run of the whole, and is harvested.

It is part of a sweep (verbs/refresh/many.py), after the rounds of all that was known. Who ends it
finds the sites in the index, and the next sweep goes on with them.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import FilonError
from filon.core.budget import Budget
from filon.core.loop import Watch
from filon.page.url import host
from filon.run import readonly
from filon.verbs import session
from filon.verbs.acquire.index import DISCOVER, FOUND, NOTHING, Index, Site
from filon.verbs.acquire.job import AcquireJob
from filon.verbs.acquire.scope import Sites
from filon.verbs.hosts import Alone
from filon.verbs.registry import VERBS, verb_of
from filon.verbs.settings import SHARED

#: How it is told that a site came with a round.
LATE = f"{FOUND} in round "
_OPEN = ("", "interrupted", "outage")


async def grow(
    folder: Path,
    changes: Mapping[str, Any],
    left: int | None,
    halt: asyncio.Event | None,
    watch: Watch | None,
    alone: Alone,
) -> list[tuple[Path, str]]:
    """Harvest the sites that rounds have found; return the run of each, and what was wrong.

    left: requests that may be sent, shared by the sites; None: no bound.
    alone: gives the host of a site, as soon as nobody else asks it.
    """
    verb = verb_of(folder)
    asked = {name: changes[name] for name in SHARED if name in changes and name != "budget"}
    settings: Any = verb.settings.of(readonly.config(folder)).changed(**asked)
    job = AcquireJob(settings)
    ended = []
    with Index(folder) as index:
        waiting = _waiting(folder, index, settings.only)
        for number, site in enumerate(waiting):
            if (halt and halt.is_set()) or left == 0:
                break
            share = None if left is None else max(1, left // (len(waiting) - number))
            run = folder / site.path
            before = _sent(run)
            async with alone(host(site.url)):
                if halt and halt.is_set():
                    break
                problem = await _harvest(job, folder, site, share, halt, watch)
            left = None if left is None else max(0, left - _sent(run) + before)
            state = NOTHING if problem and not _is_there(run) else _stopped(run)
            index.add(replace(site, state=state, note=problem))
            ended.append((run, problem))
        index.catch_up()
    return ended


def _waiting(folder: Path, index: Index, only: tuple[str, ...]) -> list[Site]:
    """Return the sites that came with rounds and are not harvested yet, the best first."""
    known = Sites(only)
    for site in index.sites():
        known.keep(site)
    for number, row, promise in _listed(folder / DISCOVER):
        if new := known.found(row, promise):
            index.add(replace(new, why=f"{LATE}{number}"))
    late = [site for site in index.sites() if site.why.startswith(LATE)]
    waiting = [one for one in late if one.state in _OPEN and _is_open(folder / one.path)]
    return sorted(waiting, key=lambda site: -site.promise)


def _listed(discovery: Path) -> Iterator[tuple[int, dict[str, Any], float]]:
    """Yield the sites of the last round of a discovery, each with its score against the best."""
    if not _is_there(discovery):
        return
    sites = verb_of(discovery).frames()["sites"]
    for folder in sorted((discovery / "rounds").glob("[0-9]*"))[-1:]:
        rows = [dict(row) for row in sites(folder)]
        best = max((float(row["score"] or 0.0) for row in rows), default=0.0)
        for row in rows:
            yield int(folder.name), row, float(row["score"] or 0.0) / best if best > 0 else 1.0


async def _harvest(
    job: AcquireJob,
    folder: Path,
    site: Site,
    share: int | None,
    halt: asyncio.Event | None,
    watch: Watch | None,
) -> str:
    """Harvest a site, or go on with it; return what was wrong."""
    verb, run = VERBS.find("harvest")(), folder / site.path
    budget = str(Budget(requests=share + _sent(run))) if share else ""
    try:
        if _is_there(run):
            verb, settings, _ = session.settings_of(run, {"budget": budget} if budget else {})
            await session.go_on(verb, run, settings, halt, watch)
        else:
            settings = job.harvesting(folder, site).changed(budget=budget)
            made: Any = verb.prepare(settings)
            await session.begin(verb, made, run, halt, watch)
    except FilonError as error:
        return str(error)
    return ""


def _sent(run: Path) -> int:
    return readonly.number(run, "steps") if _is_there(run) else 0


def _is_there(run: Path) -> bool:
    return (run / readonly.CONFIG).is_file() and (run / readonly.LEDGER).is_file()


def _is_open(run: Path) -> bool:
    return not _is_there(run) or _stopped(run) in _OPEN


def _stopped(run: Path) -> str:
    with readonly.reading(run) as ledger:
        return readonly.meta(ledger).get("stopped", "")
