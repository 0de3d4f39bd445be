"""A small real site on loopback for tests of the whole program, with its own log."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from patience import PATIENCE_S


@dataclass(frozen=True, kw_only=True)
class Page:
    """What the server answers for a path."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/html"})
    wait_s: float = 0.0


@dataclass
class Loopback:
    """A running server: where it is, and what it was asked."""

    port: int
    log: list[tuple[str, str, float]] = field(default_factory=list)  # method, target, time
    headers: list[dict[str, str]] = field(default_factory=list)
    gone: bool = False
    arrival: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def targets(self) -> list[str]:
        return [target for _, target, _ in list(self.log)]

    def counts(self) -> Counter[str]:
        return Counter(f"{method} {target}" for method, target, _ in list(self.log))

    def wait_for(self, requests: int, timeout_s: float = PATIENCE_S) -> None:
        with self.arrival:
            came = self.arrival.wait_for(lambda: len(self.log) >= requests, timeout_s)
        assert came, f"the server saw {len(self.log)} requests, not {requests}"


@contextmanager
def serving(pages: Mapping[str, Page], wait_s: float = 0.0, port: int = 0) -> Iterator[Loopback]:
    """Serve pages until the block ends; each answer takes `wait_s` at least."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            if loopback.gone:
                self.close_connection = True
                return
            with loopback.arrival:
                loopback.log.append((self.command, self.path, time.monotonic()))
                loopback.headers.append(dict(self.headers))
                loopback.arrival.notify_all()
            page = pages.get(self.path, Page(status=404, body=b"<p>nothing here</p>"))
            time.sleep(wait_s + page.wait_s)
            if (etag := page.headers.get("ETag")) and self.headers.get("If-None-Match") == etag:
                page = Page(status=304, headers={"ETag": etag})
            try:
                self.send_response(page.status)
                for name, value in page.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(page.body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(page.body)
            except OSError:
                self.close_connection = True  # the client was killed

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a killed client resets its connection

    server = Server(("127.0.0.1", port), Handler)
    loopback = Loopback(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield loopback
    finally:
        loopback.gone = True
        server.shutdown()
        server.server_close()
        thread.join()


def html(*hrefs: str, title: str = "page") -> Page:
    """Return a page with links."""
    links = "".join(f'<li><a class="row" href="{href}">{href}</a></li>' for href in hrefs)
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    return Page(body=f"{head}<body><ul>{links}</ul></body></html>".encode())


def csv(seed: str = "a") -> Page:
    """Return a data file."""
    rows = "".join(f"{seed}{number},{number * number}\n" for number in range(30))
    return Page(body=f"name,value\n{rows}".encode(), headers={"Content-Type": "text/csv"})


def portal(lists: int = 5, items: int = 10) -> dict[str, Page]:
    """Return a portal: lists of items, each item a page with a data file."""
    pages = {"/": html(*(f"/list/{i}" for i in range(lists)), "/private/", "/gone")}
    for i in range(lists):
        pages[f"/list/{i}"] = html(*(f"/item/{i}-{j}" for j in range(items)))
        for j in range(items):
            pages[f"/item/{i}-{j}"] = html("/", f"/data/{i}-{j}.csv")
            pages[f"/data/{i}-{j}.csv"] = csv(f"{i}-{j}-")
    pages["/private/"] = html("/data/secret.csv")
    pages["/data/secret.csv"] = csv("secret")
    pages["/robots.txt"] = Page(
        body=b"User-agent: *\nDisallow: /private/\n", headers={"Content-Type": "text/plain"}
    )
    return pages
