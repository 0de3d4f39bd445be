"""The one seam to the network."""

from dataclasses import replace
from typing import Protocol

from filon.core.request import Request
from filon.core.response import Response


class Web(Protocol):
    """Answers requests: live, from a recording, or by way of another Web."""

    async def fetch(self, request: Request) -> Response:
        """Answer a request. A remote failure is a Response, never an exception."""

    async def close(self) -> None:
        """Let go of connections and files."""


def hand_out(request: Request, whole: Response) -> Response:
    """Return what a request gets of an answer that is at hand whole, as a live web would cut it.

    >>> file = Response(url="http://a.org/x", status=200, body=b"1,2,3", size_bytes=5, wire_bytes=5)
    >>> cut = hand_out(Request(url="http://a.org/x", max_bytes=3), file)
    >>> cut.cut, cut.body, cut.size_bytes, cut.wire_bytes
    ('budget', b'', 5, 3)
    """
    if request.method == "HEAD":
        return replace(whole, body=b"", cut="", wire_bytes=0)
    if request.refuses(whole.mime):
        return replace(whole, body=b"", cut="type", wire_bytes=0)
    if 0 < request.max_bytes < whole.size_bytes and not whole.cut:
        begun = whole.body[: request.max_bytes] if request.begins else b""
        taken = min(request.max_bytes, whole.wire_bytes)
        return replace(whole, body=begun, cut="budget", wire_bytes=taken)
    return whole
