"""What should run: kept on disk, so that it is true whoever is killed.

A line a run: what is wanted of it, the command that begins it, and how its last process ended.
Whether it runs is not kept: its folder's lock tells that.
"""

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

#: run: it is to be at work as soon as there is room. pause: not now, its place is kept.
#: off: it has ended, or was stopped.
Wanted = Literal["run", "pause", "off"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS work (
    run TEXT PRIMARY KEY,              -- the name of its folder
    place REAL NOT NULL,               -- who came first is served first
    wanted TEXT NOT NULL,
    begin TEXT NOT NULL DEFAULT '[]',  -- words after filon that begin it, JSON; []: it was there
    hosts TEXT NOT NULL DEFAULT '[]',  -- that it asks, JSON: until its folder tells
    roams INTEGER NOT NULL DEFAULT 0,  -- it may ask others too
    again TEXT NOT NULL DEFAULT '[]',  -- words by which it goes on next, JSON; []: resume RUN
    pid INTEGER NOT NULL DEFAULT 0,    -- of its last process; 0: that has ended, and was seen to
    before TEXT NOT NULL DEFAULT '',   -- how the ledger stood when that was begun
    code INTEGER,                      -- how it ended; NULL: it did not
    said TEXT NOT NULL DEFAULT ''      -- what it said was wrong
)
"""
#: Columns that hold lists.
_LISTS = ("begin", "hosts", "again")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One line of the queue; the names are those of its columns."""

    run: str
    place: float
    wanted: Wanted
    begin: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    roams: bool = False
    again: tuple[str, ...] = ()
    pid: int = 0
    before: str = ""
    code: int | None = None
    said: str = ""


class Queue:
    """The queue of a home, in a small database. Every change is on disk when its call returns.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     queue = Queue(Path(folder, "queue.sqlite"))
    ...     queue.add("example.org-001", ("harvest", "https://example.org/"), ("example.org",))
    ...     [work.run for work in queue.wanted("run")]
    ['example.org-001']
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(
        self, run: str, begin: Sequence[str], hosts: Iterable[str], *, roams: bool = False
    ) -> None:
        """Put a run at the end that its command is yet to make, and say where it goes."""
        where = {"hosts": sorted(hosts), "roams": roams}
        self._write(run, wanted="run", place=time.time(), begin=begin, **where)

    def want(self, run: str, wanted: Wanted, again: Sequence[str] = ()) -> None:
        """Say what is wanted of a run, which may be none of the queue's so far.

        again: the words by which it goes on next, where these are not `resume RUN`.
        """
        changes: dict[str, Any] = {"wanted": wanted}
        if wanted == "run":
            changes |= {"place": time.time(), "again": again, "code": None, "said": ""}
        self._write(run, **changes)

    def begun(self, run: str, pid: int, before: str) -> None:
        """Write down which process is at work on it; 0 before it is known.

        before: how the ledger stood before, as `standing` tells it.
        """
        self._write(run, pid=pid, before=before, code=None, said="")

    def ended(self, run: str, wanted: Wanted, code: int | None, said: str = "") -> None:
        """Write down that its process has ended, and what is wanted now."""
        self._write(run, wanted=wanted, pid=0, code=code, said=said)
        if wanted != "run":
            self._write(run, again=())

    def forget(self, run: str) -> None:
        """Take a line out; the run itself stays as it is."""
        with self._open() as db:
            db.execute("DELETE FROM work WHERE run = ?", (run,))

    def work(self, run: str) -> Work | None:
        """Return a run's line."""
        return next(iter(self._read("WHERE run = ?", run)), None)

    def wanted(self, wanted: Wanted) -> list[Work]:
        """Return the lines of which that is wanted, who came first first."""
        return self._read("WHERE wanted = ? ORDER BY place, run", wanted)

    def all(self) -> dict[str, Work]:
        """Return all lines by the name of their run."""
        return {work.run: work for work in self._read("ORDER BY place, run")}

    def _read(self, which: str, *values: str) -> list[Work]:
        if not self._path.is_file():
            return []
        with self._open() as db:
            return [_work(row) for row in db.execute(f"SELECT * FROM work {which}", values)]  # noqa: S608

    def _write(self, run: str, **changes: Any) -> None:
        kept = {
            name: json.dumps(list(value)) if name in _LISTS else value
            for name, value in changes.items()
        }
        with self._open() as db:
            first = {"place": time.time(), "wanted": "off"} | kept
            names = ", ".join(("run", *first))
            marks = ", ".join("?" * (1 + len(first)))
            sets = ", ".join(f"{name} = excluded.{name}" for name in kept)
            db.execute(
                f"INSERT INTO work ({names}) VALUES ({marks}) "  # noqa: S608
                f"ON CONFLICT (run) DO UPDATE SET {sets}",
                (run, *first.values()),
            )

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        # Opened for each act: handlers ask from different threads, a few times a second at most.
        self._path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self._path, timeout=10)
        db.row_factory = sqlite3.Row
        try:
            with db:
                db.execute(_SCHEMA)
                yield db
        finally:
            db.close()


def _work(row: sqlite3.Row) -> Work:
    told = dict(row)
    lists = {name: tuple(json.loads(told.pop(name))) for name in _LISTS}
    return Work(**told | lists | {"roams": bool(told["roams"])})
