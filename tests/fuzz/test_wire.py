"""Any bytes over the wire: the live web makes an answer of them, or a failure, and never raises."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import given
from hypothesis import strategies as st

from filon.core import Request, Response
from filon.core.response import ERRORS
from filon.web import Live, Options
from fuzz.odd import TOKENS
from fuzzing import examples

HONEST = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-A: b\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: /a\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\nx",
    b"HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\3K\4\0",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: br, zstd\r\nConnection: close\r\n\r\n\x0b\x02\x80abc",
)
pieces = st.sampled_from(TOKENS) | st.binary(max_size=30)


@st.composite
def said(draw: st.DrawFn) -> bytes:
    """Draw what a server says: an honest answer, with something odd at a place or two."""
    text = draw(st.sampled_from(HONEST) | st.binary(max_size=60))
    for _ in range(draw(st.integers(0, 2))):
        begin = draw(st.integers(0, len(text)))
        end = begin + draw(st.integers(0, 12))
        text = text[:begin] + draw(pieces) + text[end:]
    return text


class Wire:
    """A server that says what it is told to, and a web that asks it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._says = b""
        self._server = loop.run_until_complete(asyncio.start_server(self._talk, "127.0.0.1", 0))
        port = self._server.sockets[0].getsockname()[1]
        self._web = Live(Options(connect_to=(f"::127.0.0.1:{port}",), head_s=20.0, idle_s=20.0))

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(self._says)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def answer(self, says: bytes) -> Response:
        self._says = says
        return self._loop.run_until_complete(self._web.fetch(Request(url="http://a.test/b")))

    def close(self) -> None:
        self._loop.run_until_complete(self._web.close())
        self._server.close()


@contextmanager
def wire() -> Iterator[Wire]:
    loop = asyncio.new_event_loop()
    made = Wire(loop)
    try:
        yield made
    finally:
        made.close()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def test_any_bytes_are_an_answer_or_a_failure() -> None:
    with wire() as line:

        @given(said())
        @examples(150)
        def fuzz(says: bytes) -> None:
            answer = line.answer(says)
            assert answer.error in ERRORS - {"bug"}
            assert answer.status or answer.error
            assert all(text.encode() is not None for pair in answer.headers for text in pair)
            assert answer.wire_bytes + answer.extra_bytes <= len(says)

        fuzz()
