"""Pages that change without being loaded again: server-sent events with pieces of the page.

A piece is sent when it differs from the one that was sent last. An event's id is what the pieces
were made of, so that a browser that comes back is told only what it has not seen. Nothing is read
while nobody looks.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

#: How often is looked whether something has changed; and at least so many times as long as a look
#: takes, so that a long ledger is not read all the time.
EVERY_S, RESTS = 0.5, 8.0
#: A sign of life, for proxies and for whoever waits.
BEAT_S = 15.0

#: What is looked at first, and cheap: it changes when pieces may have.
Mark = Callable[[], Awaitable[str]]
#: The pieces, by the names of their places on the page.
Pieces = Callable[[], Awaitable[Mapping[str, str]]]


async def live(request: web.Request, mark: Mark, pieces: Pieces) -> web.StreamResponse:
    """Send pieces of a page for as long as somebody looks at it."""
    response = web.StreamResponse(headers={"X-Accel-Buffering": "no"})
    response.content_type = "text/event-stream"
    await response.prepare(request)
    seen = request.headers.get("Last-Event-ID", "")
    with contextlib.suppress(ConnectionResetError):  # nobody looks any more
        await _send(response, seen, mark, pieces)
    return response


async def _send(response: web.StreamResponse, seen: str, mark: Mark, pieces: Pieces) -> None:
    sent: dict[str, str] = {}
    await response.write(b"retry: 2000\n\n")
    beat_s = time.monotonic()
    while True:
        began_s = time.monotonic()
        now = await mark()
        if now != seen:
            for name, text in (await pieces()).items():
                if sent.get(name) != text:
                    sent[name] = text
                    await response.write(event(name, text, now))
            seen, beat_s = now, began_s
        elif began_s - beat_s > BEAT_S:
            await response.write(b": alive\n\n")
            beat_s = began_s
        took_s = time.monotonic() - began_s
        await asyncio.sleep(max(EVERY_S, RESTS * took_s))


def event(name: str, text: str, mark: str) -> bytes:
    r"""Return an event as it goes over the wire.

    >>> event("state", "<p>\na", "7")
    b'id: 7\nevent: state\ndata: <p>\ndata: a\n\n'
    """
    # A line end of any kind would end the field: what follows would be a field of its own.
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {mark}\nevent: {name}\n{lines}\n".encode()
