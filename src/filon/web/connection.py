"""Connections that count what comes in over the line: heads of answers, framing, handshakes.

A budget in bytes is about the line, and a server may send more of these than of bodies. What TLS
brings before the first request is known to the system alone; what comes after, to the protocol.
"""

import functools
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast

import aiohttp
from aiohttp import ClientRequest, ClientTimeout
from aiohttp.client_proto import ResponseHandler

from filon.web.exchange import MOST_HEAD_BYTES, Exchange, LongHeadersError, NoRoomError

if TYPE_CHECKING:
    from aiohttp.connector import Connection
    from aiohttp.tracing import Trace

#: The exchange of the running task: its connection notes on it what comes in, and when it leaves.
current: ContextVar[Exchange] = ContextVar("exchange")
#: Where Linux says how many bytes a connection has received: tcpi_bytes_received of tcp_info.
_RECEIVED_AT, _INFO_BYTES = 128, 136
#: What a handshake brings where the system does not say it: a chain of three certificates.
HANDSHAKE_BYTES = 6 * 1024
#: What is taken off a line at a time, as asyncio has it; less where the budget has less.
_READ_BYTES = 256 * 1024
#: Interim answers ("100 Continue", "103 Early Hints") before the one that was asked for.
MOST_INTERIM = 50


class Line(socket.socket):
    """A socket that knows how many bytes have come in, also after it was closed."""

    _came_bytes = 0

    def came_bytes(self) -> int:
        """Return the bytes that have come in; 0 where the system does not tell."""
        if sys.platform == "linux" and self.fileno() >= 0:
            info = self.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_BYTES)
            if len(info) == _INFO_BYTES:
                self._came_bytes = struct.unpack_from("Q", info, _RECEIVED_AT)[0]
        return self._came_bytes

    def close(self) -> None:
        """Close it; what has come in is known afterwards."""
        self.came_bytes()
        super().close()


class Counted(ResponseHandler):
    """aiohttp's protocol, which counts, and gives up on headers without end."""

    came_bytes = answers = 0
    exchange: Exchange | None = None
    has_head = False
    _counting = False

    def data_received(self, data: bytes) -> None:
        """Take in what has come."""
        if self._counting:  # of what follows an upgrade it takes in the rest once more
            super().data_received(data)
            return
        self.came_bytes += len(data)
        self._counting = True
        try:
            super().data_received(data)
        finally:
            self._counting = False
        # Who waits for the headers may not have had a turn since they were in, and much of a body
        # may have come meanwhile: what is in is asked here.
        exchange = self.exchange
        if exchange and not self.has_head and exchange.head_bytes > exchange.most_head_bytes:
            self._give_up()

    def feed_data(self, data: Any, size: int = 0) -> None:
        """Hand an answer on: an interim one, or that which was asked for."""
        self.answers += 1
        self.has_head = self.has_head or not 100 <= data[0].code < 200
        if self.answers > MOST_INTERIM:
            self._give_up()
        else:
            super().feed_data(data, size)

    def _give_up(self) -> None:
        if self.transport is not None:
            self.transport.close()
        short = self.exchange is not None and self.exchange.most_head_bytes < MOST_HEAD_BYTES
        self.set_exception(NoRoomError() if short else LongHeadersError())

    def take_at_most(self, line_bytes: int) -> None:
        """Take no more off the line at a time than may come in; 0: no bound."""
        transport: Any = self.transport
        if hasattr(transport, "max_size"):  # that of a plain connection has it
            transport.max_size = min(_READ_BYTES, line_bytes or _READ_BYTES)


class Connector(aiohttp.TCPConnector):
    """aiohttp's connector, which tells an exchange what came in for it.

    gate: called when there is a connection, just before a request leaves; it raises where that
        must stay.
    """

    def __init__(self, gate: Callable[[], None] | None = None, **options: Any) -> None:
        super().__init__(socket_factory=_open, **options)
        self._gate = gate
        self._factory = functools.partial(cast("type[ResponseHandler]", Counted), loop=self._loop)

    async def connect(
        self,
        req: ClientRequest,
        traces: "list[Trace]",
        timeout: ClientTimeout,  # noqa: ASYNC109  (aiohttp's own signature)
    ) -> "Connection":
        """Return a connection, a new one or one that is open already."""
        exchange = current.get()
        try:
            connection = await super().connect(req, traces, timeout)
        finally:
            exchange.handshake_bytes += sum(map(_handshake_bytes, exchange.lines))
            exchange.lines.clear()
        if self._gate:
            try:
                self._gate()
            except BaseException:
                connection.release()  # nothing was sent: others may have it
                raise
        exchange.left_s, exchange.has_left = time.monotonic(), True
        protocol = cast("Counted", connection.protocol)
        if protocol.exchange:
            protocol.exchange.leave()  # what comes from now on is not for it
        protocol.exchange, protocol.answers, protocol.has_head = exchange, 0, False
        protocol.take_at_most(exchange.request.line_bytes)
        exchange.meet(protocol)
        return connection


def _open(place: Any) -> Line:
    family, kind, number = place[:3]
    line = Line(family, kind, number)
    current.get().lines.append(line)
    return line


def _handshake_bytes(line: Line) -> int:
    """Return what came in until a connection was ready; of a plain one that is nothing."""
    if sys.platform == "linux":
        return line.came_bytes()
    return HANDSHAKE_BYTES if current.get().request.url.startswith("https:") else 0
