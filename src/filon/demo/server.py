"""Serves the small web on loopback: HTTP/1.1 with keep-alive, told apart by the Host header.

    async with Server() as server: ...          # in an event loop
    with serving() as server: ...               # in a thread of its own
    python -m filon.demo.server --port 8000     # to look at it in a browser

It remembers every request, so that a test can count what a crawler really sent.
"""

import argparse
import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Self

from filon.demo import portal
from filon.demo.answer import Answer, text
from filon.demo.sites import answer

LOOPBACK = "127.0.0.1"
#: A request line with its headers; browsers send a tenth of it.
MAX_HEAD_BYTES = 32_768


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A request as the server saw it; `connection` counts connections from 1."""

    method: str
    host: str
    target: str
    status: int
    connection: int
    agent: str = ""

    @property
    def url(self) -> str:
        """The URL that was meant."""
        return f"http://{self.host}{self.target}"


class Server:
    """The small web on a port of 127.0.0.1; 0 takes a free one.

    default: the host that is meant where the Host header names none of the small web.
    """

    def __init__(self, port: int = 0, default: str = portal.HOST) -> None:
        self.port = port
        self.log: list[Visit] = []
        self._default = default
        self._connections = 0
        self._talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._server: asyncio.Server | None = None

    @property
    def connect_to(self) -> str:
        """The --connect-to rule that sends every host here."""
        return f"::{LOOPBACK}:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._accept, LOOPBACK, self.port, limit=MAX_HEAD_BYTES
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        talks = list(self._talks.items())
        for _, writer in talks:
            # Not a cancellation: asyncio's streams complain loudly about cancelled talks.
            writer.transport.abort()
        await asyncio.gather(*(talk for talk, _ in talks))

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None  # noqa: S101 - asyncio calls this in a task of its own
        self._talks[talk] = writer
        self._connections += 1
        try:
            with contextlib.suppress(ConnectionError):
                await self._converse(reader, writer, self._connections)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            del self._talks[talk]

    async def _converse(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: int
    ) -> None:
        open_ = True
        while open_:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                return  # the visitor left
            except asyncio.LimitOverrunError:
                writer.write(_wire(text("text/plain", "Too long.\n", 431), "GET", open_=False))
                return
            request = _Head.parse(head)
            found = self._answer(request)
            open_ = request.keeps_open and found.status != 400
            self._note(request, found, connection)
            writer.write(_wire(found, request.method, open_=open_))
            await writer.drain()

    def _answer(self, request: "_Head") -> Answer:
        if not request.method or "content-length" in request.headers:
            return text("text/plain", "Not understood.\n", 400)
        if request.method not in ("GET", "HEAD"):
            return text("text/plain", "Only GET and HEAD.\n", 405)
        accept = request.headers.get("accept", "")
        return answer(f"http://{self._host(request)}{request.target}", accept)

    def _host(self, request: "_Head") -> str:
        host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
        return host if host.endswith(".test") else self._default

    def _note(self, request: "_Head", found: Answer, connection: int) -> None:
        self.log.append(
            Visit(
                method=request.method,
                host=self._host(request),
                target=request.target,
                status=found.status,
                connection=connection,
                agent=request.headers.get("user-agent", ""),
            )
        )


@dataclass(frozen=True, slots=True)
class _Head:
    """A request line with its headers; the method is empty where it makes no sense."""

    method: str
    target: str
    version: str
    headers: dict[str, str]

    @classmethod
    def parse(cls, head: bytes) -> Self:
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        words = first.split(" ")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        if len(words) != 3 or not words[1].startswith("/"):
            return cls("", "", "", headers)
        return cls(words[0], words[1], words[2], headers)

    @property
    def keeps_open(self) -> bool:
        asked = self.headers.get("connection", "").lower()
        return asked != "close" if self.version == "HTTP/1.1" else asked == "keep-alive"


def _wire(found: Answer, method: str, *, open_: bool) -> bytes:
    lines = [f"HTTP/1.1 {found.status} {HTTPStatus(found.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in found.headers]
    lines += [f"Content-Length: {len(found.body)}"]
    lines += ["Connection: keep-alive" if open_ else "Connection: close"]
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    return head if method == "HEAD" else head + found.body


@contextlib.contextmanager
def serving(port: int = 0) -> Iterator[Server]:
    """Serve from a thread of its own for as long as the block lasts."""
    server = Server(port)
    up, loop = threading.Event(), asyncio.new_event_loop()
    done = asyncio.Event()
    failures: list[OSError] = []

    async def serve() -> None:
        try:
            async with server:
                up.set()
                await done.wait()
        except OSError as error:  # the port is taken: said where the block begins
            failures.append(error)
            up.set()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), name="small-web")
    thread.start()
    up.wait()
    try:
        if failures:
            raise failures[0]
        yield server
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="Serve Filon's small web on loopback.")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--site", default=portal.HOST, help="the site that a browser sees")
    asked = parser.parse_args()

    async def serve() -> None:
        async with Server(asked.port, asked.site) as server:
            print(f"http://{LOOPBACK}:{server.port}/ (Ctrl-C ends it)", flush=True)
            await asyncio.Event().wait()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())


if __name__ == "__main__":
    main()
