"""What comes in over the line is counted, and headers without end are given up."""

import asyncio
import ssl
import sys
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
import trustme

from filon.core import Account, Budget, Request, Response
from filon.web import Live, Options
from filon.web.connection import Counted
from filon.web.exchange import MOST_HEAD_BYTES, Exchange
from patience import PATIENCE_S

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LONG = b"X-Long: " + b"a" * 60_000 + b"\r\n"


def fetched(talk: Talk, *requests: Request, tls: ssl.SSLContext | None = None) -> list[Response]:
    """Answer requests one after the other by a function of the connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await talk(reader, writer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def run() -> list[Response]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
        port = server.sockets[0].getsockname()[1]
        options = Options(
            connect_to=(f"::127.0.0.1:{port}",), insecure=bool(tls), head_s=PATIENCE_S
        )
        web = Live(options)
        try:
            return [await web.fetch(request) for request in requests]
        finally:
            await web.close()
            server.close()

    return asyncio.run(run())


def saying(answer: bytes) -> Talk:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    return talk


PAGE = Request(url="http://a.test/")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n"


@pytest.mark.parametrize("more", [b"", LONG, LONG * 3, b"X-A: b\r\n" * 100])
def test_the_bytes_of_headers_are_counted(more: bytes) -> None:
    first, second = fetched(saying(HEAD + more + b"\r\nhello"), PAGE, PAGE)
    for answer in (first, second):
        assert (answer.body, answer.wire_bytes) == (b"hello", 5)
        assert answer.extra_bytes == len(HEAD + more) + 2


def test_what_comes_before_the_head_is_counted() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" * 3
    (answer,) = fetched(saying(early + HEAD + b"\r\nhello"), PAGE)
    assert (answer.status, answer.extra_bytes) == (200, len(early + HEAD) + 2)


def test_what_frames_a_body_is_counted() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"1;" + b"x" * 500 + b"\r\na\r\n"
    (answer,) = fetched(saying(head + body * 10 + b"0\r\n\r\n"), PAGE)
    assert (answer.body, answer.wire_bytes) == (b"a" * 10, 10)
    assert answer.extra_bytes == len(head + body * 10) + 5 - 10


def test_headers_that_are_refused_are_counted() -> None:
    (answer,) = fetched(saying(HEAD + LONG * 8 + b"\r\nhello"), PAGE)
    assert answer.error == "headers"
    assert answer.extra_bytes >= len(LONG) * 4


class Wire(asyncio.Transport):
    """A connection of which only the end is noted."""

    closed = False

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


@pytest.mark.parametrize(("head", "is_over"), [(HEAD + b"\r\n", False), (b"HTTP/1.1 200 OK", True)])
def test_a_body_that_comes_at_once_is_no_headers_without_end(head: bytes, is_over: bool) -> None:
    """Much of it may be in before who waits for the headers has a turn."""

    async def feed() -> bool:
        wire, protocol = Wire(), Counted(loop=asyncio.get_running_loop())
        protocol.connection_made(wire)
        protocol.exchange = Exchange(PAGE)
        protocol.exchange.meet(protocol)
        protocol.set_response_params(read_until_eof=True, max_line_size=10 * MOST_HEAD_BYTES)
        protocol.data_received(head.replace(b"Length: 5", b"Length: %d" % (9 * MOST_HEAD_BYTES)))
        for _ in range(4):
            protocol.data_received(b"x" * MOST_HEAD_BYTES)
        return wire.closed

    assert asyncio.run(feed()) is is_over


@pytest.mark.parametrize(
    "endless", [b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 500, LONG * 10]
)
def test_headers_without_end_end_soon(endless: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not endless.startswith(b"HTTP"):
            writer.write(b"HTTP/1.1 200 OK\r\n")
        while not writer.is_closing():
            writer.write(endless)
            await writer.drain()

    (answer,) = fetched(talk, PAGE)
    assert (answer.status, answer.error) == (0, "headers")
    assert answer.extra_bytes < 4 * MOST_HEAD_BYTES


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is an estimate")
@pytest.mark.parametrize("trusted", [True, False])
def test_what_tls_brings_is_counted_once_a_connection(trusted: bool) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    names = [f"host-{number}.test" for number in range(500)]
    trustme.CA().issue_cert(*names).configure_cert(context)

    async def run() -> list[Response]:
        server = await asyncio.start_server(_serve_hello, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        web = Live(Options(connect_to=(f"::127.0.0.1:{port}",), insecure=trusted))
        try:
            return [await web.fetch(Request(url="https://a.test/")) for _ in range(2)]
        finally:
            await web.close()
            server.close()

    first, second = asyncio.run(run())
    assert first.extra_bytes > 8_000, "the certificate alone names 500 hosts"
    assert [answer.error for answer in (first, second)] == (["", ""] if trusted else ["tls", "tls"])
    assert (second.extra_bytes > 8_000) is not trusted


async def _serve_hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(HEAD + b"\r\nhello")
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


def test_a_budget_counts_them_and_leaves_room_for_them() -> None:
    account = Account(Budget(bytes=1_000))
    grant = account.grant(PAGE, 0.0)
    body = b"a" * 5_000
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head + body)
        writer.close()

    (answer,) = fetched(talk, grant.request)
    account.settle(grant, answer, 0, 0.0)
    assert answer.cut == "budget"
    assert account.spent.bytes == answer.wire_bytes + answer.extra_bytes == 1_000


@pytest.mark.parametrize("end", [b"", b"\r\nhello"], ids=["without end", "whole"])
@pytest.mark.parametrize("left", [1, 1_000, 50_000, 150_000])
def test_headers_cost_no_more_than_is_left_of_the_budget(left: int, end: bytes) -> None:
    account = Account(Budget(bytes=left))
    grant = account.grant(PAGE, 0.0)
    came = Counter[str]()

    class Watched(Counted):
        def data_received(self, data: bytes) -> None:
            came["bytes"] += len(data)
            super().data_received(data)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + LONG * 3 + end)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("filon.web.connection.Counted", Watched)
        (answer,) = fetched(talk, grant.request)
    account.settle(grant, answer, 0, 0.0)
    assert answer.cut == "budget"
    assert account.spent.bytes <= left
    assert came["bytes"] <= 2 * left, "nor does more come in than is noticed"


def test_headers_that_fit_into_what_is_left_are_taken() -> None:
    account = Account(Budget(bytes=200_000))
    grant = account.grant(PAGE, 0.0)
    (answer,) = fetched(saying(HEAD + LONG * 3 + b"\r\nhello"), grant.request)
    assert (answer.status, answer.body, answer.error, answer.cut) == (200, b"hello", "", "")
