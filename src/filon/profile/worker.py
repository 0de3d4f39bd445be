"""Files are read in a process of their own: a stranger's file may take all time and all memory.

One process reads many files; where one of them takes too long, too much, or the process with it,
that file has a problem and the next gets a new process. Whoever needs what is in a file, its
profile, some rows or all of them, asks here: nothing else in the house opens a stranger's table.
"""

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.core import UserError
from filon.profile.difference import Difference
from filon.profile.shape import Profile
from filon.profile.source import UnreadableError

if TYPE_CHECKING:
    from filon.profile.parquet import Written

#: The longest that a file may take, and the most memory that its process may have.
SECONDS = 60.0
MEMORY_BYTES = 4 << 30
#: So many times as long where all its rows are written, ten times as many as a profile reads.
_ALL_ROWS = 5
#: The longest file that its process may write: what it unpacks, and a table as Parquet.
_FILE_BYTES = 2 << 30
#: The problem of a file whose reader is not there: it is read again when it may be.
NOT_INSTALLED = "not installed"


class Worker(AbstractContextManager["Worker"]):
    """Reads files in another process; `close` ends it."""

    def __init__(self, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._seconds, self._memory_bytes = seconds, memory_bytes
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._line: Any = None  # to it: another class on Windows
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._is_cut = False

    def profile(self, path: Path, name: str = "") -> Profile:
        """Return the profile of a file, whatever happens to its process."""
        try:
            result: Profile = self._ask(self._seconds, "profile", path, name)
        except UnreadableError as error:
            return Profile(size_bytes=_size(path), problem=error.problem, detail=str(error))
        return result

    def difference(self, old: Path, new: Path, name: str = "") -> Difference:
        """Return how a file changed, whatever happens to its process."""
        try:
            result: Difference = self._ask(self._seconds, "difference", old, new, name)
        except UnreadableError as error:
            known = Difference(old_bytes=_size(old), new_bytes=_size(new))
            return replace(known, problem=error.problem, detail=str(error))
        return result

    def sample(self, path: Path, name: str, number: int, rows: int) -> list[list[str]]:
        """Return the first rows of a table of a file, the names of its columns first.

        number: of the table, from 1 on. UnreadableError where it cannot be read.
        """
        result: list[list[str]] = self._ask(self._seconds, "sample", path, name, number, rows)
        return result

    def convert(self, path: Path, name: str, out: Path) -> "list[Written]":
        """Write the tables of a file as Parquet into a folder: see `parquet.convert`.

        UnreadableError where it cannot be read, or takes too much.
        """
        seconds = self._seconds * _ALL_ROWS
        result: list[Written] = self._ask(seconds, "convert", path, name, out)
        return result

    def _ask(self, seconds: float, job: str, *given: Any) -> Any:
        line = self._started()
        if self._is_cut:
            raise UnreadableError("crashed", "It was not read any more.")
        try:
            line.send((job, given))
            if not line.poll(seconds):
                self.close()
                raise UnreadableError("too slow", f"It was read for {seconds:.0f} s.")
            is_done, result = line.recv()
        except (EOFError, OSError) as error:
            self.close()
            detail = "It took all memory, or its reader ended over it."
            raise UnreadableError("crashed", detail) from error
        if not is_done:
            if result[0] == "too large":  # what it took may not come back to the next
                self.close()
            raise UnreadableError(*result)
        return result

    def cut_short(self) -> None:
        """End all from another thread: who waits there for a file is told that it crashed."""
        self._is_cut = True
        if self._process:
            self._process.kill()

    def close(self) -> None:
        """End the process."""
        line, process, self._line, self._process = self._line, self._process, None, None
        if line and process:
            line.close()
            process.kill()
            process.join()
        if self._folder:  # what it had unpacked
            self._folder.cleanup()
            self._folder = None

    def __exit__(self, *_: object) -> None:
        self.close()

    def _started(self) -> Any:
        if self._line is None:
            self._line, theirs = self._context.Pipe()
            self._folder = tempfile.TemporaryDirectory(prefix="filon-", ignore_cleanup_errors=True)
            process: Any = self._context.Process(
                target=_serve, args=(theirs, self._memory_bytes, self._folder.name), daemon=True
            )
            with _no_main():
                process.start()
            self._process = process  # once it can be ended
            theirs.close()
        return self._line


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """Keep the new process from running the program that starts it once more."""
    main = sys.modules["__main__"]
    held = {name: main.__dict__.pop(name) for name in ("__file__",) if name in main.__dict__}
    spec, main.__spec__ = main.__spec__, None
    try:
        yield
    finally:
        main.__dict__.update(held)
        main.__spec__ = spec


def _serve(line: Any, memory_bytes: int, folder: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who waits for the answers
    _bound(memory_bytes)
    tempfile.tempdir = folder
    # A library that gives up says so at length where nobody asked: its end says enough.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    while True:
        try:
            job, given = line.recv()
        except (EOFError, OSError):  # who asked is gone, by `kill -9` perhaps
            shutil.rmtree(folder, ignore_errors=True)
            return
        answer = _answer(job, given)
        with contextlib.suppress(OSError):
            line.send(answer)


def _answer(job: str, given: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return that a job is done and its result, or that it is not, with the problem and why."""
    try:
        return True, _jobs()[job](*given)
    except UnreadableError as error:
        return False, (error.problem, str(error))
    except MemoryError:
        return False, ("too large", "There was not enough memory for it.")
    except UserError as error:  # a library is missing
        return False, (NOT_INSTALLED, str(error))
    except Exception as error:  # a reader's bug costs one file
        detail = f"{type(error).__name__}: {error}".rstrip(".")
        return False, ("unreadable", f"{detail}.")


def _jobs() -> dict[str, Callable[..., Any]]:
    from filon.profile import parquet, read, versions

    return {
        "profile": read.profile,
        "difference": versions.difference,
        "sample": read.sample,
        "convert": parquet.convert,
    }


def _bound(memory_bytes: int) -> None:
    if sys.platform != "win32":
        import resource

        bounds = {resource.RLIMIT_AS: memory_bytes, resource.RLIMIT_FSIZE: _FILE_BYTES}
        for what, most in bounds.items():
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
