"""`filon fleet pause`, `drain` and `retry`."""

import json
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.fleet_look import PATIENCE_S, Where, located
from filon.core import UserError
from filon.fleet.store import opened
from filon.run.text import counted
from filon.verbs.session import run_here


def pause(
    store: Where = "",
    off: Annotated[bool, typer.Option("--off", help="Go on.")] = False,
    json_: o.Json = False,
) -> int:
    """Let a fleet send nothing more until it is told to go on: `filon fleet pause --off`.

    Requests that are on their way are still answered; workers stay, with their sites.

    Example: filon fleet pause
    """

    async def order() -> None:
        async with opened(located(store), patience_s=PATIENCE_S) as fleet:
            await fleet.settings()
            await fleet.pause(not off)

    run_here(order())
    _say({"paused": not off}, "It goes on." if off else "It pauses.", as_json=json_)
    return 0


def drain(
    workers: Annotated[
        list[str], typer.Argument(metavar="WORKER", help="As `filon fleet status` names them.")
    ],
    store: Where = "",
    json_: o.Json = False,
) -> int:
    """Let workers give their sites back and end, as before work on a machine.

    Example: filon fleet drain node-7-1
    """

    async def order() -> None:
        async with opened(located(store), patience_s=PATIENCE_S) as fleet:
            await fleet.settings()
            known = {one.name for one in await fleet.workers() if one.is_alive}
            if strange := [name for name in workers if name not in known]:
                named = ", ".join(sorted(known)) or "nobody"
                raise UserError(f"There is no worker {strange[0]!r} at work: there is {named}.")
            for name in workers:
                await fleet.drain(name)

    run_here(order())
    said = f"{counted(len(workers), 'worker')} will end when what is in flight has come."
    _say({"draining": workers}, said, as_json=json_)
    return 0


def retry(
    sites: Annotated[
        list[str] | None,
        typer.Argument(metavar="SITE", help="Their names; all that ended with a trouble."),
    ] = None,
    store: Where = "",
    json_: o.Json = False,
) -> int:
    """Let sites go on that ended with a trouble; `filon fleet status --dead` lists them.

    Example: filon fleet retry
    """

    async def order() -> int:
        async with opened(located(store), patience_s=PATIENCE_S) as fleet:
            await fleet.settings()
            return await fleet.retry(sites or None)

    number = run_here(order())
    if sites and not number:
        raise UserError(f"No site of that name ended with a trouble: {', '.join(sites)}.")
    _say({"retried": number}, f"{counted(number, 'site')} may go on.", as_json=json_)
    return 0


def _say(told: dict[str, object], sentence: str, *, as_json: bool) -> None:
    typer.echo(json.dumps(told) if as_json else sentence)
