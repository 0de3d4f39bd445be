"""The vices, one small coroutine each: what a server must never be able to do to a crawl."""

import functools
import gzip
import socket
import struct
import zlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import brotli

if TYPE_CHECKING:
    from hostile.server import Call

MIB = 1024 * 1024
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
LINKS = b"".join(b'<a href="/page/%07d">page %07d</a>\n' % (i, i) for i in range(265_000))

Vice = Callable[["Call"], Awaitable[None]]
VICES: dict[str, Vice] = {}


def vice(name: str) -> Callable[[Vice], Vice]:
    """Name a misbehaviour."""

    def add(behave: Vice) -> Vice:
        VICES[name] = behave
        return behave

    return add


# Time


@vice("silent")
async def _(call: "Call") -> None:
    await call.reader.read()  # until the client gives up


@vice("drip-body")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: 100000\r\n\r\n")
    while True:
        await call.send(b"x")
        await call.tick()


@vice("drip-head")
async def _(call: "Call") -> None:
    await call.send(OK + b"X-Slow: ")
    while True:
        await call.send(b"x")
        await call.tick()


@vice("stall")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: 100000\r\n\r\nbeginning")
    await call.reader.read()


@vice("endless")
async def _(call: "Call") -> None:
    await call.send(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        await call.send(b"%x\r\n%s\r\n" % (len(LINKS[:65536]), LINKS[:65536]))


@vice("endless-untyped")
async def _(call: "Call") -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<!doctype html>")
    while True:
        await call.send(LINKS[:65536])


@vice("endless-csv")
async def _(call: "Call") -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nConnection: close\r\n\r\n")
    while True:
        await call.send(b"a,b,c\n" * 10_000)


@vice("endless-compressed")
async def _(call: "Call") -> None:
    packer = zlib.compressobj(wbits=31)
    await call.send(OK + b"Content-Encoding: gzip\r\nConnection: close\r\n\r\n")
    while True:
        data = packer.compress(LINKS[:65536]) + packer.flush(zlib.Z_SYNC_FLUSH)
        await call.send(data)


# Framing


@vice("close-at-once")
async def _(call: "Call") -> None:
    call.close()


@vice("reset")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: 1000\r\n\r\nbeginning")
    linger = struct.pack("ii", 1, 0)  # no farewell: the peer sees a reset
    call.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    call.writer.transport.abort()


@vice("close-in-body")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: 1000\r\n\r\nbeginning")
    call.close()


@vice("length-too-short")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: 5\r\n\r\nabcdefghijklmnopqrstuvwxyz")


@vice("length-negative")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: -5\r\n\r\nabcde")


@vice("length-twice")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg")


@vice("length-huge")
async def _(call: "Call") -> None:
    await call.send(OK + b"Content-Length: 999999999999\r\n\r\nbeginning")
    await call.reader.read()


@vice("chunks-broken")
async def _(call: "Call") -> None:
    await call.send(OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    await call.tick()
    await call.send(b"zz\r\nabc\r\n0\r\n\r\n")


@vice("chunks-broken-at-once")
async def _(call: "Call") -> None:
    await call.send(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n")


@vice("chunks-cut-off")
async def _(call: "Call") -> None:
    await call.send(OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nff\r\nabc")
    call.close()


@vice("trailers-endless")
async def _(call: "Call") -> None:
    await call.send(OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n")
    for i in range(10**6):
        await call.send(b"X-%d: y\r\n" % i)


@vice("chunk-line-endless")
async def _(call: "Call") -> None:
    await call.send(OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3;")
    while True:
        await call.send(b"x" * 65536)


@vice("http-0.9")
async def _(call: "Call") -> None:
    await call.send(b"<html>Who needs headers?</html>\r\n\r\n")
    call.close()


@vice("binary-junk")
async def _(call: "Call") -> None:
    await call.send(bytes(range(256)) * 8)
    call.close()


@vice("upgrade")
async def _(call: "Call") -> None:
    await call.send(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx"
    )
    await call.reader.read()


@vice("continue-for-ever")
async def _(call: "Call") -> None:
    while True:
        await call.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)
        await call.tick()


# Headers


@vice("headers-endless")
async def _(call: "Call") -> None:
    await call.send(OK)
    for i in range(10**6):
        await call.send(b"X-%d: y\r\n" % i)


@vice("header-huge")
async def _(call: "Call") -> None:
    await call.send(OK + b"X-Huge: " + b"x" * MIB + b"\r\nContent-Length: 0\r\n\r\n")


@vice("header-line-endless")
async def _(call: "Call") -> None:
    await call.send(OK + b"X-Endless: ")
    while True:
        await call.send(b"x" * 65536)


@vice("headers-odd")
async def _(call: "Call") -> None:
    await call.send(OK + b"X-Latin: caf\xe9\r\nX-Utf: caf\xc3\xa9\r\nContent-Length: 2\r\n\r\nok")


# Codings


@functools.cache
def zeros_gzip() -> bytes:
    return gzip.compress(bytes(64 * MIB), mtime=0)


@functools.cache
def zeros_deflate() -> bytes:
    return zlib.compress(bytes(64 * MIB))


@functools.cache
def zeros_nested() -> bytes:
    return gzip.compress(zeros_gzip(), mtime=0)


@functools.cache
def zeros_brotli() -> bytes:
    return bytes(brotli.compress(bytes(64 * MIB), quality=4))


@functools.cache
def zeros_zstd() -> bytes:
    from backports import zstd

    return zstd.compress(bytes(64 * MIB))


def build_bombs() -> None:
    for build in (zeros_gzip, zeros_deflate, zeros_nested, zeros_brotli, zeros_zstd):
        build()


@vice("bomb-gzip")
async def _(call: "Call") -> None:
    await call.reply(zeros_gzip(), headers=("Content-Encoding: gzip",))


@vice("bomb-brotli")
async def _(call: "Call") -> None:
    await call.reply(zeros_brotli(), headers=("Content-Encoding: br",))


@vice("bomb-zstd")
async def _(call: "Call") -> None:
    await call.reply(zeros_zstd(), headers=("Content-Encoding: zstd",))


@vice("bomb-deflate")
async def _(call: "Call") -> None:
    await call.reply(zeros_deflate(), headers=("Content-Encoding: deflate",))


@vice("bomb-nested")
async def _(call: "Call") -> None:
    await call.reply(zeros_nested(), headers=("Content-Encoding: gzip, gzip",))


@vice("gzip-twice")
async def _(call: "Call") -> None:
    await call.reply(
        gzip.compress(gzip.compress(b"twice")), headers=("Content-Encoding: gzip, gzip",)
    )


@vice("gzip-five-times")
async def _(call: "Call") -> None:
    body = b"five times"
    for _ in range(5):
        body = gzip.compress(body)
    await call.reply(body, headers=("Content-Encoding: gzip, gzip, gzip, gzip, gzip",))


@vice("gzip-not")
async def _(call: "Call") -> None:
    await call.reply(b"<html>plain</html>", headers=("Content-Encoding: gzip",))


@vice("gzip-cut-off")
async def _(call: "Call") -> None:
    await call.reply(gzip.compress(LINKS[:65536])[:-500], headers=("Content-Encoding: gzip",))


@vice("coding-unknown")
async def _(call: "Call") -> None:
    await call.reply(b"<html>plain</html>", headers=("Content-Encoding: utf-8",))


# Content


@vice("links-10mb")
async def _(call: "Call") -> None:
    await call.reply(LINKS)


@vice("charset-wrong")
async def _(call: "Call") -> None:
    await call.reply("<p>café</p>".encode("latin-1"), mime="text/html; charset=utf-16")


@vice("nul-bytes")
async def _(call: "Call") -> None:
    await call.reply(b"<a\0 href='/x\0y'>\0</a>")


@vice("utf8-invalid")
async def _(call: "Call") -> None:
    await call.reply(b"<p>\xff\xfe\xc3(</p>")


@vice("html-named.csv")
async def _(call: "Call") -> None:
    await call.reply(b"<html><body>Error</body></html>", mime="text/csv")


@vice("csv-typed-html")
async def _(call: "Call") -> None:
    await call.reply(b"a,b\n1,2\n", mime="text/html")


@vice("type-none")
async def _(call: "Call") -> None:
    await call.reply(b"a,b\n1,2\n", mime="")


@vice("empty")
async def _(call: "Call") -> None:
    await call.reply()


# Statuses


@vice("204")
async def _(call: "Call") -> None:
    await call.send(b"HTTP/1.1 204 No Content\r\n\r\n")


@vice("206")
async def _(call: "Call") -> None:
    await call.reply(b"part", status=206, headers=("Content-Range: bytes 0-3/1000",))


@vice("304")
async def _(call: "Call") -> None:
    await call.send(b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 100\r\n\r\n')


@vice("999")
async def _(call: "Call") -> None:
    await call.reply(b"denied", status=999)


@vice("429")
async def _(call: "Call") -> None:
    await call.reply(status=429)


@vice("429-retry-after")
async def _(call: "Call") -> None:
    await call.reply(status=429, headers=("Retry-After: 1",))


@vice("503")
async def _(call: "Call") -> None:
    await call.reply(status=503)


@vice("500")
async def _(call: "Call") -> None:
    await call.reply(b"<h1>Error</h1>", status=500)


# Redirects and secrets


def _redirect(name: str, location: str) -> None:
    @vice(name)
    async def _(call: "Call") -> None:
        there = location.replace("PORT", str(call.server.port))
        await call.reply(status=302, headers=(f"Location: {there}",))


_redirect("redirect-loop", "/vice/redirect-loop")
_redirect("redirect-scheme", "https://hostile.test/")
_redirect("redirect-file", "file:///etc/passwd")
_redirect("redirect-metadata", "http://169.254.169.254/latest/meta-data/")
_redirect("redirect-private", "http://localhost:PORT/")
_redirect("redirect-number", "http://2130706433:PORT/")


@vice("redirect-chain")
async def _(call: "Call") -> None:
    hop = int(call.entry.target.partition("?")[2] or 0)
    there = f"/vice/redirect-chain?{hop + 1}" if hop < 50 else "/data/1"
    await call.reply(status=301, headers=(f"Location: {there}",))


@vice("cookies")
async def _(call: "Call") -> None:
    await call.reply(
        headers=(
            "Set-Cookie: mine=1; Path=/",
            "Set-Cookie: theirs=1; Domain=victim.test; Path=/",
            "Set-Cookie: everyones=1; Domain=test; Path=/",
        )
    )
