"""A loopback HTTPS server that answers under any name, by a function of the request."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import trustme

AUTHORITY = trustme.CA()
Reply = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True)
class Call:
    """A request as the service sees it."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""


@dataclass
class Serving:
    """A running server, what it was asked, and how it is reached."""

    port: int
    calls: list[Call] = field(default_factory=list)

    @property
    def rule(self) -> str:
        return f"::127.0.0.1:{self.port}"


@contextmanager
def serving(reply: Callable[[Call], Reply], *hosts: str) -> Iterator[Serving]:
    """Answer requests for the hosts until the block ends; http without any host."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            params = dict(parse_qsl(parts.query, keep_blank_values=True))
            call = Call(self.command, parts.path, params, headers, body)
            served.calls.append(call)
            status, more, answer = reply(call)
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if hosts:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        AUTHORITY.issue_cert(*hosts).configure_cert(context)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    served = Serving(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
