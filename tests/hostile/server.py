"""A loopback server of named misbehaviours, with a site full of traps round thirty real files.

`/vice/NAME` misbehaves as vices.py says; every other path is a page of site.py. Each request is
noted in `log` before it is answered, so that tests can count what a client really sent.
"""

import asyncio
import contextlib
import json
import ssl
import time
from dataclasses import asdict, dataclass, field
from typing import Self

from hostile.site import page
from hostile.vices import VICES


@dataclass(frozen=True, slots=True)
class Entry:
    """One request as the server saw it. t: monotonic; connection: counted from 1."""

    t: float
    connection: int
    method: str
    host: str
    target: str
    headers: dict[str, str]


@dataclass(slots=True)
class Call:
    """A request and the means to answer it, well or badly."""

    server: "Server"
    entry: Entry
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()
        await asyncio.sleep(0)  # the client may live in the same loop: let it run

    async def reply(
        self,
        body: bytes = b"",
        *,
        status: int = 200,
        mime: str = "text/html; charset=utf-8",
        headers: tuple[str, ...] = (),
    ) -> None:
        """Answer as an honest server would."""
        lines = [f"HTTP/1.1 {status} Whatever", *headers, f"Content-Length: {len(body)}"]
        lines += [f"Content-Type: {mime}"] if mime else []
        body = b"" if self.entry.method == "HEAD" else body
        await self.send("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    async def tick(self) -> None:
        await asyncio.sleep(self.server.tick_s)

    def close(self) -> None:
        self.writer.close()


@dataclass(slots=True)
class Server:
    """Listens on 127.0.0.1 while it is entered.

    robots: how /robots.txt behaves, a name in site.ROBOTS or of a vice. tick_s: how long the slow
    vices wait between two bytes.
    """

    robots: str = "polite"
    tick_s: float = 1.0
    tls: ssl.SSLContext | None = None
    log: list[Entry] = field(default_factory=list)
    port: int = 0
    connections: int = 0
    open_connections: int = 0
    most_connections: int = 0
    _listener: asyncio.Server | None = None
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(
            self._accept, "127.0.0.1", self.port, ssl=self.tls
        )
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._listener
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def url(self, target: str, host: str = "hostile.test") -> str:
        return f"{'https' if self.tls else 'http'}://{host}{target}"

    @property
    def rule(self) -> str:
        """The rule of --connect-to that leads every host here."""
        return f"::127.0.0.1:{self.port}"

    def targets(self) -> list[str]:
        return [entry.target for entry in self.log]

    def lines(self) -> str:
        """The log as JSON lines."""
        return "".join(json.dumps(asdict(entry)) + "\n" for entry in self.log)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.ensure_future(self._converse(reader, writer, self.connections))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _converse(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int
    ) -> None:
        self.open_connections += 1
        self.most_connections = max(self.most_connections, self.open_connections)
        try:
            # The client may leave whenever it has had enough: that is what the vices provoke.
            with contextlib.suppress(OSError, EOFError, ssl.SSLError):
                while not writer.is_closing():
                    entry = await self._read(reader, number)
                    self.log.append(entry)
                    await self._answer(Call(self, entry, reader, writer))
        finally:
            self.open_connections -= 1
            writer.close()

    async def _read(self, reader: asyncio.StreamReader, number: int) -> Entry:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *fields = head.rstrip("\r\n").split("\r\n")
        method, target, _ = line.split(" ")
        headers = {
            name.lower(): value.strip() for name, _, value in (f.partition(":") for f in fields)
        }
        await reader.readexactly(int(headers.get("content-length", 0)))
        return Entry(time.monotonic(), number, method, headers.get("host", ""), target, headers)

    async def _answer(self, call: Call) -> None:
        target = call.entry.target
        if target == "/robots.txt" and self.robots in VICES:
            target = f"/vice/{self.robots}"
        vice = VICES.get(target.removeprefix("/vice/").partition("?")[0])
        if vice and target.startswith("/vice/"):
            await vice(call)
            return
        found = page(call.entry.target, self.robots)
        await call.reply(found.body, status=found.status, mime=found.mime, headers=found.headers)
