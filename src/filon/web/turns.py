"""Turns at hosts that processes of one machine share: no two of them ask a host at the same time.

One file has a place for each host, which a process holds while it asks there. The lock is the
system's, so that it ends with its process; what is written in the place is when a request of
anybody's left last, and until when the host wants to be left alone. Unix times: clocks of
processes have nothing else in common.
"""

import contextlib
import hashlib
import os
import struct
import sys
from pathlib import Path
from typing import NamedTuple, Self

#: The variable by which a process tells those that it begins where the file is.
VARIABLE = "FILON_TURNS"
#: Two hosts that fall on one place wait for each other: of a thousand, eight do.
PLACES = 1 << 16
_PLACE = struct.Struct("<dd")


class Turn(NamedTuple):
    """What a host has seen of all. left_s: when a request left last; free_s: not before."""

    left_s: float = 0.0
    free_s: float = 0.0


class Turns:
    """The places of a file, which is made where there is none."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)

    @classmethod
    def shared(cls) -> Self | None:
        """Return those that the environment names; None where it names none that can be had."""
        with contextlib.suppress(OSError):
            return cls(Path(os.environ[VARIABLE])) if os.environ.get(VARIABLE) else None
        return None

    def take(self, host: str) -> Turn | None:
        """Hold a host, and return what it has seen; None where another process holds it."""
        start = _start(host)
        if not _hold(self._file, start):
            return None
        os.lseek(self._file, start, os.SEEK_SET)
        kept = os.read(self._file, _PLACE.size)
        return Turn(*_PLACE.unpack(kept)) if len(kept) == _PLACE.size else Turn()

    def give(self, host: str, turn: Turn) -> None:
        """Let others have a host, and tell them what it has seen."""
        start = _start(host)
        # A full disk costs the others the time, and nobody the turn.
        with contextlib.suppress(OSError):
            os.lseek(self._file, start, os.SEEK_SET)
            os.write(self._file, _PLACE.pack(*turn))
        _let_go(self._file, start)

    def close(self) -> None:
        """Let go of all."""
        os.close(self._file)


def _start(host: str) -> int:
    digest = hashlib.blake2b(host.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest) % PLACES * _PLACE.size


if sys.platform == "win32":
    import msvcrt

    #: There nobody reads what another holds: the locks stand behind the places.
    _LOCKS = PLACES * _PLACE.size

    def _hold(file: int, start: int) -> bool:
        os.lseek(file, _LOCKS + start, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _let_go(file: int, start: int) -> None:
        os.lseek(file, _LOCKS + start, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _hold(file: int, start: int) -> bool:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _PLACE.size, start)
        except OSError:
            return False
        return True

    def _let_go(file: int, start: int) -> None:
        fcntl.lockf(file, fcntl.LOCK_UN, _PLACE.size, start)
