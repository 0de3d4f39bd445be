"""HTTP as it is written: nothing is made polite, so that what is wrong arrives as it is."""

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser

#: How long an answer is waited for; one that takes longer is a finding elsewhere.
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Answer:
    """What a server said; status 0: it hung up."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    took_s: float = 0.0
    cookies: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    @property
    def is_sandboxed(self) -> bool:
        """Whether it is a page of its own, or a file: no frame and no form of ours works there."""
        return "sandbox" in self.headers.get("content-security-policy", "")

    @property
    def is_page(self) -> bool:
        """Whether a browser would show it as a page."""
        return self.headers.get("content-type", "").startswith("text/html")


@dataclass
class Target:
    """A server that is asked."""

    host: str
    port: int
    cookie: str = ""

    @property
    def name(self) -> str:
        """What it is called in the Host header."""
        return f"{self.host}:{self.port}"

    def ask(
        self,
        path: str,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        *,
        cookie: bool = True,
    ) -> Answer:
        """Ask, and return what comes. headers: instead of the usual ones, or besides them."""
        usual = {"Host": self.name, "Connection": "close"}
        if cookie and self.cookie:
            usual["Cookie"] = self.cookie
        if body or method in ("POST", "PUT", "DELETE"):
            usual["Content-Length"] = str(len(body))
        lines = [f"{name}: {value}" for name, value in {**usual, **(headers or {})}.items()]
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines]) + "\r\n\r\n"
        return self.send(head.encode("utf-8") + body)

    def send(self, *pieces: bytes) -> Answer:
        """Send bytes as they are; what the server does not take any more is left out."""
        began = time.monotonic()
        got = b""
        try:
            with socket.create_connection((self.host, self.port), PATIENCE_S) as line:
                try:
                    for piece in pieces:
                        line.sendall(piece)
                except ConnectionError:
                    pass  # it has seen enough, and may have said so
                while chunk := line.recv(1 << 16):
                    got += chunk
                    if _is_endless(got):
                        break
        except ConnectionError:
            pass
        except TimeoutError:
            return Answer(took_s=time.monotonic() - began)
        return _parsed(got, time.monotonic() - began)


def _is_endless(got: bytes) -> bool:
    """Say whether these are events that come as long as somebody listens."""
    head, end, body = got.partition(b"\r\n\r\n")
    return bool(end) and b"text/event-stream" in head.lower() and bool(body)


def _parsed(got: bytes, took_s: float) -> Answer:
    head, _, body = got.partition(b"\r\n\r\n")
    first, _, rest = head.partition(b"\r\n")
    words = first.split(b" ")
    if len(words) < 2 or not words[1].isdigit():
        return Answer(took_s=took_s)
    fields = BytesHeaderParser().parsebytes(rest)
    headers = {name.lower(): str(value) for name, value in fields.items()}
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = _joined(body)
    cookies = tuple(str(value) for value in fields.get_all("Set-Cookie", []))
    return Answer(int(words[1]), headers, body, took_s, cookies)


def _joined(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size.partition(b";")[0] or b"0", 16)
        if not length:
            break
        whole, body = whole + rest[:length], rest[length + 2 :]
    return whole
