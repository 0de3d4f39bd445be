"""Tables of files as Parquet of our own: what queries and exports read, and no stranger's bytes.

    FOLDER/catalog.tables/3f/3fa2b8…/tables.json    what the tables of the file are
                                     1.parquet      the first of them

A worker with bounds on time, memory and disk makes it when a file is first asked for. It can be
deleted at any time; what was asked for least recently goes where it takes more room than it may.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from filon.core import UserError
from filon.profile.difference import Difference
from filon.profile.parquet import Written, place
from filon.profile.source import UnreadableError
from filon.profile.store import VERSION
from filon.profile.worker import Worker
from filon.run.disk import writing

#: Beside the catalog.
FOLDER = "catalog.tables"
#: What it may take on the disk, and a tenth more.
MOST_BYTES = 4 << 30
_TABLES = "tables.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is kept of one file. used_s: when it was last asked for."""

    path: Path
    size_bytes: int
    used_s: float


class TableCache(AbstractContextManager["TableCache"]):
    """The tables of files, by the hash of each. folder: None for one that goes when it is closed.

    most_bytes: what it may take on the disk, and a tenth more.
    """

    def __init__(self, folder: Path | None, most_bytes: int = MOST_BYTES) -> None:
        self._passing = None if folder else tempfile.TemporaryDirectory(prefix="filon-")
        self.folder = folder or Path(self._passing.name if self._passing else "")
        self._most_bytes = most_bytes
        self._worker = Worker()
        self._made_bytes = 0

    def table(self, id: str, source: Path, name: str, number: int = 1) -> Path:
        """Return a table of a file as Parquet; a UserError where there is none, or not all of it.

        source: where the bytes of the file are. name: what the web calls it.
        """
        found = self.tables(id, source, name)
        if not 1 <= number <= len(found):
            raise UserError(f"{name} has no table {number}.")
        table = found[number - 1]
        if not table.is_whole:
            raise UserError(
                f"{name} is too long to be read as a whole: {table.rows:,} of {table.total:,} rows"
                f" fit. Its bytes are in {source}."
            )
        return self._of(id) / place(number)

    def tables(self, id: str, source: Path, name: str) -> Sequence[Written]:
        """Return what the tables of a file are; they are written now where they are not there."""
        found = self.kept(id)
        return self._make(id, source, name) if found is None else found

    def kept(self, id: str) -> Sequence[Written] | None:
        """Return what the tables of a file are; None where they are not there yet."""
        kept = self._of(id) / _TABLES
        try:
            said = json.loads(kept.read_text("utf-8"))
            if said["version"] == VERSION:
                with suppress(OSError):  # another process may delete it meanwhile
                    os.utime(kept)
                return [Written(**one) for one in said["tables"]]
            shutil.rmtree(kept.parent, ignore_errors=True)
        except (OSError, ValueError, KeyError, TypeError):
            pass  # not there, or not whole
        return None

    def sample(self, source: Path, name: str, number: int, rows: int) -> list[list[str]]:
        """Return the first rows of a table as they stand in the file; nothing where none can be."""
        try:
            return self._worker.sample(source, name, number, rows)
        except UnreadableError:
            return []

    def difference(self, old: Path, new: Path, name: str) -> Difference:
        """Return how a file changed from one version to another. name: what the web calls it."""
        return self._worker.difference(old, new, name)

    def cut_short(self) -> None:
        """End from another thread what is being read; nothing can be read any more."""
        self._worker.cut_short()

    def entries(self) -> Iterator[Entry]:
        """Yield what there is, with what a kill left."""
        for path in sorted(self.folder.glob("*/*")):
            stats = [one.stat() for one in path.rglob("*") if one.is_file()]
            size_bytes = sum(stat.st_size for stat in stats)
            used_s = max((stat.st_mtime for stat in stats), default=0.0)
            yield Entry(path=path, size_bytes=size_bytes, used_s=used_s)

    def clear(self) -> int:
        """Delete all that is kept; return the bytes that are free now."""
        free = sum(entry.size_bytes for entry in self.entries())
        shutil.rmtree(self.folder, ignore_errors=True)
        return free

    def drop(self, id: str) -> None:
        """Delete what is kept of a file."""
        shutil.rmtree(self._of(id), ignore_errors=True)

    def trim(self) -> None:
        """Delete what was asked for least recently, where it is too much in all.

        To be called when nobody reads what was asked for; it looks only after a tenth more came.
        """
        if self._made_bytes <= self._most_bytes // 10:
            return
        self._made_bytes = 0
        entries = sorted(self.entries(), key=lambda entry: entry.used_s)
        left = sum(entry.size_bytes for entry in entries)
        for entry in entries:
            if left <= self._most_bytes:
                return
            shutil.rmtree(entry.path, ignore_errors=True)
            left -= entry.size_bytes

    def close(self) -> None:
        """End the worker, and delete what is too much."""
        self._worker.close()
        if self._passing:
            self._passing.cleanup()
        else:
            self.trim()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _of(self, id: str) -> Path:
        return self.folder / id[:2] / id

    def _make(self, id: str, source: Path, name: str) -> list[Written]:
        goal = self._of(id)
        with writing(self.folder.parent, self.folder):
            goal.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(
                prefix=".", dir=goal.parent, ignore_cleanup_errors=True
            ) as part:
                try:
                    found = self._worker.convert(source, name, Path(part))
                except UnreadableError as error:
                    raise UserError(f"{name} cannot be read: {error}") from error
                about = {"version": VERSION, "tables": [asdict(one) for one in found]}
                (Path(part) / _TABLES).write_text(json.dumps(about), "utf-8")
                shutil.rmtree(goal, ignore_errors=True)
                self._made_bytes += sum(one.stat().st_size for one in Path(part).iterdir())
                try:
                    Path(part).rename(goal)
                except OSError:
                    if not (goal / _TABLES).is_file():  # else another process was faster
                        raise
        return found
