"""What the disk and the ledger may do to us, said in one sentence: a MachineError."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filon.core import MachineError

_NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})


@contextmanager
def writing(run: Path, file: Path | None = None) -> Iterator[None]:
    """Turn a failed write into a MachineError that says what to do, and which file it was."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise _full(run) from error
        raise MachineError(
            f"{file or run} cannot be written: {error.strerror or error}."
        ) from error
    except sqlite3.OperationalError as error:
        # SQLite says "disk I/O error" where a quota or a file size limit stopped it.
        if "full" in str(error) or "disk I/O" in str(error):
            raise _full(run) from error
        raise MachineError(f"The ledger of {run} cannot be written: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise_unless_damaged(error)
        raise MachineError(f"The ledger of {run} is damaged: {error}.") from error


@contextmanager
def reading(run: Path) -> Iterator[None]:
    """Turn an unreadable store into a MachineError."""
    try:
        yield
    except OSError as error:
        raise MachineError(f"{run} cannot be read: {error.strerror or error}.") from error
    except sqlite3.OperationalError as error:
        raise MachineError(f"The ledger of {run} cannot be read: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise_unless_damaged(error)
        raise MachineError(f"The ledger of {run} is damaged: {error}.") from error


def raise_unless_damaged(error: sqlite3.DatabaseError) -> None:
    """Let our own mistakes through: only the plain class tells of a damaged file."""
    if type(error) is not sqlite3.DatabaseError:
        raise error


def _full(run: Path) -> MachineError:
    return MachineError(
        f"The disk is full: nothing acknowledged is lost, "
        f"and `filon resume {run}` goes on when there is room."
    )
