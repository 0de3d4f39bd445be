"""A small HTTP server on loopback, for programs on the same machine that want our data."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from filon.core import MachineError

LOOPBACK = "127.0.0.1"
#: A batch of a thousand names is a tenth of it.
MAX_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back."""

    body: bytes
    mime: str = "application/json"
    status: int = 200


Handler = Callable[[str, Mapping[str, str]], Reply]


async def serve(
    handler: Handler,
    port: int,
    *,
    ready: Callable[[int], None],
    halt: asyncio.Event,
) -> None:
    """Hand each request to a handler, as its path and its parameters, until halted.

    ready: called with the port, once requests are taken.
    """

    async def answer(request: web.Request) -> web.Response:
        form = await request.post() if request.method == "POST" else {}
        given = dict(request.query) | {key: str(value) for key, value in form.items()}
        reply = handler(request.path, given)
        return web.Response(
            body=reply.body,
            status=reply.status,
            content_type=reply.mime,
            charset="utf-8",
            headers={"Access-Control-Allow-Origin": "*"},
        )

    app = web.Application(client_max_size=MAX_BYTES)
    app.router.add_route("GET", "/{path:.*}", answer)
    app.router.add_route("POST", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, LOOPBACK, port)
        try:
            await site.start()
        except OSError as error:
            raise MachineError(f"Port {port} cannot be had: {error.strerror}.") from error
        ready(runner.addresses[0][1])
        await halt.wait()
    finally:
        await runner.cleanup()
