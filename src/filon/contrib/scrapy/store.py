"""The requests of a spider that were not answered yet, and what was learnt: in memory or on disk.

On disk is a job: one SQLite file in its folder. A request stays there until it is answered, so a
crawl that was killed asks for it again. A request that cannot be written down waits in memory, as
it does with Scrapy's own scheduler.
"""

import json
import pickle
import sqlite3
from pathlib import Path
from typing import NamedTuple

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from filon.page.links import Link

FILE = "filon.sqlite"
#: Of the file: raised whenever its tables change.
VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS request (
    id INTEGER PRIMARY KEY, priority INTEGER NOT NULL, page TEXT, link TEXT, request BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS learnt (id INTEGER PRIMARY KEY CHECK (id = 1), state BLOB NOT NULL);
"""


class Kept(NamedTuple):
    """What is known of a request of an earlier session; page and link: where it stands, if so."""

    id: int
    priority: int
    page: str
    link: Link | None


class Store:
    """Holds requests by number.

    folder: of the job; None: all is forgotten in the end.
    """

    def __init__(self, spider: Spider, folder: str | None) -> None:
        self._spider = spider
        self._held: dict[int, Request] = {}
        self._next = 1
        self._db = _open(Path(folder) / FILE) if folder else None
        if self._db:
            self._next += self._db.execute("SELECT coalesce(max(id), 0) FROM request").fetchone()[0]

    def add(self, request: Request) -> tuple[int, str]:
        """Take a request; return its number, and why it is not on disk, if it should be."""
        number, why = self._next, ""
        self._next += 1
        if self._db:
            try:
                # As Scrapy does in the same folder: a spider's `meta` may hold anything.
                data = pickle.dumps(request.to_dict(spider=self._spider), protocol=4)
            except (ValueError, TypeError, AttributeError, pickle.PicklingError) as error:
                why = str(error)
            else:
                row = number, request.priority, data
                self._db.execute(
                    "INSERT INTO request (id, priority, request) VALUES (?, ?, ?)", row
                )
                return number, ""
        self._held[number] = request
        return number, why

    def place(self, number: int, page: str, link: Link) -> None:
        """Keep where a request stands."""
        if self._db:
            row = page, json.dumps(link), number
            self._db.execute("UPDATE request SET page = ?, link = ? WHERE id = ?", row)

    def take(self, number: int) -> Request:
        """Return a request, which is to leave; it is kept until it is done."""
        if self._db is None or number in self._held:
            return self._held[number]
        row = self._db.execute("SELECT request FROM request WHERE id = ?", (number,)).fetchone()
        kept = pickle.loads(row[0])  # noqa: S301 (of the spider's own job, see above)
        return request_from_dict(kept, spider=self._spider)

    def is_on_disk(self, number: int) -> bool:
        """Tell whether a request outlasts the process."""
        return number not in self._held

    def done(self, number: int) -> None:
        """Forget a request that was answered."""
        if self._held.pop(number, None) is None and self._db:
            self._db.execute("DELETE FROM request WHERE id = ?", (number,))

    def kept(self) -> list[Kept]:
        """Return what an earlier session has left, the oldest first."""
        if self._db is None:
            return []
        rows = self._db.execute("SELECT id, priority, page, link FROM request ORDER BY id")
        return [
            Kept(number, priority, page or "", Link(*json.loads(link)) if link else None)
            for number, priority, page, link in rows
        ]

    def learn(self, state: bytes) -> None:
        """Keep what was learnt."""
        if self._db:
            self._db.execute("INSERT OR REPLACE INTO learnt VALUES (1, ?)", (state,))

    @property
    def learnt(self) -> bytes:
        """What an earlier session has learnt, or nothing."""
        row = self._db.execute("SELECT state FROM learnt").fetchone() if self._db else None
        return row[0] if row else b""

    def close(self) -> None:
        """Let go of the file."""
        if self._db:
            self._db.close()


def _open(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    if is_new and any((path.parent / "requests.queue").glob("*")):
        raise ValueError(
            f"The job in {path.parent} was begun with Scrapy's own scheduler: go on with that, "
            "or name another JOBDIR."
        )
    db = sqlite3.connect(path, isolation_level=None)
    try:
        return _prepared(db, path)
    except sqlite3.DatabaseError as error:
        db.close()
        raise ValueError(f"{path} cannot be read ({error}): name another JOBDIR.") from error


def _prepared(db: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    # A job outlives a killed process; a machine that loses power may lose its last requests.
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        db.close()
        raise ValueError(f"The job in {path.parent} was made by a later version of Filon.")
    db.executescript(f"{_TABLES} PRAGMA user_version = {VERSION};")
    return db
