"""Dumps: triples read off a stream of bytes, packed or not, as they come.

gzip, bzip2 and ZIP are unpacked on the way. Nothing is held but what a parser holds, the bounds
are on what comes out, and what came before an error stays.
"""

import bz2
import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import pyoxigraph as ox

from filon.page.url import extension
from filon.verbs.follow.rdf.document import Document, Graph
from filon.verbs.follow.rdf.files import FAULTS, FORMATS, asserted, recoded
from filon.verbs.follow.rdf.limits import Shallow, explode
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.rdf.syntaxes import EXTENSIONS, guesses

#: Unpacked, a dump of the largest datasets that is still worth a run of hours.
MOST_BYTES = 64 * 1024**3
#: What is looked at to tell the syntax, and whether XML entities explode.
HEAD = 65_536
PIECE = 1 << 16
#: What is unpacked at a time, however much a few bytes stand for.
GROWTH = 1 << 20
GZIP, BZIP2, ZIP = b"\x1f\x8b", b"BZh", b"PK\x03\x04"
PACKED = ("gz", "bz2", "zip")
_ZIP_HEADER = 30


def is_packed(body: bytes) -> bool:
    """Say whether bytes begin as a packed file does.

    >>> is_packed(b"PK\\x03\\x04..."), is_packed(b"@prefix")
    (True, False)
    """
    return body.startswith((GZIP, BZIP2, ZIP))


def inner_name(url: str) -> str:
    """Return a URL without the ending that says how it is packed.

    >>> inner_name("http://a.org/all.nt.gz?x=1")
    'http://a.org/all.nt'
    """
    base = url.partition("#")[0].partition("?")[0]
    ending = extension(base)
    return base[: -len(ending) - 1] if ending in PACKED else base


class Dump:
    """The triples of a dump, to be iterated once.

    stream: anything with `read(size)`; url: its base, and what its name tells.
    most_bytes, most: bounds on unpacked bytes and on triples.
    After the iteration `broken` says why it ended early, `full` that a bound was reached, and
    `decoded_bytes` how much was unpacked.

    >>> import gzip
    >>> packed = gzip.compress(b"<http://a.org/x> <http://a.org/p> 'o' .")
    >>> len(list(Dump(io.BytesIO(packed), "http://a.org/x.ttl.gz")))
    1
    """

    def __init__(
        self,
        stream: BinaryIO,
        url: str,
        content_type: str = "",
        *,
        most_bytes: int = MOST_BYTES,
        most: int = 1_000_000_000,
    ) -> None:
        self.broken, self.full, self.decoded_bytes = "", False, 0
        self.syntaxes: list[str] = []
        self._stream, self._url, self._type = stream, url, content_type
        self._most_bytes, self._most = most_bytes, most

    def __iter__(self) -> Iterator[ox.Triple]:
        return (triple for triple, _ in self.quads())

    def quads(self) -> Iterator[tuple[ox.Triple, Graph | None]]:
        """Yield the triples, each with the name of its graph, None where it has none."""
        count = 0
        for name, pieces in self._members():
            for quad in self._parsed(name, _Pieces(recoded(self._bounded(pieces), self._type))):
                yield quad
                count += 1
                if count >= self._most:
                    self.full = True
                    return

    def _members(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Return the files of a dump as they come: one, unless it is a ZIP."""
        source = _Source(self._stream)
        head = source.peek(4)
        name = inner_name(self._url)
        if head.startswith(ZIP):
            yield from _zipped(source, name)
        elif head.startswith(GZIP):
            yield name, _gunzipped(source)
        elif head.startswith(BZIP2):
            yield name, _bunzipped(source)
        else:
            yield name, iter(source.take, b"")

    def _bounded(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        try:
            for piece in pieces:
                room = self._most_bytes - self.decoded_bytes
                self.decoded_bytes += min(room, len(piece))
                if room <= 0:
                    self.full = True
                    return
                yield piece[:room]
        except (OSError, zlib.error, EOFError, ValueError) as error:
            self.broken = self.broken or f"cannot be unpacked: {error}"

    def _parsed(self, name: str, pieces: "_Pieces") -> Iterator[tuple[ox.Triple, Graph | None]]:
        head = pieces.head(HEAD)
        mime = self._type.partition(";")[0].strip().lower()
        likely = guesses(head, "" if is_packed_type(mime) else mime, name)
        syntax = next((one for one in likely if one in FORMATS), "")
        if not syntax:
            yield from self._whole(name, pieces) if likely else ()
            return
        if syntax == "rdfxml" and explode(head):
            self.broken = "its entities stand for too much text"
            return
        self.syntaxes.append(syntax)
        shallow = Shallow(pieces.rest(), syntax)
        try:
            quads = ox.parse(
                input=io.BufferedReader(_Pieces(iter(shallow)), PIECE),
                format=FORMATS[syntax],
                base_iri=self._url,
                lenient=True,
            )
            for quad in asserted(quads) if syntax == "n3" else quads:
                graph = quad.graph_name
                yield quad.triple, None if isinstance(graph, ox.DefaultGraph) else graph
        except FAULTS as error:
            self.broken = self.broken or shallow.fault or str(error)
        self.broken = self.broken or shallow.fault

    def _whole(self, name: str, pieces: "_Pieces") -> Iterator[tuple[ox.Triple, Graph | None]]:
        """Read what cannot be read piece by piece: JSON-LD, HTML. A bounded part of it."""
        body = io.BufferedReader(pieces, PIECE).read(50_000_000)
        document = read(body, name, "", most=self._most)
        self.broken = self.broken or document.broken
        self.syntaxes.extend(document.syntaxes)
        yield from document.quads()


def read_packed(
    body: bytes, url: str, content_type: str = "", *, most_bytes: int, most: int
) -> Document:
    """Return what a packed file, or the beginning of one, says in RDF."""
    dump = Dump(io.BytesIO(body), url, content_type, most_bytes=most_bytes, most=most)
    document = Document()
    triples = list(dump)
    document.add(triples, dump.syntaxes[0] if dump.syntaxes else "")
    document.broken, document.full = dump.broken, dump.full
    return document


def is_packed_type(content_type: str) -> bool:
    """Say whether a type is that of a container, which tells nothing of what is within."""
    mime = content_type.partition(";")[0].strip().lower()
    return mime.startswith("application/") and mime.endswith(
        ("gzip", "bzip2", "bzip", "zip", "octet-stream", "x-compressed", "x-zip-compressed")
    )


class _Source:
    """A stream from which bytes can be looked at before they are taken."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._held = stream, b""

    def peek(self, size: int) -> bytes:
        while len(self._held) < size and (more := self._stream.read(PIECE)):
            self._held += more
        return self._held[:size]

    def take(self, size: int = PIECE) -> bytes:
        self.peek(1)
        taken, self._held = self._held[:size], self._held[size:]
        return taken

    def give_back(self, data: bytes) -> None:
        self._held = data + self._held


def _gunzipped(source: _Source, bits: int = 31) -> Iterator[bytes]:
    """Unpack member after member, as parallel packers write them; a ZIP's file has one."""
    unpacker, data = zlib.decompressobj(bits), b""
    while data := data or source.take():
        yield unpacker.decompress(data, GROWTH)
        data = unpacker.unconsumed_tail
        if unpacker.eof:
            source.give_back(unpacker.unused_data)
            if bits < 0 or not source.peek(4).startswith(GZIP):
                return
            unpacker, data = zlib.decompressobj(bits), b""
    if not unpacker.eof:
        raise EOFError("it ends in the middle")


def _bunzipped(source: _Source) -> Iterator[bytes]:
    unpacker = bz2.BZ2Decompressor()
    while data := source.take():
        yield unpacker.decompress(data, GROWTH)
        while not unpacker.needs_input and not unpacker.eof:
            yield unpacker.decompress(b"", GROWTH)
        if unpacker.eof:
            source.give_back(unpacker.unused_data)
            if not source.peek(4).startswith(BZIP2):
                return
            unpacker = bz2.BZ2Decompressor()
    raise EOFError("it ends in the middle")


def _zipped(source: _Source, name: str) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Return the RDF files of a ZIP by the headers that stand before them.

    The list at its end is not needed, so that the beginning of a ZIP can be read too.
    """
    while source.peek(4) == ZIP:
        header = _exactly(source, _ZIP_HEADER)
        flags, method = (
            int.from_bytes(header[6:8], "little"),
            int.from_bytes(header[8:10], "little"),
        )
        packed = int.from_bytes(header[18:22], "little")
        path = _exactly(source, int.from_bytes(header[26:28], "little")).decode("utf-8", "replace")
        _exactly(source, int.from_bytes(header[28:30], "little"))
        if method == 8:
            pieces = _gunzipped(source, -15)
        elif method == 0 and not flags & 8:
            pieces = _stored(source, packed)
        else:
            return  # no way to tell where it ends
        if extension(f"http://x/{path}") in EXTENSIONS:
            yield f"{name}/{path}" if not path.startswith("/") else f"{name}{path}", pieces
        for _ in pieces:
            pass  # what was not wanted, or not read to its end
        if flags & 8:
            _to_next(source)


def _exactly(source: _Source, size: int) -> bytes:
    source.peek(size)
    return source.take(size) if size else b""


def _stored(source: _Source, size: int) -> Iterator[bytes]:
    while size and (data := source.take(min(size, PIECE))):
        size -= len(data)
        yield data


def _to_next(source: _Source) -> None:
    """Pass the sizes that stand behind a file of a ZIP."""
    skipped = _exactly(source, 24)
    at = max(skipped.find(ZIP), skipped.find(b"PK\x01\x02"))
    source.give_back(skipped[at:] if at >= 0 else b"")


class _Pieces(io.RawIOBase):
    """An iterator of bytes as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._held = pieces, b""

    def readable(self) -> bool:
        return True

    def head(self, size: int) -> bytes:
        """Return the beginning, which is read again later."""
        while len(self._held) < size and (piece := next(self._pieces, None)) is not None:
            self._held += piece
        return self._held[:size]

    def rest(self) -> Iterator[bytes]:
        """Return all that was not read yet, piece by piece."""
        if self._held:
            yield self._held
        self._held = b""
        yield from self._pieces

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._held:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._held = piece
        count = min(len(buffer), len(self._held))
        buffer[:count], self._held = self._held[:count], self._held[count:]
        return count
