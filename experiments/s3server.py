"""A server that speaks the protocol of S3: moto's, a process of its own on loopback.

It keeps what it has in memory. In front of it stands a gate that can refuse for a while, as a
store that is overloaded does: moto's server cannot.
"""

import http.client
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from urllib.request import Request, urlopen

#: How long anything of it may take.
PATIENCE_S = 120.0
#: moto takes any key; obstore wants one.
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
_BUSY = b'<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'
_HOP = ("connection", "transfer-encoding", "server", "date", "content-length")


class NoS3Error(Exception):
    """There is no server that speaks S3."""


@dataclass
class S3:
    """The server: its address, and what it was asked."""

    url: str
    asked: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    _until_s: float = 0.0

    def bucket(self, name: str) -> str:
        """Make a bucket; return its address as `--blobs` takes it."""
        asked = Request(f"{self.url}/{name}", method="PUT")  # noqa: S310, on loopback
        urlopen(asked, timeout=PATIENCE_S).close()  # noqa: S310, the same
        return f"s3://{name}"

    def environment(self) -> dict[str, str]:
        """Return the variables that lead a process here."""
        return {**KEYS, "AWS_ENDPOINT_URL": self.url, "AWS_ALLOW_HTTP": "true"}

    def refuse(self, seconds: float) -> None:
        """Answer 503 to everything, for so long from now."""
        self._until_s = time.monotonic() + seconds

    def is_busy(self) -> bool:
        """Tell whether it refuses now."""
        return time.monotonic() < self._until_s


def _command() -> list[str]:
    """Return how moto's server is started: its own environment first, else this one."""
    apart = Path(__file__).resolve().parents[1] / ".venv/s3/bin/moto_server"
    if apart.exists():
        return [str(apart)]
    if find_spec("moto") is None:
        raise NoS3Error("There is no S3 server (moto) on this machine")
    return [sys.executable, "-m", "moto.server"]


def _handler(server: S3, port: int) -> type[BaseHTTPRequestHandler]:
    class Gate(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length)
            server.asked[self.command] += 1
            if server.is_busy():
                server.refused += 1
                self._answer(503, [("Content-Type", "application/xml")], _BUSY)
                return
            behind = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            behind.request(self.command, self.path, body, dict(self.headers))
            answer = behind.getresponse()
            told = [(name, value) for name, value in answer.getheaders()]
            self._answer(answer.status, told, answer.read(), answer.getheader("Content-Length"))
            behind.close()

        def _answer(
            self, status: int, told: list[tuple[str, str]], body: bytes, length: str | None = None
        ) -> None:
            self.send_response(status)
            for name, value in told:
                if name.lower() not in _HOP:
                    self.send_header(name, value)
            size = length if self.command == "HEAD" and length else str(len(body))
            self.send_header("Content-Length", size)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _pass  # noqa: N815 - by their names

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: what was asked is counted."""

    return Gate


class _Quiet(ThreadingHTTPServer):
    """Says nothing of clients that were killed."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Let it pass."""


@contextmanager
def serving() -> Iterator[S3]:
    """Start the server and its gate; stop both, by their own handles."""
    process = subprocess.Popen(  # noqa: S603, moto
        [*_command(), "-H", "127.0.0.1", "-p", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    said = process.stderr
    if said is None:
        raise NoS3Error("Nothing is heard of moto's server")
    try:
        line = next((line for line in said if "Running on http://" in line), "")
        if not line:
            raise NoS3Error("moto's server did not begin")
        # What it says of each request has to go somewhere, or it waits for a reader.
        threading.Thread(target=lambda: [None for _ in said], daemon=True).start()
        behind = int(line.rpartition(":")[2].strip().rstrip("/"))
        server = S3("")
        gate = _Quiet(("127.0.0.1", 0), _handler(server, behind))
        gate.daemon_threads = True
        server.url = f"http://127.0.0.1:{gate.server_address[1]}"
        threading.Thread(target=gate.serve_forever, daemon=True).start()
        yield server
        gate.shutdown()
        gate.server_close()
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        said.close()
