"""Taking in the body of an answer, or leaving it: types, bounds, pace, codings."""

import asyncio
import contextlib
import functools
import time
from collections.abc import Iterator, Sequence

from aiohttp import ClientResponse, StreamReader

from filon.core import Response
from filon.web.body import Body
from filon.web.decode import BrokenError, decoder
from filon.web.failure import TooSlowError
from filon.web.options import Options
from filon.web.trip import Trip

#: Each of these grants a body another second on top of Options.total_s.
BYTES_A_SECOND = 64 * 1024


async def receive(trip: Trip, answer: ClientResponse, options: Options) -> Response:
    """Take in a body whole, or cut it; a cut one is what had come of it until then."""
    request, announced = trip.request, trip.announced_bytes
    if request.method == "HEAD":
        return trip.end()
    mime = _media_type(answer)
    if request.unwanted and _is_unwanted(mime, request.unwanted):
        return trip.end(cut="type", size_bytes=announced)
    bound, cut = options.bound_bytes, "size"
    if 0 < request.max_bytes < bound:
        bound, cut = request.max_bytes, "budget"
    if announced > bound and not request.begins:
        return trip.end(cut=cut, size_bytes=announced)
    body = Body(options.memory_bytes, options.spool_dir)
    try:
        if not await _fill(body, trip, answer, mime, bound, _Pace(trip, options)):
            begun, size = body.beginning, max(announced, body.size_bytes)
            body.discard()
            return trip.end(cut=cut, body=begun, size_bytes=size)
        body.close()
    except BaseException:
        body.discard()
        raise
    return trip.end(body=body.beginning, size_bytes=body.size_bytes, spool=body.spool)


async def _fill(
    body: Body, trip: Trip, answer: ClientResponse, mime: str, bound: int, pace: "_Pace"
) -> bool:
    """Read a body to its end; False: it goes beyond its bound."""
    coding = answer.headers.get("Content-Encoding", "")
    decode = decoder(coding, mime, bound) if coding else None
    with _waking(answer):
        while data := await answer.content.readany():
            room = bound - trip.wire_bytes
            trip.wire_bytes += min(len(data), room)  # what lies beyond is thrown away unseen
            for piece in decode.feed(data[:room]) if decode else (data[:room],):
                if body.size_bytes + len(piece) > bound:
                    return False
                body.add(piece)
            if len(data) > room:
                return False
            pace.check()
    if decode:
        decode.finish()
    return True


@contextlib.contextmanager
def _waking(answer: ClientResponse) -> Iterator[None]:
    """Wake the reader of a body when its connection ends.

    aiohttp does not where it ended the connection itself, over chunks that are broken: the
    reader would wait for ever.
    """
    protocol = answer.connection.protocol if answer.connection is not None else None
    closed = protocol.closed if protocol is not None else None
    if closed is None:  # the body is here already, as that of most pages is
        yield
        return
    wake = functools.partial(_wake, answer.content)
    closed.add_done_callback(wake)
    try:
        yield
    finally:
        closed.remove_done_callback(wake)
        closed.remove_done_callback(_hush)  # one a connection is enough
        closed.add_done_callback(_hush)


def _wake(content: StreamReader, closed: "asyncio.Future[None]") -> None:
    _hush(closed)
    if not content.is_eof() and content.exception() is None:
        content.set_exception(BrokenError("The chunks of the body are broken."))


def _hush(closed: "asyncio.Future[None]") -> None:
    """Look at the failure of a connection that nobody uses, lest it be logged as unseen."""
    if not closed.cancelled():
        closed.exception()


class _Pace:
    """Gives up on a body that comes too slowly.

    The trip's clock is set so far ahead that it rings only where no byte of the body comes any
    more, whatever else the server sends; it costs nothing while bytes come.
    """

    def __init__(self, trip: Trip, options: Options) -> None:
        self._trip, self._options = trip, options
        self._began_s = time.monotonic()
        self._watch_from(self._began_s)

    def check(self) -> None:
        now_s, options, got = time.monotonic(), self._options, self._trip.wire_bytes
        if now_s - self._began_s > options.total_s + got / BYTES_A_SECOND:
            raise TooSlowError
        if now_s - self._since_s >= options.slow_s:
            if got - self._since_bytes < options.slow_bytes_s * options.slow_s:
                raise TooSlowError
            self._watch_from(now_s)

    def _watch_from(self, now_s: float) -> None:
        self._since_s, self._since_bytes = now_s, self._trip.wire_bytes
        self._trip.grant(self._options.slow_s + self._options.idle_s)


def _media_type(answer: ClientResponse) -> str:
    return answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def _is_unwanted(mime: str, unwanted: Sequence[str]) -> bool:
    return bool(mime) and any(
        mime.startswith(kind) if kind.endswith("/") else mime == kind for kind in unwanted
    )
