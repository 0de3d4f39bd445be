"""The disk under a run: failures in one sentence, files whole or as before, one writer at a time.

What the disk and the ledger may do to us is a MachineError. Every file of a run folder that is not
appended to is written apart and then takes its place, and so are reports and exports. The part
stands beside its goal, since only within one file system a rename is a single act; its name has
the process, so that two that write the same file do not write into each other. Credentials never
stand in a run folder: what looks like one is masked before it is written.
"""

import errno
import os
import shutil
import sqlite3
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filon.core import MachineError, UserError
from filon.page.url import MASK, mask_url

Headers = tuple[tuple[str, str], ...]
#: Headers whose value lets somebody in.
SECRET_HEADERS = frozenset(
    {"authorization", "cookie", "proxy-authorization", "set-cookie", "set-cookie2", "x-api-key"}
)
_NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})
#: How long others may be in the way while a database is made.
BUSY_S = 60.0


def may(path: Path, mode: int) -> bool:
    """Say whether we have a permission: os.R_OK, os.W_OK, os.X_OK, or several of these."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


@contextmanager
def writing(run: Path, file: Path | None = None) -> Iterator[None]:
    """Turn a failed write into a MachineError that says what to do, and which file it was."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise _full(run, file) from error
        raise MachineError(
            f"{file or run} cannot be written: {error.strerror or error}."
        ) from error
    except sqlite3.OperationalError as error:
        # SQLite says "disk I/O error" where a quota or a file size limit stopped it.
        if "full" in str(error) or "disk I/O" in str(error):
            raise _full(run, file) from error
        raise MachineError(
            f"{file or f'The ledger of {run}'} cannot be written: {_reason(error)}."
        ) from error
    except sqlite3.DatabaseError as error:
        raise_unless_damaged(error)
        raise MachineError(f"{file or f'The ledger of {run}'} is damaged: {error}.") from error


@contextmanager
def reading(run: Path) -> Iterator[None]:
    """Turn an unreadable store into a MachineError."""
    try:
        yield
    except OSError as error:
        raise MachineError(f"{run} cannot be read: {error.strerror or error}.") from error
    except sqlite3.OperationalError as error:
        does = "written" if _is_refused(error) else "read"
        raise MachineError(f"The ledger of {run} cannot be {does}: {_reason(error)}.") from error
    except sqlite3.DatabaseError as error:
        raise_unless_damaged(error)
        raise MachineError(f"The ledger of {run} is damaged: {error}.") from error


def _is_refused(error: sqlite3.OperationalError) -> bool:
    return "readonly" in str(error)


def _reason(error: sqlite3.OperationalError) -> str:
    return "there is no permission to write" if _is_refused(error) else str(error)


def raise_unless_damaged(error: sqlite3.DatabaseError) -> None:
    """Let our own mistakes through: only the plain class tells of a damaged file."""
    if type(error) is not sqlite3.DatabaseError:
        raise error


def _full(run: Path, file: Path | None) -> MachineError:
    if file:  # a report, an export or a catalog: its folder need not be a run
        return MachineError(f"The disk is full: {file} cannot be written.")
    return MachineError(
        f"The disk is full: nothing that came in is lost, "
        f"and `filon resume {run}` goes on when there is room."
    )


@contextmanager
def apart(path: Path) -> Iterator[Path]:
    """Give a place beside a path for a file or a folder, and remove what still stands there."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
    finally:
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a place to write a file that then takes that of path; a MachineError where it cannot.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     goal = Path(folder) / "sites.csv"
    ...     with replacing(goal) as part:
    ...         _ = part.write_text("url")
    ...         goal.exists()
    ...     goal.read_text()
    False
    'url'
    """
    with writing(path.parent, path), apart(path) as part:
        yield part
        part.replace(path)


def replace_text(path: Path, text: str, *, errors: str = "strict") -> None:
    """Write a text in UTF-8 in place of what the file held, line ends as they are."""
    with (
        replacing(path) as part,
        part.open("w", encoding="utf-8", errors=errors, newline="") as file,
    ):
        file.write(text)


if sys.platform == "win32":
    import msvcrt

    #: Windows opens no folder, so that a file in it is held; it stays behind, empty.
    _HELD = "lock"

    def _hold(folder: Path) -> int:
        descriptor = os.open(folder / _HELD, os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:  # EACCES, which says so of nothing else: it could be opened
            os.close(descriptor)
            raise BlockingIOError from None
        return descriptor

    def _let_go(descriptor: int) -> None:
        # Closing would do, but at a time of the system's choice.
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        os.close(descriptor)

else:
    import fcntl

    def _hold(folder: Path) -> int:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def _let_go(descriptor: int) -> None:
        os.close(descriptor)


class Lock:
    """Held on the run's folder itself, where a system can: it ends with its process.

    wait_s: who only looks whether a run is at work holds it for a moment, which is waited for.
    """

    def __init__(self, folder: Path, wait_s: float = 0.0) -> None:
        until_s = time.monotonic() + wait_s
        while True:
            try:
                self._descriptor = _hold(folder)
                return
            except BlockingIOError:
                if time.monotonic() >= until_s:
                    break
            time.sleep(0.01)
        raise UserError(f"{folder} is in use by another process: let it end first.")

    def release(self) -> None:
        """Let others have the run; does nothing the second time."""
        if self._descriptor >= 0:
            _let_go(self._descriptor)
            self._descriptor = -1


def append_line(path: Path, line: str) -> None:
    """Write a line, or several, at the end of a file, which is made where there is none.

    It is one write: two processes do not write into each other's lines, and what a kill has cut
    off stays a line of its own.
    """
    with writing(path.parent, path), path.open("ab+", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
        whole = not end or file.read(1) == b"\n"
        file.write(f"{'' if whole else chr(10)}{line}\n".encode())
        os.fsync(file.fileno())


def read_config(path: Path) -> dict[str, Any]:
    """Read run.toml; a MachineError where it is damaged."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MachineError(f"{path} is damaged: {error}.") from error


def mask_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Hide the values of secret headers; a cookie keeps its name and attributes.

    >>> mask_headers([("Set-Cookie", "sid=1; Path=/"), ("Age", "3")])
    [('Set-Cookie', 'sid=***; Path=/'), ('Age', '3')]
    """
    return [(name, _mask_header(name.lower(), value)) for name, value in headers]


def _mask_header(name: str, value: str) -> str:
    if name == "location":
        return mask_url(value)
    if name not in SECRET_HEADERS:
        return value
    cookie, equals, rest = value.partition("=")
    if not name.startswith("set-cookie") or not equals:
        return MASK
    _, semicolon, attributes = rest.partition(";")
    return f"{cookie}={MASK}{semicolon}{attributes}"


def write_ahead(db: sqlite3.Connection) -> None:
    """Let a connection write ahead, as everybody does from then on.

    Where several make a file at the same time, SQLite refuses this at once, whatever time-out the
    connection has: it is asked again.

    >>> db = sqlite3.connect(":memory:")
    >>> write_ahead(db)
    """
    until_s = time.monotonic() + BUSY_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > until_s:
                raise
        time.sleep(0.01)


class Transaction:
    """What is written to a database within it is all written, or nothing.

    alone: a database that is attached is only read, and others may be writing to it; the first
        statement must be one that writes.
    """

    def __init__(self, db: sqlite3.Connection, *, alone: bool = False) -> None:
        self._db, self._alone = db, alone

    def __enter__(self) -> None:
        # IMMEDIATE waits for who writes to any of the databases.
        self._db.execute("BEGIN" if self._alone else "BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
