"""A process beside this one that does jobs which may take all time and all memory: it is bounded.

It lives from one job to the next. Where a job takes too long, too much, or the process with it, it
ends, and the next job gets a new one.
"""

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

from filon.core import UserError
from filon.profile.source import UnreadableError

#: The longest file that it may write: what it unpacks, and a table as Parquet.
_FILE_BYTES = 2 << 30
#: The problem of a file whose reader is not there: it is read again when it may be.
NOT_INSTALLED = "not installed"
Jobs = Callable[[], dict[str, Callable[..., Any]]]


class Process:
    """Does jobs, one at a time.

    jobs: a function of a module, which the process calls to know what it can do.
    """

    #: Makes the process: anew, as a fork of one that has threads may hang.
    context: Any = multiprocessing.get_context("spawn")

    def __init__(self, jobs: Jobs, memory_bytes: int) -> None:
        self._jobs, self._memory_bytes = jobs, memory_bytes
        self._process: Any = None
        self._line: Any = None  # to it: another class on Windows
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._is_cut = False

    @property
    def pid(self) -> int:
        """The number of the process; 0 where none runs."""
        return int(self._process.pid) if self._process else 0

    def ask(self, seconds: float, job: str, *given: Any) -> Any:
        """Return what a job returns; an UnreadableError where it fails, whatever the process does.

        seconds: the longest that it may take.
        """
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
        """End all from another thread: who waits there for a job is told that it crashed."""
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

    def _started(self) -> Any:
        if self._line is None:
            self._line, theirs = self.context.Pipe()
            self._folder = tempfile.TemporaryDirectory(prefix="filon-", ignore_cleanup_errors=True)
            process: Any = self.context.Process(
                target=_serve,
                args=(theirs, self._jobs, self._memory_bytes, self._folder.name),
                daemon=True,
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


def _serve(line: Any, jobs: Jobs, memory_bytes: int, folder: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who waits for the answers
    _bound(memory_bytes)
    tempfile.tempdir = folder
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_end_with, args=(parent, folder), daemon=True).start()
    # A library that gives up says so at length where nobody asked: its end says enough.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    while True:
        try:
            job, given = line.recv()
        except (EOFError, OSError):  # who asked is gone
            shutil.rmtree(folder, ignore_errors=True)
            return
        answer = _answer(jobs, job, given)
        with contextlib.suppress(OSError):
            line.send(answer)


def _end_with(parent: Any, folder: str) -> None:
    """End in the middle of a job when who asked for it is gone, by `kill -9` perhaps."""
    parent.join()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _answer(jobs: Jobs, job: str, given: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return that a job is done and its result, or that it is not, with the problem and why."""
    try:
        return True, jobs()[job](*given)
    except UnreadableError as error:
        return False, (error.problem, str(error))
    except MemoryError:
        return False, ("too large", "There was not enough memory for it.")
    except UserError as error:  # a library is missing
        return False, (NOT_INSTALLED, str(error))
    except Exception as error:  # a reader's bug costs one file
        detail = f"{type(error).__name__}: {error}".rstrip(".")
        return False, ("unreadable", f"{detail}.")


def _bound(memory_bytes: int) -> None:
    if sys.platform != "win32":
        import resource

        bounds = {resource.RLIMIT_AS: memory_bytes, resource.RLIMIT_FSIZE: _FILE_BYTES}
        for what, most in bounds.items():
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))
