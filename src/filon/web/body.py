"""Where a body goes while it comes in: memory first, then a file."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

from filon.core import MachineError


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
            "nothing acknowledged is lost, and `filon resume` goes on with the run."
        ) from problem
