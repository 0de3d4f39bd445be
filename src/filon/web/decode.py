"""Content codings, decoded as the bytes come in. No socket: bytes in, bytes out.

Every decoder yields pieces of bounded size, so a bomb is seen long before it fills the memory.
"""

import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import brotli

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

ACCEPTED = "gzip, deflate, br, zstd"
#: Small slices in, so that the ratio is known early; bounded pieces out.
SLICE_BYTES, PIECE_BYTES = 4 * 1024, 256 * 1024
#: Real pages and tables compress up to some 100 times; below the size the ratio proves nothing.
MAX_RATIO, RATIO_FROM_BYTES = 200, 10 * 1024 * 1024
#: No honest server compresses more than twice; each layer multiplies the ratio of a bomb.
MAX_LAYERS = 2
#: 8 MiB: the window that RFC 9659 allows to zstd as a content coding.
ZSTD_WINDOW_LOG = 23


class BombError(Exception):
    """The body decompresses to far more than it should."""


class BrokenError(Exception):
    """The body is not what its coding says."""


class Layer(Protocol):
    """One coding."""

    ended: bool

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes decode to."""


class Gzip:
    """gzip, of one member or several; what follows the last member is ignored, as by gunzip."""

    def __init__(self) -> None:
        self.ended = False
        self._engine = zlib.decompressobj(31)
        self._between = b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes decode to."""
        while data:
            if self.ended:
                data = self._between + data
                self._between = data[:2]
                if len(data) < 2 or not data.startswith(b"\x1f\x8b"):
                    return
                self.ended, self._between, self._engine = False, b"", zlib.decompressobj(31)
            yield self._engine.decompress(data, PIECE_BYTES)
            self.ended = self._engine.eof
            data = self._engine.unused_data if self.ended else self._engine.unconsumed_tail


class Deflate:
    """zlib, as the standard says, or bare deflate, as some servers understand it."""

    def __init__(self) -> None:
        self.ended = False
        self._engine: zlib._Decompress | None = None

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes decode to."""
        if self._engine is None and data:
            self._engine = zlib.decompressobj(15 if data[0] & 0x0F == 8 else -15)
        while data and self._engine and not self.ended:
            yield self._engine.decompress(data, PIECE_BYTES)
            self.ended, data = self._engine.eof, self._engine.unconsumed_tail


class Brotli:
    """br."""

    def __init__(self) -> None:
        self.ended = False
        self._engine = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes decode to."""
        while not self.ended and (data or not self._engine.can_accept_more_data()):
            yield self._engine.process(data, output_buffer_limit=PIECE_BYTES)
            self.ended, data = self._engine.is_finished(), b""


class Zstd:
    """zstd, of one frame or several."""

    def __init__(self) -> None:
        self.ended = False
        self._engine = self._fresh()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes decode to."""
        while data or not (self.ended or self._engine.needs_input):
            if self.ended:
                self.ended, self._engine = False, self._fresh()
            yield self._engine.decompress(data, PIECE_BYTES)
            self.ended = self._engine.eof
            data = self._engine.unused_data if self.ended else b""

    @staticmethod
    def _fresh() -> ZstdDecompressor:
        return ZstdDecompressor(options={DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG})


_LAYERS: dict[str, Callable[[], Layer]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": Zstd,
}
_GZIP_FILES = frozenset({"application/gzip", "application/x-gzip", "application/x-gunzip"})


class Decoder:
    """All codings of a body.

    bound_bytes: the longest body that is wanted; what goes beyond it by its ratio is a bomb.

    >>> decoder = Decoder("gzip")
    >>> b"".join(decoder.feed(zlib.compress(b"abc", wbits=31)))
    b'abc'
    >>> decoder.finish()
    """

    def __init__(self, codings: str, bound_bytes: int = RATIO_FROM_BYTES) -> None:
        names = [name.strip().lower() for name in codings.split(",")]
        # An unknown name is no coding of ours: browsers take the body as it is, and so do we.
        makers = [_LAYERS[name] for name in names if name in _LAYERS]
        if len(makers) > MAX_LAYERS:
            raise BombError(f"The body is compressed {len(makers)} times over.")
        self._layers = [make() for make in reversed(makers)]
        self._harmless_bytes = min(bound_bytes, RATIO_FROM_BYTES)
        self._came = self._gave = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes of the body decode to."""
        try:
            for start in range(0, len(data), SLICE_BYTES):
                taken = data[start : start + SLICE_BYTES]
                self._came += len(taken)
                for piece in self._through(taken, 0):
                    self._gave += len(piece)
                    self.check(self._harmless_bytes)
                    yield piece
        except (zlib.error, brotli.error, ZstdError, EOFError) as problem:
            raise BrokenError("The compressed body cannot be decoded.") from problem

    def finish(self) -> None:
        """Say that the body is complete."""
        if self._came and not all(layer.ended for layer in self._layers):
            raise BrokenError("The compressed body ends early.")

    def check(self, harmless_bytes: int) -> None:
        """Raise BombError where so many bytes are passed, and the ratio that honest bodies have."""
        if self._gave > max(harmless_bytes, MAX_RATIO * self._came):
            ratio = self._gave // self._came
            raise BombError(f"The body grows {ratio} times when decoded.")

    def _through(self, data: bytes, depth: int) -> Iterator[bytes]:
        if depth == len(self._layers):
            yield data
            return
        for piece in self._layers[depth].pieces(data):
            if piece:
                yield from self._through(piece, depth + 1)


def decoder(codings: str, mime: str, bound_bytes: int) -> Decoder | None:
    """Return what decodes a body; None: it is as it is.

    A gzip file that a server calls gzip twice, as type and as coding, is left as the file.
    """
    if not codings or codings.strip().lower() == "identity":
        return None
    if mime in _GZIP_FILES and codings.strip().lower() in ("gzip", "x-gzip"):
        return None
    return Decoder(codings, bound_bytes)
