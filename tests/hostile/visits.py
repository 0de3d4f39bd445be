"""Visiting the hostile server: what the tests of this folder share."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import uvloop

from filon.core import Request, Response
from filon.web import Live, Options
from hostile.server import Server
from patience import PATIENCE_S

#: Patience of a second, so that the slow vices are over soon, and nobody else is slow.
SOON: dict[str, Any] = {
    "connect_s": 2.0,
    "idle_s": 1.0,
    "head_s": 1.5,
    "slow_s": 1.0,
    "slow_bytes_s": 1000.0,
}
#: Failures are found at different places in the two loops that the command line may use.
LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.new_event_loop,
    "uvloop": uvloop.new_event_loop,
}
T = TypeVar("T")


def play(
    scene: Callable[[Server, Live], Awaitable[T]], *, loop: str = "asyncio", **options: Any
) -> T:
    """Run a scene between a hostile server and a client of short patience."""

    async def run() -> T:
        async with Server(tick_s=0.02) as server:
            web = Live(Options(connect_to=(server.rule,), **{**SOON, **options}))
            try:
                return await asyncio.wait_for(scene(server, web), PATIENCE_S)
            finally:
                await web.close()

    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        return runner.run(run())


def visit(target: str, *, spool_dir: Path | None = None, **options: Any) -> Response:
    """Fetch a target, then a good page with the same client, which must still work."""

    async def scene(server: Server, web: Live) -> Response:
        answer = await web.fetch(Request(url=server.url(target)))
        after = await web.fetch(Request(url=server.url("/files/table-00.csv")))
        assert (after.status, after.error, after.mime) == (200, "", "text/csv"), after
        assert server.targets() == [target, "/files/table-00.csv"], "nothing is sent twice"
        return answer

    return play(scene, spool_dir=str(spool_dir or ""), **options)
