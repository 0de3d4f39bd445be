"""Places within one write where a kill -9 hurts most, and a way to die exactly there."""

import os
import signal
from collections.abc import Callable
from typing import Any

from filon.run.archive import Archive, Files
from filon.run.folder import RunFolder
from filon.run.ledger import Ledger

#: How often a seam is passed alive.
LIVES = 30


_RECORD = Ledger.record


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _half_a_record(archive: Archive, record: bytes) -> None:
    os.write(archive._open().fileno(), record[: len(record) // 2])
    _die()


def _half_a_file(files: Files, body: bytes) -> None:
    files._part().write_bytes(body[: len(body) // 2])
    _die()


class _Mortal:
    """A connection that dies when the finds of an answer are to be written."""

    executemany = _die

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def _half_a_commit(ledger: Any, *given: Any, **named: Any) -> None:
    ledger._db = _Mortal(ledger._db)
    _RECORD(ledger, *given, **named)  # lives on where there are no finds


#: The seam's name: the method that is replaced at last, and by what.
SEAMS: dict[str, tuple[type, str, Callable[..., Any]]] = {
    "before a step is written down": (Ledger, "begin", _die),
    "within a file": (Files, "put", _half_a_file),
    "between the file and its record": (Archive, "append", _die),
    "within a record": (Archive, "_write", _half_a_record),
    "between the record and the commit": (Ledger, "record", _die),
    "within the commit": (Ledger, "record", _half_a_commit),
    "after the commit": (RunFolder, "checkpoint", _die),
    "before a checkpoint is saved": (Ledger, "save", _die),
}


def die_at(seam: str) -> None:
    """Let this process die at a seam, after having passed it some times."""
    owner, name, death = SEAMS[seam]
    alive, lives = getattr(owner, name), 2 if name == "save" else LIVES

    def pass_or_die(*given: Any, **named: Any) -> Any:
        nonlocal lives
        lives -= 1
        return (alive if lives > 0 else death)(*given, **named)

    setattr(owner, name, pass_or_die)
