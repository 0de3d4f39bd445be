"""A front before any server of the tests: it hands requests on, and fails as it is told.

It has the log that counts: what was asked, and what was answered whole. Everything is sent to it by
--connect-to, so that no run knows of it.
"""

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from patience import PATIENCE_S

#: What may befall a request; "refused" befalls the listening socket.
FAULTS = ("refused", "closed", "reset", "silent", "cut", "500", "502", "503", "429")
_PASSED_ON = ("Content-Type", "Location", "Content-Encoding", "ETag", "Last-Modified")


@dataclass
class Front:
    """Where it is, when it fails and how, and what it was asked.

    first: the number of the request, from 0, that fails first. lasts: how many do; 0: until
    `repair` is called. retry_after: the header of a refusal, in seconds.
    """

    behind: int
    port: int = 0
    fault: str = ""
    first: int = 0
    lasts: int = 0
    retry_after: int = 0
    count: int = 0
    log: list[tuple[str, str, str]] = field(default_factory=list)  # method, URL, what befell it
    lock: threading.Lock = field(default_factory=threading.Lock)
    released: threading.Event = field(default_factory=threading.Event)
    server: ThreadingHTTPServer | None = None
    connections: set[socket.socket] = field(default_factory=set)

    @property
    def rule(self) -> str:
        """The rule of --connect-to that leads everything here."""
        return f"::127.0.0.1:{self.port}"

    @property
    def whole(self) -> set[str]:
        """The URLs that were answered well, and whole."""
        return {url for _, url, befell in list(self.log) if befell == "200"}

    def break_at(self, first: int, fault: str, lasts: int = 0, retry_after: int = 0) -> None:
        """Fail from a request on, counted from now."""
        self.released.clear()
        with self.lock:
            self.first, self.lasts = self.count + first, lasts
            self.fault, self.retry_after = fault, retry_after

    def repair(self) -> None:
        """Be well again."""
        with self.lock:
            self.fault = ""
        self.released.set()
        if self.server is None:
            self.listen()

    def next_fault(self, method: str, url: str) -> str:
        """Count a request; return what befalls it."""
        with self.lock:
            number, self.count = self.count, self.count + 1
            past = self.lasts and number >= self.first + self.lasts
            fault = "" if past or number < self.first else self.fault
            if fault:
                self.log.append((method, url, fault))
        return fault

    def listen(self) -> None:
        """Begin to listen, at the same port as before."""
        self.server = _Server(("127.0.0.1", self.port), _handler(self))
        self.port = self.server.server_address[1]
        threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()

    def refuse(self) -> None:
        """Stop listening, and drop all connections."""
        server, self.server = self.server, None
        if server is None:
            return
        server.shutdown()
        server.server_close()
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        if self.lasts:  # requests cannot be counted by who does not listen
            threading.Timer(0.05 * self.lasts, self.repair).start()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        pass


def _handler(front: Front) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            front.connections.add(self.connection)

        def finish(self) -> None:
            front.connections.discard(self.connection)
            with suppress(OSError):
                super().finish()

        def do_GET(self) -> None:
            url = f"http://{self.headers['Host']}{self.path}"
            fault = front.next_fault(self.command, url)
            with suppress(OSError):
                if fault:
                    self._fail(fault)
                else:
                    self._answer(url)
                return
            self.close_connection = True

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_POST(self) -> None:
            self.do_GET()

        def _fail(self, fault: str) -> None:
            self.close_connection = True
            if fault == "refused":
                front.refuse()
            elif fault == "reset":
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
            elif fault == "silent":
                front.released.wait(PATIENCE_S)
            elif fault == "cut":
                self._send(200, {"Content-Type": "text/html"}, b"<p>half", length=5000)
            elif fault.isdigit():
                self._send(int(fault), {"Retry-After": str(front.retry_after)}, b"no")

        def _answer(self, url: str) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            behind = http.client.HTTPConnection("127.0.0.1", front.behind, timeout=PATIENCE_S)
            try:
                behind.putrequest(
                    self.command, self.path, skip_host=True, skip_accept_encoding=True
                )
                for name, value in self.headers.items():
                    if name.lower() not in ("connection", "accept-encoding"):
                        behind.putheader(name, value)
                behind.endheaders(self.rfile.read(length) if length else None)
                answer = behind.getresponse()
                body = answer.read()
            finally:
                behind.close()
            headers = {n: answer.headers[n] for n in _PASSED_ON if n in answer.headers}
            self._send(answer.status, headers, body)
            with front.lock:
                front.log.append((self.command, url, str(answer.status)))

        def _send(
            self, status: int, headers: dict[str, str], body: bytes, length: int = -1
        ) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) if length < 0 else length))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    return Handler


@contextmanager
def fronting(behind: int) -> Iterator[Front]:
    """Stand before the server at a port until the block ends."""
    front = Front(behind)
    front.listen()
    try:
        yield front
    finally:
        front.repair()
        server = front.server
        if server:
            server.shutdown()
            server.server_close()
