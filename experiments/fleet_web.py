"""Many small sites on one port of loopback, told apart by the name of their host, with a log.

A site has a few pages of links and a few files; which, its name says. The log has when each request
came and when its answer was whole, so that it tells who was asked by two at once.

Usage: python -m experiments.fleet_web LOG WAIT_S, which prints its port.
"""

import asyncio
import hashlib
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO


def pages_of(host: str) -> dict[str, tuple[str, bytes]]:
    """Return what a site has: by path, its type and its body."""
    number = int(hashlib.sha256(host.encode()).hexdigest(), 16)
    width, files = 2 + number % 4, 2 + number // 7 % 5
    pages: dict[str, tuple[str, bytes]] = {}
    lists = [f"/list{one}.html" for one in range(width)]
    pages["/"] = _page(f"Data of {host}", lists)
    for place, path in enumerate(lists):
        names = [f"/files/{place}-{one}.csv" for one in range(files)]
        pages[path] = _page(f"List {place}", [*names, *lists])
        for name in names:
            rows = "\n".join(f"{host},{name},{row}" for row in range(20))
            pages[name] = ("text/csv", f"site,file,row\n{rows}\n".encode())
    return pages


def _page(title: str, links: list[str]) -> tuple[str, bytes]:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    text = f"<html><head><title>{title}</title></head><body><ul>{items}</ul></body></html>"
    return "text/html", text.encode()


def files_of(host: str) -> set[str]:
    """Return the hashes of the files of a site."""
    return {
        hashlib.sha256(body).hexdigest()
        for kind, body in pages_of(host).values()
        if kind == "text/csv"
    }


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it."""

    host: str
    target: str
    began_s: float
    ended_s: float


class Web:
    """Serves sites; an answer takes `wait_s`. log: a file that gets a line a request."""

    def __init__(self, wait_s: float = 0.0, log: TextIO | None = None) -> None:
        self.wait_s, self._log = wait_s, log
        self.asked: list[Asked] = []
        self.pages: dict[str, dict[str, tuple[str, bytes]]] = {}  # made as they are asked for

    async def serve(self) -> tuple[asyncio.Server, int]:
        """Begin; return the server and its port."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port: int = server.sockets[0].getsockname()[1]
        return server, port

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await self._answer(head.decode("latin-1"), writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, head: str, writer: asyncio.StreamWriter) -> None:
        began_s = time.monotonic()
        line, *rest = head.split("\r\n")
        method, target, _ = line.split(" ")
        host = next(text[6:] for text in rest if text.lower().startswith("host: ")).strip()
        name = host.partition(":")[0]
        if name not in self.pages:
            self.pages[name] = pages_of(name)
        kind, body = self.pages[name].get(target, ("", b"nothing here"))
        status = "200 OK" if kind else "404 Not Found"
        await asyncio.sleep(self.wait_s)
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind or 'text/plain'}"]
        lines += [f"Content-Length: {len(body)}", "", ""]
        told = Asked(name, target, began_s, time.monotonic())
        self.asked.append(told)
        if self._log:
            self._log.write(json.dumps(vars(told)) + "\n")
            self._log.flush()
        writer.write("\r\n".join(lines).encode() + (b"" if method == "HEAD" else body))
        await writer.drain()


@dataclass
class Serving:
    """A web on loopback, and what it was asked."""

    port: int
    web: Web
    hosts: list[str] = field(default_factory=list)

    @property
    def connect_to(self) -> str:
        """What leads all requests to it."""
        return f"::127.0.0.1:{self.port}"

    @property
    def asked(self) -> list[Asked]:
        """What it was asked so far."""
        return list(self.web.asked)


@contextmanager
def serving(wait_s: float = 0.0) -> Iterator[Serving]:
    """Serve sites from a thread until the block ends."""
    web, ready = Web(wait_s), threading.Event()
    told: dict[str, Any] = {}

    async def live() -> None:
        server, told["port"] = await web.serve()
        told["loop"], told["end"] = asyncio.get_running_loop(), asyncio.Event()
        ready.set()
        await told["end"].wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(live()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield Serving(told["port"], web)
    finally:
        told["loop"].call_soon_threadsafe(told["end"].set)
        thread.join()


def hosts(number: int) -> list[str]:
    """Return the names of so many sites."""
    return [f"site{one:03}.test" for one in range(number)]


def listed(path: Path, number: int) -> Path:
    """Write a list of sites."""
    path.write_text("".join(f"http://{host}/\n" for host in hosts(number)))
    return path


def at_once(asked: list[Asked]) -> list[tuple[Asked, Asked]]:
    """Return the pairs of requests to one host of which the second came before the first ended."""
    pairs, last = [], dict[str, Asked]()
    for one in sorted(asked, key=lambda each: each.began_s):
        before = last.get(one.host)
        if before and one.began_s < before.ended_s:
            pairs.append((before, one))
        last[one.host] = one
    return pairs


def repeated(asked: list[Asked]) -> int:
    """Return how many requests were for something that was asked for before."""
    return sum(times - 1 for times in Counter((one.host, one.target) for one in asked).values())


async def _main(log: TextIO, wait_s: float) -> None:
    _, port = await Web(wait_s, log).serve()
    print(port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    with Path(sys.argv[1]).open("a") as file:
        asyncio.run(_main(file, float(sys.argv[2])))
