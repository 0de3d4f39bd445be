"""One exchange with the web while it lasts; every end of it becomes a Response."""

import asyncio
import math
import time
from collections.abc import Sequence

from filon.core import Request, Response
from filon.web.failure import LongHeadersError

#: All headers together; nothing honest needs more.
HEAD_BYTES = 256 * 1024


class Trip:
    """What is known of an exchange so far.

    began_s, end_s: when it began and must end, by the loop's clock; `clock` ends it earlier.
    """

    __slots__ = (
        "announced_bytes",
        "began_s",
        "clock",
        "end_s",
        "headers",
        "left_s",
        "request",
        "status",
        "wire_bytes",
    )

    clock: asyncio.Timeout

    def __init__(self, request: Request) -> None:
        self.request = request
        self.began_s = asyncio.get_running_loop().time()
        self.end_s = self.began_s + (request.max_s or math.inf)
        self.left_s = time.monotonic()
        self.status = 0
        self.headers: tuple[tuple[str, str], ...] = ()
        self.announced_bytes = 0
        self.wire_bytes = 0

    def begin(self, status: int, raw: Sequence[tuple[bytes, bytes]]) -> None:
        """Note the head of the answer."""
        size, headers = 0, []
        for name, value in raw:
            size += len(name) + len(value)
            headers.append((_text(name), _text(value)))
            if name.lower() == b"content-length" and value.isdigit() and len(value) < 20:
                self.announced_bytes = int(value)
        if size > HEAD_BYTES:
            raise LongHeadersError
        self.status, self.headers = status, tuple(headers)

    def grant(self, seconds: float) -> None:
        """Let it go on for some time from now."""
        self.clock.reschedule(min(asyncio.get_running_loop().time() + seconds, self.end_s))

    def is_over(self) -> bool:
        """Say whether the time of the request itself is up."""
        return self.clock.expired() and asyncio.get_running_loop().time() >= self.end_s

    def end(
        self,
        *,
        body: bytes = b"",
        error: str = "",
        detail: str = "",
        cut: str = "",
        size_bytes: int = 0,
        spool: str = "",
    ) -> Response:
        """Return the answer."""
        return Response(
            url=self.request.url,
            status=self.status,
            headers=self.headers,
            body=body,
            error=error,
            detail=detail,
            cut=cut,
            size_bytes=size_bytes,
            wire_bytes=self.wire_bytes,
            at_s=time.time(),
            took_s=time.monotonic() - self.left_s,
            spool=spool,
        )


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
