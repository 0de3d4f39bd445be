"""`filon fleet status`, `top` and `logs`."""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.cli import options as o
from filon.core import UserError
from filon.fleet.locations import fleets, store_in
from filon.fleet.model import Event, Member, Overview, Standing
from filon.fleet.store import Store, opened
from filon.run.text import count, counted, duration, plain, size
from filon.verbs.session import RUNS, run_here

#: Who only looks does not wait long for a server.
PATIENCE_S = 5.0
#: `top` looks so often; what reads all sites takes at most this share of its time.
TOP_S, SHARE = 2.0, 0.2
#: `logs --follow` asks so often.
FOLLOW_S = 1.0
Where = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="DIR|FILE|URL",
        help=f"The folder of the fleet, or its store; the latest in {RUNS} by default.",
    ),
]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="Show so many.")]


def located(store: str) -> str:
    """Return where the store is that was named; a UserError where there is none."""
    if "://" in store:
        return store
    if not store:
        for there in fleets(RUNS).values():
            return there
        raise UserError(f"There is no fleet in {RUNS}: name its folder or store with --store.")
    path = Path(store)
    found = store_in(path) if path.is_dir() else store if path.is_file() else ""
    if not found:
        raise UserError(f"There is no fleet at {store}: name its folder or store with --store.")
    return found


def status(
    store: Where = "",
    dead: Annotated[
        bool, typer.Option("--dead", help="List the sites that ended with a trouble, and why.")
    ] = False,
    sites: Annotated[
        bool, typer.Option("--sites", help="List what sites have cost, the costliest first.")
    ] = False,
    limit: Limit = 20,
    json_: o.Json = False,
) -> int:
    """Tell how a fleet stands: sites, the budget, workers, what it has cost.

    Example: filon fleet status --dead
    """

    async def look() -> tuple[Overview, list[Member], list[Standing] | None]:
        async with opened(located(store), patience_s=PATIENCE_S) as fleet:
            listed = None
            if dead:
                listed = await fleet.dead_letters(limit)
            elif sites:
                listed = await fleet.costliest(limit)
            return await fleet.overview(), await fleet.workers(), listed

    seen, workers, listed = run_here(look())
    if json_:
        told: dict[str, Any] = {**asdict(seen), "workers": [asdict(one) for one in workers]}
        if listed is not None:
            told["dead" if dead else "sites"] = [asdict(one) for one in listed]
        typer.echo(json.dumps(told))
        return 0
    for line in (*_overview(seen), *_workers(workers), *_sites(listed or [])):
        typer.echo(line)
    if seen.dead_letters and not dead:
        typer.echo("`filon fleet status --dead` tells why, `filon fleet retry` tries again.")
    return 0


def top(
    store: Where = "",
    once: Annotated[bool, typer.Option("--once", help="Look twice, and end.")] = False,
    json_: o.Json = False,
) -> int:
    """Show a fleet at work: requests and files a second, of all and of each worker. Ctrl-C ends it.

    Example: filon fleet top
    """
    from filon.cli.session import Line

    line = Line(None if json_ else sys.stderr)

    async def watch() -> None:
        async with opened(located(store), patience_s=PATIENCE_S) as fleet:
            pulse = Pulse(fleet)
            await pulse.look()
            while True:
                await asyncio.sleep(TOP_S)
                await pulse.look()
                if line.live and not once:
                    line.show(pulse.lines)
                    continue
                typer.echo(json.dumps(pulse.told()) if json_ else "\n".join(pulse.lines()))
                if once:
                    return

    with contextlib.suppress(KeyboardInterrupt):
        run_here(watch())
    line.clear()
    return 0


class Pulse:
    """What a fleet and its workers do a second, between two looks."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: Overview | None = None
        self._until_s = float("-inf")
        self._workers: list[Member] = []
        self._at_s = 0.0
        self._rates: dict[str, tuple[float, float]] = {}  # requests and files a second, by worker

    async def look(self) -> None:
        """Look at all, or at the workers alone where all sites were read a moment ago."""
        now_s = time.monotonic()
        if now_s >= self._until_s:
            self._seen = await self._store.overview()
            self._until_s = now_s + (time.monotonic() - now_s) / SHARE
        before = {worker.name: worker for worker in self._workers}
        workers = await self._store.workers()
        passed_s = max(1e-6, now_s - self._at_s)
        self._rates = {
            one.name: (
                (one.used_requests - before[one.name].used_requests) / passed_s,
                (one.finds - before[one.name].finds) / passed_s,
            )
            for one in workers
            if one.name in before
        }
        self._workers, self._at_s = workers, now_s

    def told(self) -> dict[str, Any]:
        """Return all as plain data."""
        requests, finds = self._sums()
        rates = {"requests_a_s": round(requests, 3), "finds_a_s": round(finds, 3)}
        return {
            **rates,
            **(asdict(self._seen) if self._seen else {}),
            "workers": [
                {**asdict(one), "requests_a_s": round(self._rates.get(one.name, (0.0,))[0], 3)}
                for one in self._workers
                if one.is_alive
            ],
        }

    def _sums(self) -> tuple[float, float]:
        rates = self._rates.values()
        return sum(rate[0] for rate in rates), sum(rate[1] for rate in rates)

    def lines(self) -> list[str]:
        """Return all as lines for a screen."""
        requests, finds = self._sums()
        now = f"{requests:.1f} requests and {finds:.2f} files a second"
        rates = {name: rate[0] for name, rate in self._rates.items()}
        return [
            now,
            *(_overview(self._seen) if self._seen else []),
            *_workers(self._workers, rates),
        ]


def logs(
    store: Where = "",
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on reading.")] = False,
    site: Annotated[str, typer.Option(metavar="NAME", help="Only of this site.")] = "",
    limit: Limit = 100,
    json_: o.Json = False,
) -> int:
    """Tell what has happened in a fleet: who came, left and was lost, which sites ended, and why.

    Example: filon fleet logs --follow
    """

    async def read() -> list[Event]:
        async with opened(located(store), patience_s=PATIENCE_S) as fleet:
            await fleet.settings()
            last = await fleet.events(-1, site=site, limit=limit)
            if follow:
                await _follow(fleet, site, last, as_json=json_)
            return last

    with contextlib.suppress(KeyboardInterrupt):
        events = run_here(read())
        if json_:
            typer.echo(json.dumps({"events": [asdict(event) for event in events]}))
        else:
            for event in events:
                typer.echo(_event(event))
    return 0


async def _follow(store: Store, site: str, events: list[Event], *, as_json: bool) -> None:
    """Print events as they come, until somebody interrupts."""
    after = 0
    while True:
        for event in events:
            typer.echo(json.dumps(asdict(event)) if as_json else _event(event))
            after = event.number
        await asyncio.sleep(FOLLOW_S)
        events = await store.events(after, site=site)


def _event(event: Event) -> str:
    when = datetime.fromtimestamp(event.at_s).strftime("%Y-%m-%d %H:%M:%S")
    words = [when, plain(event.worker), event.kind, plain(event.site), plain(event.text)]
    return "  ".join(word for word in words if word)


def _overview(seen: Overview) -> list[str]:
    left = seen.states.get("", 0)
    ended = seen.sites - left
    state = "It pauses" if seen.is_paused else "It is at work" if seen.workers else "It rests"
    ends = ", ".join(f"{count(n)} {plain(name)}" for name, n in seen.states.items() if name)
    lines = [
        f"{state}: {count(ended)} of {counted(seen.sites, 'site')} ended"
        f"{f' ({ends})' if ends else ''}, {count(seen.held)} at work.",
        f"It has cost {counted(seen.requests, 'request')}, {size(seen.bytes)} received, "
        f"{duration(seen.cpu_s)} of CPU and {size(seen.stored_bytes)} kept, and brought "
        f"{counted(seen.finds, 'file')} in {duration(seen.elapsed_s)}.",
    ]
    bounds = [_bound(name, bound, seen) for name, bound in seen.budget.items() if bound is not None]
    if bounds:
        lines.append(f"Of the budget {' and '.join(bounds)} are spent or in use.")
    if seen.lost_requests:
        lost = f"{counted(seen.lost_requests, 'request')} and {size(seen.lost_bytes)}"
        lines.append(f"{lost} of that were lost with workers that died.")
    return lines


def _bound(name: str, bound: float, seen: Overview) -> str:
    if name == "bytes":
        return f"{size(seen.drawn_bytes)} of {size(bound)}"
    if name == "seconds":
        return f"{duration(seen.elapsed_s)} of {duration(bound)}"
    spent = seen.drawn_requests if name == "requests" else seen.finds
    return f"{count(spent)} of {count(bound)} {'files' if name == 'finds' else name}"


def _workers(workers: Sequence[Member], rates: dict[str, float] | None = None) -> list[str]:
    """Return the workers that are alive, a line each, and how many are not."""
    alive = [one for one in workers if one.is_alive]
    gone = len(workers) - len(alive)
    head = ("worker", "sites", "in flight", "requests", "files", "CPU", "memory", "heard")
    rows = [(*head, "a second") if rates is not None else head]
    for one in alive:
        figures = one.figures
        row = (
            plain(one.name) + (" (drains)" if one.is_draining else ""),
            *(count(figures.sites), count(figures.flying), count(one.used_requests)),
            *(count(one.finds), duration(figures.cpu_s), size(figures.memory_bytes)),
            f"{duration(one.quiet_s)} ago",
        )
        rows.append((*row, f"{rates.get(one.name, 0.0):.1f}") if rates is not None else row)
    lines = [f"{counted(len(alive), 'worker')} at work, {gone} gone."]
    return [*lines, *_table(rows)] if alive else lines


def _sites(listed: Sequence[Standing]) -> list[str]:
    if not listed:
        return []
    rows = [("site", "requests", "received", "files", "CPU", "kept", "how it stands")]
    for one in listed:
        at_work = f"at work with {one.owner}" if one.owner else "may go on"
        how = f"{one.state}: {one.note}" if one.note else one.state
        rows.append(
            (
                *(plain(one.name), count(one.requests), size(one.bytes), count(one.finds)),
                *(duration(one.cpu_s), size(one.stored_bytes), plain(how or at_work)),
            )
        )
    return _table(rows, last_is_text=True)


def _table(rows: Sequence[tuple[str, ...]], *, last_is_text: bool = False) -> list[str]:
    """Return rows as lines, the columns as wide as they need to be, figures to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [f"{row[0]:<{widths[0]}}"]
        cells += [f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True)]
        if last_is_text:
            cells[-1] = row[-1]
        lines.append("  ".join(cells).rstrip())
    return lines
