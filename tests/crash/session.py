"""One session of a run, in a process of its own that may be killed: begin or go on, to the end.

Usage: session.py RUN SIZE (LOG | http://HOST:PORT) [limit=FILE_SIZE | die=SEAM | stall=REQUESTS]
"""

import asyncio
import json
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import filon.run.archive
import filon.run.folder
from crash.seams import die_at
from crash.walk import ROOT, Maze, Walk
from filon.core import Account, Budget, FilonError, Request, Response, Web, drive
from filon.run.folder import RunFolder

PARALLEL = 8
# Small, so that a short run has checkpoints and several archive files to be killed in.
filon.run.folder.EVERY_ANSWERS = 20
filon.run.archive.LIMIT_BYTES = 100_000


class Loopback:
    """As little of HTTP as the test's own server needs."""

    async def fetch(self, request: Request) -> Response:
        host, _, path = request.url.removeprefix("http://").partition("/")
        name, _, port = host.partition(":")
        reader, writer = await asyncio.open_connection(name, int(port))
        writer.write(f"GET /{path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        if not head:
            return Response(url=request.url, error="closed")
        status, *lines = head.decode().split("\r\n")
        pairs = (line.partition(": ") for line in lines)
        return Response(
            url=request.url,
            status=int(status.split()[1]),
            headers=tuple((name, value) for name, _, value in pairs),
            body=body,
            size_bytes=len(body),
            wire_bytes=len(body),
        )

    async def close(self) -> None:
        pass


class Stalling:
    """Answers so many requests, then none: a session waits there to be killed."""

    def __init__(self, web: Web, requests: int) -> None:
        self._web, self._left = web, requests

    async def fetch(self, request: Request) -> Response:
        response = await self._web.fetch(request)
        self._left -= 1
        if self._left < 0:
            await asyncio.Event().wait()
        return response

    async def close(self) -> None:
        await self._web.close()


def sit(path: Path, size: int, where: str, stall: int = 0) -> dict[str, object]:
    """Begin a run, or go on with it, to its end."""
    live = where.startswith("http")
    strategy = Walk(where if live else ROOT)
    web: Web = Loopback() if live else Maze(size, Path(where))
    web = Stalling(web, stall) if stall else web
    run = (
        RunFolder.open(path)
        if (path / "run.toml").exists()
        else RunFolder.create(path, {"verb": "walk"})
    )
    again = run.rewind(strategy)
    account = Account(Budget(), PARALLEL, run.spent)
    stopped = asyncio.run(drive(strategy, web, account, run, parallel=PARALLEL, again=again))
    run.finish(stopped, strategy)
    requests = run.spent.requests
    run.close()
    return {"stopped": stopped, "state": strategy.state(), "requests": requests}


if __name__ == "__main__":
    kind, _, value = sys.argv[4].partition("=") if len(sys.argv) > 4 else ("", "", "")
    if kind == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(value), int(value)))
    if kind == "die":
        die_at(value)
    try:
        stall = int(value) if kind == "stall" else 0
        print(json.dumps(sit(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], stall)))
    except FilonError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
