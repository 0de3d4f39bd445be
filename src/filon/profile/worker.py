"""Files are read in a process of their own: a stranger's file may take all time and all memory.

One process reads many files; where one of them takes too long, too much, or the process with it,
that file has a problem and the next gets a new process. Whoever needs what is in a file, its
profile, some rows or all of them, asks here: nothing else in the house opens a stranger's table.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.profile.difference import Difference
from filon.profile.process import NOT_INSTALLED, Process
from filon.profile.shape import Profile
from filon.profile.source import UnreadableError

if TYPE_CHECKING:
    from filon.profile.parquet import Written
    from filon.profile.texts import Copied

__all__ = ["NOT_INSTALLED", "Worker"]

#: The longest that a file may take, and the most memory that its process may have.
SECONDS = 60.0
MEMORY_BYTES = 4 << 30
#: So many times as long where all its rows are written, ten times as many as a profile reads.
_ALL_ROWS = 5


class Worker(AbstractContextManager["Worker"]):
    """Reads files in another process; `close` ends it."""

    def __init__(self, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._seconds = seconds
        self._process = Process(jobs, memory_bytes)

    def profile(self, path: Path, name: str = "") -> Profile:
        """Return the profile of a file, whatever happens to its process."""
        try:
            result: Profile = self._process.ask(self._seconds, "profile", path, name)
        except UnreadableError as error:
            return Profile(size_bytes=_size(path), problem=error.problem, detail=str(error))
        return result

    def difference(self, old: Path, new: Path, name: str = "") -> Difference:
        """Return how a file changed, whatever happens to its process."""
        try:
            result: Difference = self._process.ask(self._seconds, "difference", old, new, name)
        except UnreadableError as error:
            known = Difference(old_bytes=_size(old), new_bytes=_size(new))
            return replace(known, problem=error.problem, detail=str(error))
        return result

    def sample(self, path: Path, name: str, number: int, rows: int) -> list[list[str]]:
        """Return the first rows of a table of a file, the names of its columns first.

        number: of the table, from 1 on. UnreadableError where it cannot be read.
        """
        result: list[list[str]] = self._process.ask(
            self._seconds, "sample", path, name, number, rows
        )
        return result

    def convert(self, path: Path, name: str, out: Path) -> "list[Written]":
        """Write the tables of a file as Parquet into a folder: see `parquet.convert`.

        UnreadableError where it cannot be read, or takes too much.
        """
        seconds = self._seconds * _ALL_ROWS
        result: list[Written] = self._process.ask(seconds, "convert", path, name, out)
        return result

    def copy_as_text(self, path: Path, wanted: str, out: Path) -> "Copied":
        """Write a table of a file as text into a folder: see `texts.copy_as_text`.

        UnreadableError where it cannot be read, or not all of its rows.
        """
        seconds = self._seconds * _ALL_ROWS
        result: Copied = self._process.ask(seconds, "copy_as_text", path, wanted, out)
        return result

    def cut_short(self) -> None:
        """End all from another thread: who waits there for a file is told that it crashed."""
        self._process.cut_short()

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def jobs() -> dict[str, Callable[..., Any]]:
    """Return what the process can be asked for."""
    from filon.profile import parquet, read, rows, texts, versions

    return {
        "profile": read.profile,
        "difference": versions.difference,
        "sample": rows.sample,
        "convert": parquet.convert,
        "copy_as_text": texts.copy_as_text,
    }


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
