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


_WRITE, _COMMIT = Ledger._write, Ledger.commit


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _half_a_record(archive: Archive, record: bytes) -> None:
    os.write(archive._open().fileno(), record[: len(record) // 2])
    _die()


def _half_a_file(files: Files, body: bytes) -> None:
    files._write(b"").write_bytes(body[: len(body) // 2])
    _die()


def _finds_unwritten(ledger: Any, statement: str, values: Any) -> None:
    if statement.startswith("INSERT INTO finds"):
        _die()
    _WRITE(ledger, statement, values)


def _commit_and_die(ledger: Ledger) -> None:
    _COMMIT(ledger)
    _die()


#: The seam's name: the method that is replaced at last, and by what.
SEAMS: dict[str, tuple[type, str, Callable[..., Any]]] = {
    "before a step is written down": (Ledger, "begin", _die),
    "within a file": (Files, "put", _half_a_file),
    "between the file and its record": (Archive, "append", _die),
    "within a record": (Archive, "_write", _half_a_record),
    "between the record and the ledger": (Ledger, "record", _die),
    "between an answer and its finds": (Ledger, "_write", _finds_unwritten),
    "behind the answers of a turn": (RunFolder, "checkpoint", _die),
    "before the commit": (Ledger, "commit", _die),
    "after the commit": (Ledger, "commit", _commit_and_die),
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
