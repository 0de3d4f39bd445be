"""Schedules in the API: when runs are looked at again."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from filon.core.background import in_thread
from filon.serve.api.operation import Call, Done, Operations
from filon.serve.api.runs import Run
from filon.serve.schedules import WATCHER
from filon.serve.timetable import Entry

operations = Operations("schedules")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """A run, and how often it is looked at again."""

    run: str
    interval_s: float
    budget: str
    quiet: str
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedules:
    """All runs that are looked at again."""

    schedules: list[Scheduled]


@operations.get("/schedules")
async def list_schedules(call: Call) -> Schedules:
    """List the runs that are looked at again, and how often."""
    sites = await in_thread(call.app[WATCHER].timetable.sites)
    return Schedules(
        schedules=[
            Scheduled(
                run=Path(site.run).name,
                interval_s=site.interval_s,
                budget=str(site.budget or ""),
                quiet=str(site.quiet or ""),
                zone=str(site.zone or ""),
            )
            for site in sites
        ]
    )


@operations.post("/schedules")
async def put_schedule(
    call: Call,
    run: Run,
    interval: Annotated[str, "How often, as 1d or 6h."] = "1d",
    budget: Annotated[str, "What a round may cost, as 300req."] = "",
    quiet: Annotated[str, "Hours at which nothing is asked, as 08:00-18:00."] = "",
    zone: Annotated[str, "The time zone of these hours, as Europe/Berlin."] = "",
) -> Done:
    """Look at a run again, so often; what was said of it before is replaced."""
    name = call.home.run(run).name
    entry = Entry(run=name, interval=interval, budget=budget, quiet=quiet, zone=zone)
    await in_thread(call.app[WATCHER].timetable.put, entry)
    return Done()


@operations.delete("/schedules/{run}")
async def drop_schedule(call: Call, run: Run) -> Done:
    """Look at a run no more."""
    await in_thread(call.app[WATCHER].timetable.drop, call.home.run(run).name)
    return Done()
