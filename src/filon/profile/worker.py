"""Files are read in a process of their own: a stranger's file may take all time and all memory.

One process reads many files; where one of them takes too long, too much, or the process with it,
that file has a problem and the next gets a new process.
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
from typing import Any, NamedTuple

from filon.core import UserError
from filon.profile.difference import Difference
from filon.profile.shape import Profile

#: The longest that a file may take, and the most memory that its process may have.
SECONDS = 60.0
MEMORY_BYTES = 4 << 30
#: The problem of a file whose reader is not there: it is read again when it may be.
NOT_INSTALLED = "not installed"


class _Failure(NamedTuple):
    """What is said of a file that was not read to the end."""

    problem: str
    detail: str


class Worker(AbstractContextManager["Worker"]):
    """Profiles and compares files in another process; `close` ends it."""

    def __init__(self, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._seconds, self._memory_bytes = seconds, memory_bytes
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._line: Any = None  # to it: another class on Windows
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._is_cut = False

    def profile(self, path: Path, name: str = "") -> Profile:
        """Return the profile of a file, whatever happens to its process."""
        result = self._ask(str(path), name)
        if isinstance(result, _Failure):
            return Profile(size_bytes=_size(path), problem=result.problem, detail=result.detail)
        profile: Profile = result
        return profile

    def difference(self, old: Path, new: Path, name: str = "") -> Difference:
        """Return how a file changed, whatever happens to its process."""
        result = self._ask(str(old), str(new), name)
        if isinstance(result, _Failure):
            known = Difference(old_bytes=_size(old), new_bytes=_size(new))
            return replace(known, problem=result.problem, detail=result.detail)
        difference: Difference = result
        return difference

    def _ask(self, *files: str) -> Any:
        line = self._started()
        if self._is_cut:
            return _Failure("crashed", "It was not read any more.")
        try:
            line.send(files)
            if not line.poll(self._seconds):
                self.close()
                return _Failure("too slow", f"It was read for {self._seconds:.0f} s.")
            return line.recv()
        except (EOFError, OSError):
            self.close()
            return _Failure("crashed", "It took all memory, or its reader ended over it.")

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
    from filon.profile.read import profile
    from filon.profile.versions import difference

    tasks: dict[int, Callable[..., Profile | Difference]] = {1: profile, 2: difference}

    while True:
        try:
            *paths, name = line.recv()
        except (EOFError, OSError):  # who asked is gone, by `kill -9` perhaps
            shutil.rmtree(folder, ignore_errors=True)
            return
        result: Profile | Difference | _Failure
        try:
            result = tasks[len(paths)](*map(Path, paths), name)
        except MemoryError:
            result = _Failure("too large", "There was not enough memory for it.")
        except UserError as error:  # a library is missing
            result = _Failure(NOT_INSTALLED, str(error))
        except Exception as error:  # a reader's bug costs one file
            detail = f"{type(error).__name__}: {error}".rstrip(".")
            result = _Failure("unreadable", f"{detail}.")
        with contextlib.suppress(OSError):
            line.send(result)


def _bound(memory_bytes: int) -> None:
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
