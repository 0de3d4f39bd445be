"""The generated web on loopback, told apart by the Host header, for live runs.

    python -m experiments.discover.serve ../shared/data --port 8080 --registry known.jsonl
    filon discover "health" --connect-to ::127.0.0.1:8080 \
        --search searxng:url=http://searx.example --search registry:path=known.jsonl

It speaks HTTP only: what goes to services under https (Exa, Socrata's discovery API) fails here,
as services do.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from experiments.discover.web import DiscoverWeb
from filon.core import MachineError, Request
from filon.core.request import METHODS

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def serving(site: DiscoverWeb, port: int = 0) -> AsyncIterator[int]:
    """Serve a web on a port of loopback, 0 for any that is free; the port is handed out."""

    async def answer(asked: web.Request) -> web.Response:
        if asked.method not in METHODS:
            return web.Response(status=405)
        url = f"http://{asked.host.rpartition(':')[0] or asked.host}{asked.raw_path}"
        said = site.answer(Request(url=url, method=asked.method, body=await asked.read()))
        if said.error:
            return web.Response(status=502, text=f"{said.error}\n")
        return web.Response(status=said.status, headers=list(said.headers), body=said.body)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        place = web.TCPSite(runner, LOOPBACK, port)
        try:
            await place.start()
        except OSError as error:
            raise MachineError(f"Port {port} cannot be had: {error.strerror}.") from error
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def _serve(site: DiscoverWeb, port: int) -> None:
    async with serving(site, port) as taken:
        print(f"--connect-to ::{LOOPBACK}:{taken}", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="experiments.discover.serve", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--registry", type=Path, help="where to write the known catalogues")
    wanted = parser.parse_args()
    site = DiscoverWeb(wanted.data, wanted.seed)
    if wanted.registry:
        lines = "".join(f"{json.dumps(one)}\n" for one in site.known)
        wanted.registry.write_text(lines, encoding="utf-8")
    try:
        asyncio.run(_serve(site, wanted.port))
    except KeyboardInterrupt:
        print("stopped")


if __name__ == "__main__":
    main()
