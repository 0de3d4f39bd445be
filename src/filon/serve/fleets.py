"""Fleets of this folder: how each stands, and the orders that it may be given."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import quote

from aiohttp import web

from filon.core import FilonError
from filon.core.background import in_thread
from filon.fleet.locations import fleets as known
from filon.fleet.model import Overview
from filon.fleet.store import Store, opened
from filon.serve.home import HOME
from filon.serve.page import fragment, page

routes = web.RouteTableDef()
#: So many sites, and so many events, are shown of a fleet.
SHOWN = 20
Order = Literal["pause", "go", "retry", "drain"]
ORDERS: tuple[str, ...] = get_args(Order)
#: A page does not wait long for a server that is away.
PATIENCE_S = 2.0


@dataclass(frozen=True)
class Line:
    """A fleet in the list; why: its store cannot be read."""

    name: str
    seen: Overview | None = None
    why: str = ""


@routes.get("/fleets")
async def fleets(request: web.Request) -> web.Response:
    """List the fleets of the folder."""
    home = request.app[HOME].folder
    lines = await listed(home)
    # A command tells of one: the latest.
    command = _status(home / lines[0].name) if lines else ["filon", "fleet", "run", "--help"]
    return await page(request, "fleets.html", lines=lines, command=command)


async def listed(home: Path) -> list[Line]:
    """Return the fleets of a folder, the latest first."""
    return [await _line(name, store) for name, store in (await in_thread(known, home)).items()]


def _status(folder: Path) -> list[str]:
    return ["filon", "fleet", "status", "--store", str(folder)]


async def _line(name: str, address: str) -> Line:
    try:
        async with opened(address, patience_s=PATIENCE_S) as store:
            return Line(name, await store.overview())
    except FilonError as error:
        return Line(name, why=str(error))


@routes.get("/fleets/{fleet}")
async def fleet(request: web.Request) -> web.Response:
    """Show how a fleet stands; its figures are looked at anew by themselves."""
    name, address = await _named(request)
    async with opened(address, patience_s=PATIENCE_S) as store:
        told = await _told(store)
    command = _status(request.app[HOME].folder / name)
    return await page(request, "fleet.html", name=name, command=command, **told)


@routes.get("/fleets/{fleet}/state")
async def state(request: web.Request) -> web.Response:
    """Return the part of the page that changes."""
    name, address = await _named(request)
    async with opened(address, patience_s=PATIENCE_S) as store:
        return await fragment(request, "fleet_state.html", name=name, **await _told(store))


@routes.post("/fleets/{fleet}")
async def order(request: web.Request) -> web.Response:
    """Pause a fleet or let it go on, drain a worker, try sites again."""
    name, address = await _named(request)
    form = await request.post()
    asked = str(form.get("do", ""))
    if asked not in ORDERS:
        raise web.HTTPBadRequest
    async with opened(address, patience_s=PATIENCE_S) as store:
        await give(store, asked, str(form.get("worker", "")))
    raise web.HTTPSeeOther(f"/fleets/{quote(name, safe='')}")


async def give(store: Store, order: str, worker: str) -> None:
    """Give a fleet one of ORDERS. worker: the one that is to drain."""
    if order == "retry":
        await store.retry()
    elif order == "drain":
        await store.drain(worker)
    else:
        await store.pause(order == "pause")


async def _named(request: web.Request) -> tuple[str, str]:
    name = request.match_info["fleet"]
    return name, await store_named(request.app[HOME].folder, name)


async def store_named(home: Path, name: str) -> str:
    """Return the store of a fleet by its name, one of those that are there; 404 where none is."""
    there = await in_thread(known, home)
    if name not in there:
        raise web.HTTPNotFound
    return there[name]


async def _told(store: Store) -> dict[str, Any]:
    events = await store.events(-1, limit=SHOWN)
    return {
        "seen": await store.overview(),
        "workers": [one for one in await store.workers() if one.is_alive],
        "dead": await store.dead_letters(SHOWN),
        "costs": await store.costliest(SHOWN),
        "events": [
            (f"{datetime.fromtimestamp(one.at_s):%Y-%m-%d %H:%M:%S}", one)
            for one in reversed(events)
        ],
    }
