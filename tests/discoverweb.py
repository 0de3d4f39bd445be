"""The small web of toydiscovery on loopback: many hosts behind one port, and a SearXNG among them.

Everything is asked for by --connect-to, so that hosts have names. The log tells host and target.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep
from urllib.parse import parse_qs, urlsplit

from filon.testing.discovery import MOVED, PAGES, keyword
from patience import PATIENCE_S

SEARCH = "search.example"
Answer = tuple[int, Mapping[str, str], bytes]
HTML, JSON = {"Content-Type": "text/html"}, {"Content-Type": "application/json"}


def searxng(target: str, results: list[str] | None = None) -> Answer:
    """Answer as a SearXNG that knows two thirds of the pages, or with these results."""
    asked = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
    page = int(asked.get("pageno", "1"))
    every = keyword(asked["q"])[:30] if results is None else results
    found = every[10 * page - 10 : 10 * page]
    rows = [{"url": url, "title": url, "content": ""} for url in found]
    told = {"query": asked["q"], "results": rows, "unresponsive_engines": []}
    return 200, JSON, json.dumps(told).encode()


#: How else a service may answer, by name.
FAILURES: dict[str, Answer] = {
    "captcha": (200, HTML, b"<!doctype html><title>Just a moment</title>Are you human?"),
    "down": (500, HTML, b"oops"),
    "quota": (429, JSON | {"Retry-After": "3600"}, b'{"error": "Too many requests"}'),
    "empty": (200, JSON, b'{"results": [], "unresponsive_engines": []}'),
    "key": (401, JSON, b'{"message": "Invalid token."}'),
}


@dataclass
class Served:
    """The running web: where it is, what it was asked, and with which headers."""

    port: int
    log: list[tuple[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    arrival: threading.Condition = field(default_factory=threading.Condition)
    results: list[str] | None = None  # what a search brings, in place of what it would
    flying: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)  # in flight at a time, by host, and "all"

    def count(self, host: str, number: int) -> None:
        for name in (host, "all"):
            self.flying[name] += number
            self.most[name] = max(self.most[name], self.flying[name])

    @property
    def here(self) -> tuple[str, ...]:
        """The options that send every request here, at once."""
        return ("--connect-to", f"::127.0.0.1:{self.port}", "--delay", "0")

    def to(self, host: str) -> list[str]:
        """What a host was asked for, robots.txt left out."""
        return [
            target for name, target in list(self.log) if name == host and "robots" not in target
        ]

    def counts(self) -> Counter[tuple[str, str]]:
        return Counter(self.log)

    def wait_for(self, requests: int) -> None:
        with self.arrival:
            came = self.arrival.wait_for(lambda: len(self.log) >= requests, PATIENCE_S)
        assert came, f"there were {len(self.log)} requests, not {requests}"


@contextmanager
def serving(
    services: Mapping[str, str] | None = None,
    wait_s: float = 0.0,
    pages: Mapping[str, str] = PAGES,
) -> Iterator[Served]:
    """Serve until the block ends. services: hosts that fail, and how, by names of FAILURES."""
    failing = services or {}

    def answer(host: str, target: str) -> Answer:
        if host in failing and target != "/robots.txt":
            return FAILURES[failing[host]]
        if host in (SEARCH, "127.0.0.1") and target.startswith("/search"):
            return searxng(target, served.results)
        url = f"http://{host}{target}"
        if url in MOVED:
            return 302, HTML | {"Location": MOVED[url]}, b""
        page = pages.get(url)
        return (200, HTML, page.encode()) if page else (404, HTML, b"nothing here")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            host = self.headers["Host"].partition(":")[0]
            with served.arrival:
                served.log.append((host, self.path))
                served.headers.append(dict(self.headers))
                served.count(host, 1)
                served.arrival.notify_all()
            sleep(wait_s)
            status, headers, body = answer(host, self.path)
            with served.arrival:
                served.count(host, -1)
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                self.close_connection = True  # the client was killed

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a killed client resets its connection

    server = Server(("127.0.0.1", 0), Handler)
    served = Served(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def mirror(folder: Path) -> Path:
    """Write the pages as files that say where they are from, for the engine over one's own."""
    folder.mkdir()
    for number, (url, page) in enumerate(sorted(PAGES.items())):
        said = page.replace("<head>", f'<head><link rel="canonical" href="{url}">')
        (folder / f"{number}.html").write_text(said, "utf-8")
    return folder
