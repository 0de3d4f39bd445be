"""One exchange with the web while it lasts: the head of an answer, its body, every end of it.

`Exchange` is what is known so far and becomes a Response; `receive` takes in a body or leaves it:
types, bounds, pace, codings; `Body` is where it goes meanwhile: memory first, then a file;
`explain` makes what went wrong a kind of Response.error and a sentence for people. The sentences
are ours: an exception's own text may hold a URL with a password, or a proxy's.
"""

import asyncio
import contextlib
import functools
import math
import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp import ClientResponse, StreamReader
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong, TransferEncodingError

from filon.core import MachineError, Request, Response
from filon.core.clock import now_s
from filon.core.response import Sent
from filon.page.look import is_page, text_of
from filon.page.values import MAX_DIGITS
from filon.web.address import PrivateAddressError
from filon.web.body import Body, Part, Parts
from filon.web.decode import BombError, BrokenError, decoder

if TYPE_CHECKING:  # the live web stands on exchanges
    from filon.web.live import Options

#: All headers together; nothing honest needs more.
HEAD_BYTES = 256 * 1024
#: Beyond, an answer whose headers do not end is given up; the beginning of its body may be in it.
MOST_HEAD_BYTES = 2 * HEAD_BYTES
#: Pages, and types that say nothing.
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_GENERIC = frozenset({"", "text/plain", "application/octet-stream", "unknown/unknown"})
#: Each of these grants a body another second on top of Options.total_s.
BYTES_A_SECOND = 64 * 1024


class Exchange:
    """What is known of an exchange so far.

    began_s, end_s: when it began and must end, by the loop's clock; `clock` ends it earlier.
    lines: sockets that were opened for it. handshake_bytes: what came in over them before it left.
    """

    __slots__ = (
        "_came_bytes",
        "_content",
        "_from_bytes",
        "_protocol",
        "announced_bytes",
        "began_s",
        "begun",
        "clock",
        "end_s",
        "handshake_bytes",
        "has_left",
        "headers",
        "left_s",
        "lines",
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
        self.has_left = False
        self.status = 0
        self.headers: tuple[tuple[str, str], ...] = ()
        self.announced_bytes = 0
        self.begun = b""  # what came of a page that broke off
        self.wire_bytes = 0
        self.handshake_bytes = 0
        self.lines: list[Any] = []
        self._protocol: Any = None
        self._content: StreamReader | None = None
        self._from_bytes = self._came_bytes = 0

    def meet(self, protocol: Any) -> None:
        """Note over which connection it goes, which counts what comes in."""
        self._protocol = protocol
        self._from_bytes = protocol.came_bytes

    def leave(self) -> None:
        """Note that the connection is another's from now on."""
        if self._protocol is not None:
            self._came_bytes, self._protocol = self._protocol.came_bytes, None

    @property
    def extra_bytes(self) -> int:
        """What has come in besides the body: handshake, head, and what frames the body.

        Of a head without room in the budget, what lies beyond is thrown away unseen.
        """
        room = max(0, self.request.line_bytes - self.handshake_bytes)
        most = room if self.request.line_bytes else self.head_bytes
        return self.handshake_bytes + min(self.head_bytes, most)

    @property
    def head_bytes(self) -> int:
        """What of it has come in after the handshake; before the head is in, also of the body."""
        came = self._came_bytes if self._protocol is None else self._protocol.came_bytes
        body = self._content.total_bytes if self._content is not None else 0
        return max(0, came - self._from_bytes - body)

    @property
    def most_head_bytes(self) -> int:
        """What may come in of it: what is left of the budget, where that is less than the most."""
        if not self.request.line_bytes:
            return MOST_HEAD_BYTES
        return min(MOST_HEAD_BYTES, max(0, self.request.line_bytes - self.handshake_bytes))

    def begin(
        self, status: int, raw: Sequence[tuple[bytes, bytes]], content: StreamReader | None = None
    ) -> None:
        """Note the head of the answer; content: where its body comes in."""
        self._content = content
        size, headers = 0, []
        for name, value in raw:
            size += len(name) + len(value)
            headers.append((_text(name), _text(value)))
            if name.lower() == b"content-length" and value.isdigit() and len(value) <= MAX_DIGITS:
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
        sent: Sent = "yes",
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
            extra_bytes=self.extra_bytes,
            at_s=now_s(),
            took_s=time.monotonic() - self.left_s,
            spool=spool,
            sent=sent,
        )


async def receive(
    exchange: Exchange, answer: ClientResponse, options: "Options", parts: Parts
) -> Response:
    """Take in a body whole, or cut it; a cut one is what had come of it until then.

    parts: what came of bodies that broke off; an answer with the rest of one goes on from there.
    """
    request = exchange.request
    if request.method == "HEAD":
        return exchange.end()
    mime = _media_type(answer)
    if request.unwanted and _is_unwanted(mime, request.unwanted):
        return exchange.end(cut="type", size_bytes=exchange.announced_bytes)
    if exchange.status in (206, 416) and parts.holds(request):
        body = _go_on(exchange, parts.take(request))
    else:
        if exchange.status < 300:  # who is busy may have the rest later
            parts.forget(request)
        body = Body(options.memory_bytes, options.spool_dir)
    announced, before = exchange.announced_bytes, body.size_bytes
    bound, cut = options.bound_bytes, "size"
    if 0 < request.max_bytes < bound - before:
        bound, cut = request.max_bytes, "budget"
        if request.line_bytes:
            bound = min(bound, max(0, request.line_bytes - exchange.extra_bytes))
        bound += before
    if announced > bound and not request.begins:
        body.discard()
        return exchange.end(cut=cut, size_bytes=announced)
    try:
        beyond = await _fill(body, exchange, answer, mime, bound, _Pace(exchange, options))
        if beyond:
            begun, size = body.beginning, max(announced, body.size_bytes)
            body.discard()
            cut = "size" if beyond == "page" else cut
            return exchange.end(cut=cut, body=begun, size_bytes=size)
        body.close()
    except MachineError:
        body.discard()
        raise
    except BaseException:  # also the end of the time, which is a cancellation here
        if exchange.status in (200, 203) and _is_page(mime, body.beginning):
            exchange.begun = body.beginning
        parts.keep(request, exchange.status, exchange.headers, body)
        raise
    return exchange.end(body=body.beginning, size_bytes=body.size_bytes, spool=body.spool)


def _go_on(exchange: Exchange, part: Part) -> Body:
    """Return the body that an answer has the rest of; the answer is as if it had all come at once.

    Raises BrokenOffError where it is not the rest: the next try asks for the whole.
    """
    total = part.total_bytes(exchange.status, exchange.headers)
    if not total:
        part.body.discard()
        raise BrokenOffError
    exchange.status, exchange.announced_bytes = 200, total
    exchange.headers = (*part.headers, ("Content-Length", str(total)))
    return part.body


async def _fill(
    body: Body, exchange: Exchange, answer: ClientResponse, mime: str, bound: int, pace: "_Pace"
) -> str:
    """Read a body to its end; return what it goes beyond: its "bound", that of a "page", or ""."""
    coding = answer.headers.get("Content-Encoding", "")
    decode = decoder(coding, mime, bound) if coding else None
    unknown = decode is not None or not exchange.announced_bytes  # it may have no end
    before = body.size_bytes
    with _waking(answer):
        while data := await answer.content.readany():
            room = bound - before - exchange.wire_bytes
            exchange.wire_bytes += min(len(data), room)  # what lies beyond is thrown away unseen
            for piece in decode.feed(data[:room]) if decode else (data[:room],):
                if body.size_bytes + len(piece) > bound:
                    return "bound"
                if unknown and body.is_full(piece) and _is_page(mime, body.beginning):
                    if decode:
                        decode.check(body.size_bytes)
                    body.fill_up(piece)
                    return "page"
                body.add(piece)
            if len(data) > room:
                return "bound"
            pace.check()
    if decode:
        decode.finish()
    return ""


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

    The exchange's clock is set so far ahead that it rings only where no byte of the body comes any
    more, whatever else the server sends; it costs nothing while bytes come.
    """

    def __init__(self, exchange: Exchange, options: "Options") -> None:
        self._current, self._options = exchange, options
        self._began_s = time.monotonic()
        self._watch_from(self._began_s)

    def check(self) -> None:
        now_s, options, got = time.monotonic(), self._options, self._current.wire_bytes
        if now_s - self._began_s > options.total_s + got / BYTES_A_SECOND:
            raise TooSlowError
        if now_s - self._since_s >= options.slow_s:
            if got - self._since_bytes < options.slow_bytes_s * options.slow_s:
                raise TooSlowError
            self._watch_from(now_s)

    def _watch_from(self, now_s: float) -> None:
        self._since_s, self._since_bytes = now_s, self._current.wire_bytes
        self._current.grant(self._options.slow_s + self._options.idle_s)


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _media_type(answer: ClientResponse) -> str:
    return answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def _is_page(mime: str, beginning: bytes) -> bool:
    """Say whether a body is a web page. Nobody reads more of one than memory holds, and some have
    no end; a file has one, and is wanted whole.
    """
    if mime in _GENERIC:
        text = text_of(beginning)
        return text is not None and is_page(text)
    return mime in _PAGES


def _is_unwanted(mime: str, unwanted: Sequence[str]) -> bool:
    return bool(mime) and any(
        mime.startswith(kind) if kind.endswith("/") else mime == kind for kind in unwanted
    )


#: What fetching may raise through the fault of the other side.
FAILURES = (
    aiohttp.ClientError,
    HttpProcessingError,
    TimeoutError,
    ConnectionError,
    ssl.SSLError,
    BombError,
    BrokenError,
)


class TooSlowError(TimeoutError):
    """Bytes come, but too few of them."""


class LongHeadersError(aiohttp.ClientError):
    """The headers are more than a page can need."""


class NoRoomError(LongHeadersError):
    """The headers are more than is left of the budget."""


class BrokenOffError(aiohttp.ClientError):
    """The rest of a body that broke off is not to be had."""


class LostError(aiohttp.ClientError):
    """The connection ended before an answer came."""


def explain(problem: BaseException) -> tuple[str, str]:
    """Return the kind of a failure and a sentence about it."""
    match problem:
        case BombError():
            return "bomb", str(problem)
        case BrokenError():
            return "protocol", str(problem)
        case TooSlowError():
            return "timeout", "The answer comes too slowly."
        case aiohttp.ConnectionTimeoutError():
            return "timeout", "The host took too long to accept a connection."
        case TimeoutError():
            return "timeout", "The host took too long to answer."
        case aiohttp.ClientConnectorDNSError():
            return _explain_name(problem.os_error)
        case aiohttp.ClientConnectorCertificateError():
            return "tls", _explain_certificate(problem.certificate_error)
        case aiohttp.ClientSSLError() | ssl.SSLError():
            return "tls", "The host does not speak TLS as it should."
        case aiohttp.ClientHttpProxyError():
            return "connect", f"The proxy refused with status {problem.status}."
        case aiohttp.ClientProxyConnectionError():
            return "connect", "The proxy does not accept a connection."
        case aiohttp.ClientConnectorError():
            return "connect", "The host does not accept a connection."
        case aiohttp.InvalidURL():
            return "protocol", "This is not a URL that can be fetched."
        case NoRoomError():
            return "headers", "The headers are longer than what is left of the budget."
        case LongHeadersError():
            return "headers", "The headers are too long."
        case BrokenOffError():
            return "closed", "The rest of the body is not to be had: it has changed."
        case aiohttp.ClientResponseError() | HttpProcessingError():
            return _explain_head(problem)
        case aiohttp.ClientPayloadError():
            return _explain_body(problem)
    return "closed", "The connection ended before an answer came."


#: Names that were looked up in vain as nobody answers: the network is down, or its DNS.
_NO_DNS = frozenset({socket.EAI_AGAIN, socket.EAI_FAIL})


def _explain_name(problem: OSError) -> tuple[str, str]:
    if isinstance(problem, PrivateAddressError):
        return "private", "The host's name leads to a private address."
    if isinstance(problem, socket.gaierror) and problem.errno in _NO_DNS:
        return "connect", "No server could be asked for the host's address."
    return "dns", "The host's name is not known."


def _explain_certificate(problem: BaseException) -> str:
    message = getattr(problem, "verify_message", "") or "it is not valid"
    return f"The certificate is refused: {message.rstrip('.')}."


def _explain_head(problem: BaseException) -> tuple[str, str]:
    causes = list(_causes(problem))
    # aiohttp has no class of its own for too many headers, only the sentence.
    if any(isinstance(cause, LineTooLong) or "Too many" in str(cause) for cause in causes):
        return "headers", "The headers are too long."
    return "protocol", "The answer is not HTTP."


def _explain_body(problem: aiohttp.ClientPayloadError) -> tuple[str, str]:
    ended = "not completed" in str(problem)
    if not ended and any(isinstance(c, TransferEncodingError) for c in _causes(problem)):
        return "protocol", "The chunks of the body are broken."
    return "closed", "The connection ended within the body."


def _causes(problem: BaseException | None) -> list[BaseException]:
    chain = []
    while problem:
        chain.append(problem)
        problem = problem.__cause__
    return chain
