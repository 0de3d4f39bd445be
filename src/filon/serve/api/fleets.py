"""Fleets in the API: how each stands, and the orders that it may be given."""

from dataclasses import dataclass
from typing import Annotated

from filon.fleet.model import Overview
from filon.fleet.store import opened
from filon.serve.api.operation import Call, Done, Operations
from filon.serve.fleets import PATIENCE_S, SHOWN, Line, Order, give, listed, store_named

operations = Operations("fleets")

Fleet = Annotated[str, "The name of the fleet's folder."]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetFigures:
    """How a fleet stands, in numbers. troubles: sites that ended with one."""

    is_paused: bool
    sites: int
    ended: int
    at_work: int
    troubles: int
    workers: int
    requests: int
    bytes: int
    finds: int
    cpu_s: float
    elapsed_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetLine:
    """A fleet of the folder. figures: null where its store cannot be read; problem says why."""

    fleet: str
    figures: FleetFigures | None
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetList:
    """The fleets, the latest first."""

    fleets: list[FleetLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A site that ended with a trouble."""

    site: str
    why: str
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetShown:
    """How a fleet stands. workers: the names of those at work. troubles: the first of them."""

    fleet: str
    figures: FleetFigures
    workers: list[str]
    troubles: list[Trouble]


@operations.get("/fleets")
async def list_fleets(call: Call) -> FleetList:
    """List the fleets of the folder, the latest first."""
    return FleetList(fleets=[_line(each) for each in await listed(call.home.folder)])


@operations.get("/fleets/{fleet}")
async def show_fleet(call: Call, fleet: Fleet) -> FleetShown:
    """Tell how a fleet stands, who works for it, and which sites ended with a trouble."""
    address = await store_named(call.home.folder, fleet)
    async with opened(address, patience_s=PATIENCE_S) as store:
        dead = await store.dead_letters(SHOWN)
        return FleetShown(
            fleet=fleet,
            figures=_figures(await store.overview()),
            workers=[one.name for one in await store.workers() if one.is_alive],
            troubles=[
                Trouble(site=one.name, why=one.note or one.state, requests=one.requests)
                for one in dead
            ],
        )


@operations.post("/fleets/{fleet}/orders")
async def order_fleet(
    call: Call,
    fleet: Fleet,
    order: Annotated[Order, "What it is to do."],
    worker: Annotated[str, "Which worker is to drain."] = "",
) -> Done:
    """Pause a fleet or let it go on, try sites again, or let a worker give its sites back."""
    address = await store_named(call.home.folder, fleet)
    async with opened(address, patience_s=PATIENCE_S) as store:
        await give(store, order, worker)
    return Done()


def _line(line: Line) -> FleetLine:
    figures = _figures(line.seen) if line.seen else None
    return FleetLine(fleet=line.name, figures=figures, problem=line.why)


def _figures(seen: Overview) -> FleetFigures:
    return FleetFigures(
        is_paused=seen.is_paused,
        sites=seen.sites,
        ended=seen.sites - seen.states.get("", 0),
        at_work=seen.held,
        troubles=seen.dead_letters,
        workers=seen.workers,
        requests=seen.requests,
        bytes=seen.bytes,
        finds=seen.finds,
        cpu_s=seen.cpu_s,
        elapsed_s=seen.elapsed_s,
    )
