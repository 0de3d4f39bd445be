"""The server on a real socket: who is silent, slow or endless is not waited for."""

import asyncio
import contextlib
import gzip
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
import trustme
from aiohttp import ClientSession, web

from filon.core import MachineError, UserError
from filon.serve import app as serve_app
from filon.serve import server
from filon.serve.access import Access
from filon.serve.app import make_app
from filon.serve.home import Home
from filon.serve.password import Password
from filon.serve.server import Patience, listening, tls_of
from patience import PATIENCE_S, until

R = TypeVar("R")
WORD = "correct horse battery"
QUICK = {"idle_s": 0.3, "look_s": 0.05}
NEVER = {"idle_s": 3600.0, "look_s": 0.05}


def listened(
    visit: Callable[[int], Awaitable[R]], folder: Path, patience: dict[str, float] = NEVER
) -> R:
    async def go() -> R:
        app = make_app(Home(folder), Access())
        async with listening(app, "127.0.0.1", 0, patience=Patience(**patience)) as port:
            return await visit(port)

    return asyncio.run(go())


async def said(port: int, *pieces: bytes, gap_s: float = 0.0) -> bytes:
    """Send pieces, with a gap between them, and return all that comes until the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        coming = asyncio.create_task(reader.read())
        for piece in pieces:
            if not coming.done():
                writer.write(piece)
                await asyncio.sleep(gap_s)
        return await coming
    except ConnectionError:
        return b""
    finally:
        writer.close()


def head(port: int, *more: str, path: str = "/enter") -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *more]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def closed(patience: dict[str, float], *pieces: bytes) -> Callable[[int], Awaitable[bool]]:
    async def visit(port: int) -> bool:
        try:
            async with asyncio.timeout(0.8 if patience is NEVER else PATIENCE_S):
                return await said(port, *pieces) == b""
        except TimeoutError:
            return False

    return visit


@pytest.mark.parametrize("pieces", [(), (b"GET / HT",), (b"GET / HTTP/1.1\r\nHost: x\r\n",)])
def test_who_sends_no_whole_head_is_hung_up_on(pieces: tuple[bytes, ...], tmp_path: Path) -> None:
    assert listened(closed(QUICK, *pieces), tmp_path, QUICK)
    assert not listened(closed(NEVER, *pieces), tmp_path, NEVER)


@pytest.mark.parametrize(("patience", "begins"), [(QUICK, b""), (NEVER, b"HTTP/1.1 200")])
def test_who_drips_a_head_is_hung_up_on_and_would_be_answered(
    patience: dict[str, float], begins: bytes, tmp_path: Path
) -> None:
    async def visit(port: int) -> bytes:
        async with asyncio.timeout(PATIENCE_S):
            drops = [b"x"] * (3000 if patience is QUICK else 30)
            whole = head(port, "Connection: close")
            return await said(port, whole[:-2] + b"X: ", *drops, b"\r\n\r\n", gap_s=0.02)

    answer = listened(visit, tmp_path, patience)
    assert answer.startswith(begins)
    assert bool(answer) == bool(begins)


def test_a_request_that_is_answered_is_left_alone(tmp_path: Path) -> None:
    async def visit(port: int) -> bytes:
        return await said(port, head(port, "Connection: close"))

    assert listened(visit, tmp_path, {"idle_s": 5.0, "look_s": 0.01}).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("most", [3, 8])
def test_too_many_silent_connections_are_thinned_out(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_IDLE", most)

    async def visit(port: int) -> int:
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(8)]
        reads = [asyncio.create_task(reader.read()) for reader, _ in opened]
        await until(lambda: sum(read.done() for read in reads) >= 8 - most)
        await asyncio.sleep(0.2)  # no more than these
        left = sum(not read.done() for read in reads)
        for _, writer in opened:
            writer.close()
        await asyncio.gather(*reads, return_exceptions=True)
        return left

    assert listened(visit, tmp_path) == most


@pytest.mark.parametrize(("stall_s", "ends"), [(0.3, True), (3600.0, False)])
def test_who_does_not_read_is_hung_up_on(
    stall_s: float, ends: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = asyncio.Event()
    routes = web.RouteTableDef()

    @routes.get("/static/endless")
    async def _(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        try:
            while True:
                await answer.write(b"x" * 100_000)
        finally:
            ended.set()

    monkeypatch.setattr(serve_app, "AREAS", [routes])

    async def visit(port: int) -> bool:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1000)
        writer.write(head(port, path="/static/endless"))
        try:
            async with asyncio.timeout(PATIENCE_S if ends else 1.5):
                await ended.wait()
        except TimeoutError:
            return False
        finally:
            writer.close()
        return True

    assert listened(visit, tmp_path, {**NEVER, "stall_s": stall_s}) is ends


@pytest.mark.parametrize(
    ("bound", "path", "more"),
    [
        ("max_field_size", "/enter", ("X: " + "x" * 10_000,)),
        ("max_headers", "/enter", tuple(f"X{n}: x" for n in range(1000))),
        ("max_line_size", "/enter?x=" + "x" * 10_000, ()),
    ],
)
def test_heads_are_bounded_and_would_be_read_without_their_bound(
    bound: str, path: str, more: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit(port: int) -> bytes:
        return await said(port, head(port, *more, "Connection: close", path=path))

    assert listened(visit, tmp_path).startswith(b"HTTP/1.0 400")
    monkeypatch.setitem(server.BOUNDS, bound, 1 << 20)
    assert listened(visit, tmp_path).startswith(b"HTTP/1.1 200")


def test_who_speaks_no_http_leaves_no_trace_in_the_terminal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def visit(port: int) -> bytes:
        return await said(port, b"\x16\x03\x01 hello\r\n\r\n")

    assert listened(visit, tmp_path).startswith(b"HTTP/1.")
    assert caplog.records == []


def test_a_compressed_body_stays_compressed_and_would_be_a_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bomb in a form is as long as it came; without the guard it would be too large a form."""
    bomb = gzip.compress(b"x" * 10_000_000)

    async def visit(port: int) -> bytes:
        lines = ("Content-Encoding: gzip", f"Content-Length: {len(bomb)}", "Connection: close")
        whole = head(port, *lines).replace(b"GET", b"POST")
        return await said(port, whole + bomb)

    assert listened(visit, tmp_path).startswith(b"HTTP/1.1 403")
    monkeypatch.setitem(server.BOUNDS, "auto_decompress", True)
    assert listened(visit, tmp_path).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("tls", [True, False])
def test_who_listens_on_the_way_learns_a_password_only_without_tls(
    tls: bool, tmp_path: Path
) -> None:
    heard = bytearray()
    context = certified(tmp_path) if tls else None

    async def visit() -> int:
        access = Access(password=Password(WORD), secure=tls)
        app = make_app(Home(tmp_path), access)
        async with listening(app, "127.0.0.1", 0, tls=context) as port, tapped(port, heard) as way:
            access.port = way  # by which it is called
            url = f"{'https' if tls else 'http'}://127.0.0.1:{way}/enter"
            async with ClientSession() as client:
                form = {"password": WORD}
                answer = await client.post(url, data=form, ssl=False, allow_redirects=False)
                return answer.status

    assert asyncio.run(visit()) == 303
    assert (b"correct+horse" in heard) is not tls
    assert (b"Set-Cookie" in heard) is not tls


@pytest.mark.parametrize(("handshake_s", "ends"), [(0.2, True), (3600.0, False)])
@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01"])
def test_who_never_begins_to_speak_tls_is_hung_up_on(
    said: bytes, handshake_s: float, ends: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HANDSHAKE_S", handshake_s)
    context = certified(tmp_path)

    async def visit() -> bool:
        app = make_app(Home(tmp_path), Access(secure=True))
        async with listening(app, "127.0.0.1", 0, tls=context) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            try:
                async with asyncio.timeout(PATIENCE_S if ends else 1.0):
                    return await reader.read() == b""
            except TimeoutError:
                return False
            finally:
                writer.close()

    assert asyncio.run(visit()) is ends


def certified(folder: Path) -> ssl.SSLContext:
    """Return what TLS needs, with a certificate made now."""
    made = trustme.CA().issue_cert("127.0.0.1")
    made.private_key_and_cert_chain_pem.write_to_path(folder / "both.pem")
    return tls_of(folder / "both.pem", folder / "both.pem")


@contextlib.asynccontextmanager
async def tapped(port: int, heard: bytearray) -> AsyncIterator[int]:
    """Pass on what is said, both ways, and keep it; give the port."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while piece := await reader.read(1 << 16):
                heard.extend(piece)
                writer.write(piece)
        writer.close()

    async def both(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pass_on(reader, onward[1]), pass_on(onward[0], writer))

    relay = await asyncio.start_server(both, "127.0.0.1", 0)
    async with relay:
        yield relay.sockets[0].getsockname()[1]


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    async def visit(port: int) -> None:
        app = make_app(Home(tmp_path), Access())
        with pytest.raises(MachineError, match=f"port {port} cannot be had: it is in use"):
            async with listening(app, "127.0.0.1", port):
                pass

    listened(visit, tmp_path)


def test_what_is_no_certificate_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.pem").write_text("x")
    with pytest.raises(UserError, match=r"make no TLS"):
        tls_of(tmp_path / "x.pem", tmp_path / "x.pem")
