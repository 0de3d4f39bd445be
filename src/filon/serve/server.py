"""The server itself: where it listens, and how long it waits for whom."""

import asyncio
import contextlib
import logging
import ssl
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from filon.core import MachineError, UserError
from filon.serve.access import ACCESS, Handler
from filon.web.serve import unheard

#: A connection that has sent no whole head of a request for so long is closed. Browsers keep some
#: open to be quick, and open new ones without a word.
IDLE_S = 20.0
#: Until a connection speaks TLS it is none that could be looked at: two messages each way.
HANDSHAKE_S = 10.0
#: One that takes nothing of its answer for so long is closed, too.
STALL_S = 60.0
#: How often that is looked at.
LOOK_S = 1.0
#: Connections that may wait at the same time; a browser has six.
MOST_IDLE = 128
#: How long an answer waits for the rest of a body that was refused.
_LINGER_S = 2.0
#: Of the head of a request, in bytes and lines: a browser's has a thousand of the one and twenty of
#: the other. What is compressed stays so: no page of ours sends it, and it may be a bomb.
BOUNDS: dict[str, Any] = {
    "max_line_size": 8190,
    "max_field_size": 8190,
    "max_headers": 128,
    "auto_decompress": False,
}


def _is_ours(record: logging.LogRecord) -> bool:
    """Say whether a fault is one of the server: not of a visitor who speaks no HTTP, or leaves."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, (HttpProcessingError, ConnectionError))


_log = logging.getLogger("filon.serve.http")
_log.addFilter(_is_ours)


class Patience:
    """Knows which connections are answered now, and closes those that neither ask nor read."""

    def __init__(
        self, idle_s: float = IDLE_S, look_s: float = LOOK_S, stall_s: float = STALL_S
    ) -> None:
        self._idle_s, self._look_s, self._stall_s = idle_s, look_s, stall_s
        self._unread: dict[RequestHandler, tuple[int, float]] = {}
        self._busy: set[asyncio.BaseProtocol] = set()
        self._idle_since: dict[RequestHandler, float] = {}

    @web.middleware
    async def noted(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Leave a connection alone while a request of its is answered, to the last byte."""
        protocol, task = request.protocol, asyncio.current_task()
        self._busy.add(protocol)
        if task is not None:  # that of this request: it ends when the answer is written
            task.add_done_callback(lambda _: self._busy.discard(protocol))
        return await handler(request)

    async def watch(self, server: web.Server) -> None:
        """Close connections that are idle, until cancelled."""
        while True:
            await asyncio.sleep(self._look_s)
            self._look(server, time.monotonic())
            self._look_at_readers(server, time.monotonic())

    def _look_at_readers(self, server: web.Server, now: float) -> None:
        """Close connections whose visitor has stopped to read."""
        waiting: dict[RequestHandler, tuple[int, float]] = {}
        for each in server.connections:
            unread = each.transport.get_write_buffer_size() if each.transport else 0
            before, since = self._unread.get(each, (0, now))
            if unread and unread == before and now - since > self._stall_s and each.transport:
                each.transport.abort()
            elif unread:
                waiting[each] = (unread, since if unread == before else now)
        self._unread = waiting

    def _look(self, server: web.Server, now: float) -> None:
        idle = [each for each in server.connections if each not in self._busy]
        # In the order in which they fell silent: the first has waited longest.
        since = {each: self._idle_since.get(each, now) for each in idle}
        self._idle_since = dict(sorted(since.items(), key=lambda pair: pair[1]))
        surplus = max(0, len(idle) - MOST_IDLE)
        for number, (each, began) in enumerate(list(self._idle_since.items())):
            if number < surplus or now - began > self._idle_s:
                each.force_close()
                del self._idle_since[each]


@contextlib.asynccontextmanager
async def listening(
    app: web.Application,
    host: str,
    port: int,
    *,
    tls: ssl.SSLContext | None = None,
    patience: Patience | None = None,
) -> AsyncIterator[int]:
    """Answer requests for as long as the block lasts; gives the port, which 0 leaves open."""
    patience = patience or Patience()
    app.middlewares.insert(0, patience.noted)
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=_log,
        keepalive_timeout=IDLE_S,
        lingering_time=_LINGER_S,
        shutdown_timeout=2.0,
        **BOUNDS,
    )
    await runner.setup()
    try:
        assert runner.server is not None  # noqa: S101 - it was set up just now
        listener = await _listener(runner.server, host, port, tls)
        app[ACCESS].port = listener.sockets[0].getsockname()[1]
        watching = asyncio.create_task(patience.watch(runner.server))
        try:
            yield app[ACCESS].port
        finally:
            watching.cancel()
            listener.close()
    finally:
        await runner.cleanup()


async def _listener(
    server: web.Server, host: str, port: int, tls: ssl.SSLContext | None
) -> asyncio.Server:
    """Listen; by hand, as aiohttp's own way has no bound on how long a greeting may take."""
    handshake_s = HANDSHAKE_S if tls else None
    try:
        return await asyncio.get_running_loop().create_server(
            server, host, port, ssl=tls, ssl_handshake_timeout=handshake_s
        )
    except OSError as error:
        raise _not_listening(host, port, error) from error


def _not_listening(host: str, port: int, error: OSError) -> MachineError:
    again = "Is Filon served already? Choose another with --port."
    return MachineError(f"{host} port {port} cannot be had: {unheard(error)}. {again}")


def tls_of(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return what TLS needs, from a certificate with its chain and its key, both as PEM."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise UserError(f"{certificate} and {key} make no TLS: {error}.") from error
    return context


async def serve(
    app: web.Application,
    host: str,
    port: int,
    *,
    tls: ssl.SSLContext | None = None,
    ready: Callable[[], None],
    halt: asyncio.Event,
) -> None:
    """Serve until halted. ready: called once requests are taken."""
    async with listening(app, host, port, tls=tls):
        ready()
        await halt.wait()
