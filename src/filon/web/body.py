"""Where a body goes while it comes in: memory first, then a file.

`Parts` keeps what came of one that broke off. The next request for it asks for the rest alone, by a
range, on the condition that the file is the same (If-Range): a long download is not begun anew for
a connection that broke. Without a strong validator, or where the body was compressed, it is asked
for whole.
"""

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from filon.core import MachineError, Request

Headers = tuple[tuple[str, str], ...]
#: Bodies that broke off and are kept; each may hold Options.memory_bytes, and a descriptor.
MOST_PARTS = 4
#: What is shorter is asked for whole: it costs as much.
LEAST_BYTES = 16 * 1024
#: Headers that tell of the transfer and not of the file.
_OF_THE_PART = frozenset({"content-range", "content-length", "transfer-encoding"})
_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})")


class Body:
    """Collects a decoded body. Its beginning stays in memory; the whole of a long one is a file.

    >>> body = Body(memory_bytes=10, spool_dir="")
    >>> body.add(b"abc")
    >>> body.close(), body.beginning, body.spool
    (None, b'abc', '')
    """

    def __init__(self, memory_bytes: int, spool_dir: str) -> None:
        self.size_bytes = 0
        self.spool = ""
        self._memory_bytes = memory_bytes
        self._dir = spool_dir
        self._parts: list[bytes] = []
        self._file: BinaryIO | None = None

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        room = self._memory_bytes - self.size_bytes
        self.size_bytes += len(piece)
        if room > 0:
            self._parts.append(piece[:room] if len(piece) > room else piece)
        if len(piece) > room:
            self._write(piece)

    def is_full(self, piece: bytes) -> bool:
        """Say whether the memory has no room for a piece, and no file has been begun."""
        return not self.spool and self.size_bytes + len(piece) > self._memory_bytes

    def fill_up(self, piece: bytes) -> None:
        """Take as much of a piece as there is room for in memory."""
        self.add(piece[: self._memory_bytes - self.size_bytes])

    @property
    def beginning(self) -> bytes:
        """The body, as far as memory holds it."""
        return self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)

    def close(self) -> None:
        """Say that the body is complete."""
        if self._file:
            with _storing():
                self._file.close()

    def discard(self) -> None:
        """Forget the body: it did not come whole, or is not wanted."""
        self._parts.clear()
        if self._file:
            with contextlib.suppress(OSError):  # what could not be written is not wanted either
                self._file.close()
            with contextlib.suppress(FileNotFoundError):  # the run has tidied up already
                os.unlink(self.spool)
            self._file, self.spool = None, ""

    def _write(self, piece: bytes) -> None:
        with _storing():
            if not self._file:
                os.makedirs(self._dir, exist_ok=True)
                handle, self.spool = tempfile.mkstemp(prefix="body-", suffix=".part", dir=self._dir)
                self._file = os.fdopen(handle, "wb", buffering=0)
                self._write_all(self.beginning[: self.size_bytes - len(piece)])
            self._write_all(piece)

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view and self._file:  # an unbuffered file may take less than it was given
            view = view[self._file.write(view) or 0 :]


@contextlib.contextmanager
def _storing() -> Iterator[None]:
    """A disk that does not take a body is the machine's fault, not the web's."""
    try:
        yield
    except OSError as problem:
        raise MachineError(
            f"A long download cannot be stored: {problem.strerror}; "
            "nothing that came in is lost, and `filon resume` goes on with the run."
        ) from problem


@dataclass(frozen=True, slots=True)
class Part:
    """What came of a body, with the head of its answer, and by what it is known to be the same."""

    body: Body
    headers: Headers
    validator: str

    def total_bytes(self, status: int, headers: Headers) -> int:
        """Return how long the whole is, by the head of an answer; 0 where that is not the rest."""
        fields = {name.lower(): value for name, value in headers}
        match = _RANGE.fullmatch(fields.get("content-range", "").strip())
        if status != 206 or not match or "content-encoding" in fields:
            return 0
        first, last, total = (int(number) for number in match.groups())
        is_rest = first == self.body.size_bytes and last + 1 == total
        known = _validator(headers)
        return total if is_rest and known in ("", self.validator) else 0


class Parts:
    """Bodies that broke off, by the URL that they were asked for with."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}

    def holds(self, request: Request) -> bool:
        """Say whether the rest of a body was asked for."""
        return bool(self.asking(request))

    def asking(self, request: Request) -> dict[str, str]:
        """Return the headers that ask for the rest of a body; nothing where none is kept."""
        part = self._parts.get(request.url)
        if part is None or request.method != "GET" or request.begins:
            return {}
        first = f"bytes={part.body.size_bytes}-"
        return {"Range": first, "If-Range": part.validator, "Accept-Encoding": "identity"}

    def take(self, request: Request) -> Part:
        """Return what is kept for a request, and keep it no more."""
        return self._parts.pop(request.url)

    def keep(self, request: Request, status: int, headers: Headers, body: Body) -> None:
        """Keep what came of a body that broke off, where its rest can be asked for."""
        fields = {name.lower(): value for name, value in headers}
        validator = _validator(headers)
        fit = status == 200 and request.method == "GET" and "content-encoding" not in fields
        refuses = fields.get("accept-ranges", "").strip().lower() == "none"
        if not fit or refuses or not validator or body.size_bytes < LEAST_BYTES:
            body.discard()
            return
        self.forget(request)
        while len(self._parts) >= MOST_PARTS:
            self._parts.pop(next(iter(self._parts))).body.discard()
        kept = tuple(pair for pair in headers if pair[0].lower() not in _OF_THE_PART)
        self._parts[request.url] = Part(body, kept, validator)

    def forget(self, request: Request) -> None:
        """Let go of what is kept for a request: its body comes whole."""
        if part := self._parts.pop(request.url, None):
            part.body.discard()

    def close(self) -> None:
        """Let go of all."""
        while self._parts:
            self._parts.popitem()[1].body.discard()


def _validator(headers: Headers) -> str:
    """Return by what a file is known to be the same: a strong ETag, else its date; "": nothing.

    >>> _validator((("ETag", '"a"'), ("Last-Modified", "x"))), _validator((("ETag", 'W/"a"'),))
    ('"a"', '')
    """
    fields = {name.lower(): value.strip() for name, value in headers}
    etag = fields.get("etag", "")
    if etag:
        return etag if etag.startswith('"') else ""
    return fields.get("last-modified", "")
