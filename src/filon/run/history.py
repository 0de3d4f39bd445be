"""What became of what a run has brought: history.sqlite, made from the ledgers of its rounds.

A run that is refreshed has a round for each time, a run folder of its own in rounds/. Nothing in
the history is kept only there: it is made anew from the ledgers and archives at any time, and a
kill takes nothing away.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, Self

from filon.run import readonly
from filon.run.disk import Transaction

ROUNDS, HISTORY = "rounds", "history.sqlite"
VERSION = 5
#: What a look can tell. The first five are changes; the others are none.
NEW, CHANGED, MOVED, VANISHED, BACK = CHANGES = ("new", "changed", "moved", "vanished", "back")
SAME, GONE, FAILED = "same", "gone", "failed"
#: After these there is nothing.
AWAY = (VANISHED, MOVED, GONE)
#: What is looked at: what a run was for, what leads to it, and lists of addresses.
FILE, PAGE, LIST = "file", "page", "list"

_SCHEMA = f"""
PRAGMA user_version = {VERSION};
CREATE TABLE rounds (round INTEGER PRIMARY KEY, answers INTEGER NOT NULL, began_s REAL NOT NULL);
CREATE TABLE things (
    thing INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    round INTEGER NOT NULL,            -- in which it was first met; 0: the run itself
    ways INTEGER NOT NULL DEFAULT 0    -- pages of the run itself that link to it
);
CREATE TABLE looks (
    look INTEGER PRIMARY KEY,
    thing INTEGER NOT NULL REFERENCES things (thing),
    round INTEGER NOT NULL,
    step INTEGER NOT NULL,
    at_s REAL NOT NULL,
    kind TEXT NOT NULL,                -- file, page, list
    outcome TEXT NOT NULL,             -- new, changed, moved, vanished, back; same, gone, failed
    status INTEGER NOT NULL,
    etag TEXT NOT NULL,
    modified TEXT NOT NULL,
    sha256 TEXT NOT NULL,              -- of a file
    gist TEXT NOT NULL,                -- of a page or list
    size_bytes INTEGER NOT NULL,
    name TEXT NOT NULL,
    parent TEXT NOT NULL,
    weight REAL NOT NULL,              -- of a page: the files that it leads to, shared with others
    listed REAL NOT NULL,              -- of a page: files that it is the list of (run/listed.py)
    brought INTEGER NOT NULL DEFAULT 0, -- of a page: new files on it, and on new pages behind it
    detail TEXT NOT NULL DEFAULT ''    -- JSON: where it went, how its table changed
);
CREATE TABLE IF NOT EXISTS differences (
    before TEXT NOT NULL, after TEXT NOT NULL, -- hashes of two versions
    told TEXT NOT NULL,                        -- JSON: how they differ
    PRIMARY KEY (before, after)
) WITHOUT ROWID;
CREATE INDEX looks_thing ON looks (thing, look);
CREATE INDEX looks_round ON looks (round, outcome);
"""
#: What was known of each thing before a round.
LATEST = """
    SELECT t.url, l.* FROM looks l JOIN things t USING (thing) WHERE l.look IN
        (SELECT MAX(look) FROM looks WHERE round < ? AND outcome != 'failed' GROUP BY thing)
    ORDER BY l.thing
"""
#: What was asked for and only ever failed: it may be there by now.
_FAILED = """
    SELECT t.url, l.kind, MAX(l.at_s) AS at_s, l.parent FROM looks l JOIN things t USING (thing)
    WHERE l.round < ? GROUP BY thing
    HAVING SUM(l.outcome != 'failed') = 0 AND COUNT(*) <= ?
    ORDER BY l.thing
"""
#: So often that is asked for.
TRIES = 3
#: Of a file that is new since then the date tells when it was made.
_DATES = """
    SELECT t.url, l.modified, l.at_s FROM looks l JOIN things t USING (thing)
    WHERE l.round = 0 AND l.kind = 'file' AND l.modified != '' ORDER BY l.look
"""
_LOOKS = """
    SELECT t.url, l.thing, l.round, l.at_s, l.kind, l.outcome, l.brought
    FROM looks l JOIN things t USING (thing) WHERE l.round < ? AND l.outcome != 'failed'
    ORDER BY l.look
"""


def run_of(folder: Path) -> Path:
    """Return the run that a folder of a round lies in."""
    return folder.parent.parent if len(folder.parts) > 2 else folder.absolute().parents[1]


def rounds(run_path: Path) -> list[Path]:
    """Return the rounds of a run, the first one first; copies that somebody made are none."""
    folder = run_path / ROUNDS
    if not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if path.name == round_name(_number(path)))
    return sorted((path for path in found if (path / readonly.CONFIG).is_file()), key=_number)


def round_name(number: int) -> str:
    """Return the name of the folder of a round.

    >>> round_name(7), round_name(12_345)
    ('0007', '12345')
    """
    return f"{number:04}"


def next_number(run_path: Path) -> int:
    """Return the number of the round that comes next."""
    return max(map(_number, rounds(run_path)), default=0) + 1


def runs_before(folder: Path) -> list[Path]:
    """Return the run that a round is of, and its rounds before that one."""
    run, number = run_of(folder), _number(folder.absolute())
    return [run, *(one for one in rounds(run) if _number(one) < number)]


def taken_in(run_path: Path, number: int) -> int:
    """Return how many answers of a round the history has as it stands; -1: it has no such round."""
    path = run_path / HISTORY
    if not path.is_file():
        return -1
    try:
        with contextlib.closing(_connect(str(path))) as db:
            query = "SELECT answers FROM rounds WHERE round = ?"
            row = db.execute(query, (number,)).fetchone()
    except sqlite3.DatabaseError:
        return -1
    return int(row["answers"]) if row else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a thing was at a look.

    etag, modified: what the server knows it by. sha256, gist: what it held.
    """

    etag: str = ""
    modified: str = ""
    sha256: str = ""
    gist: str = ""
    size_bytes: int = 0
    name: str = ""


#: Columns of the table of looks that tell the version.
OF_VERSION = tuple(one.name for one in fields(Version))


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing(Version):
    """What was there at the last look.

    kind: "file", "page" or "list". at_s: when it was seen.
    weight: of a page, the files that it leads to, each shared among all pages that do, and those
        that it is the list of: the mean of both.
    is_gone: it had vanished.
    """

    url: str
    kind: str
    at_s: float
    weight: float = 0.0
    parent: str = ""
    is_gone: bool = False


class Dated(NamedTuple):
    """When a file had changed last, as the server said at the first look.

    modified: as the server writes it. at_s: when it was asked.
    """

    url: str
    modified: str
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at a thing: how long after the one before, and what it told.

    tau_s: seconds since the look before. brought: of a page, new files.
    """

    url: str
    kind: str
    round: int
    tau_s: float
    outcome: str
    brought: int = 0


class History:
    """The history of a run, up to date with its ledgers when it is opened."""

    def __init__(self, run_path: Path) -> None:
        self.run = run_path
        self._db = _open(run_path)
        try:
            self.update()
        except sqlite3.OperationalError:  # nobody may write here
            self._db.close()
            self._db = _connect(":memory:")
            self._db.executescript(_SCHEMA)
            self.update()
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # Made from the ledgers.

    def update(self) -> None:
        """Take in what the run and its rounds have since the last time."""
        folders = [self.run, *rounds(self.run)]
        known = dict(self._db.execute("SELECT round, answers FROM rounds"))
        now = {_number(path): _answers(path) for path in folders}
        stale = [number for number, answers in known.items() if now.get(number) != answers]
        if not stale and len(known) == len(now):
            return
        # What comes after a round was compared with it.
        first = min([*stale, *(number for number in now if number not in known)])
        with Transaction(self._db):
            for table in ("looks", "things", "rounds"):
                self._db.execute(f"DELETE FROM {table} WHERE round >= ?", (first,))  # noqa: S608
            for path in folders:
                if _number(path) >= first:
                    self._take_in(path, _number(path))

    def _take_in(self, folder: Path, number: int) -> None:
        from filon.run.looks import Looks  # reads pages: who only asks needs none of it

        looks = Looks(self._db, folder, number)
        looks.read()
        self._db.execute(
            "INSERT INTO rounds VALUES (?, ?, ?)", (number, looks.answers, looks.began_s)
        )

    # What it tells.

    def things(self, before: int) -> list[Thing]:
        """Return what was known before a round began, in the order in which it was met.

        What was asked for and failed comes last: nobody knows yet what it is.
        """
        return [
            Thing(
                url=row["url"],
                kind=row["kind"],
                at_s=row["at_s"],
                **{name: row[name] for name in OF_VERSION},
                weight=(row["weight"] + row["listed"]) / 2,
                parent=row["parent"],
                is_gone=row["outcome"] in AWAY,
            )
            for row in self._db.execute(LATEST, (before,))
        ] + [
            Thing(url=row["url"], kind=row["kind"], at_s=row["at_s"], parent=row["parent"])
            for row in self._db.execute(_FAILED, (before, TRIES))
        ]

    def looks(self, before: int) -> Iterator[Look]:
        """Yield all looks before a round but for the first at each thing, the oldest first."""
        last_s: dict[int, float] = {}
        for row in self._db.execute(_LOOKS, (before,)):
            earlier_s = last_s.get(row["thing"])
            last_s[row["thing"]] = row["at_s"]
            if earlier_s is not None:
                yield Look(
                    url=row["url"],
                    kind=row["kind"],
                    round=row["round"],
                    tau_s=max(1.0, row["at_s"] - earlier_s),
                    outcome=row["outcome"],
                    brought=row["brought"],
                )

    def dates(self) -> list[Dated]:
        """Return when files had changed last as the run itself saw them."""
        return [Dated(**row) for row in self._db.execute(_DATES)]

    def changes(self, since_s: float = 0.0) -> list[dict[str, Any]]:
        """Return what changed after a time, the oldest first: of files, as plain data."""
        rows = self._db.execute(
            "SELECT t.url, l.* FROM looks l JOIN things t USING (thing) WHERE l.round > 0"
            " AND l.kind = 'file' AND l.outcome NOT IN (?, ?, ?) AND l.at_s >= ? ORDER BY l.look",
            (SAME, GONE, FAILED, since_s),
        )
        return [self._change(row) for row in rows]

    def _change(self, row: sqlite3.Row) -> dict[str, Any]:
        before = self._before(row)
        return {
            "what": row["outcome"],
            "url": row["url"],
            "name": row["name"] or (before["name"] if before else ""),
            "round": row["round"],
            "at_s": row["at_s"],
            "step": row["step"],
            "sha256": row["sha256"],
            "size_bytes": row["size_bytes"],
            "sha256_before": before["sha256"] if before else "",
            "size_bytes_before": before["size_bytes"] if before else 0,
            "seen_before_s": before["at_s"] if before else None,
            **self._brought(before),
            **json.loads(row["detail"] or "{}"),
        }

    def _brought(self, look: sqlite3.Row | None) -> dict[str, int | None]:
        """Return which step brought the content that a look speaks of: later ones only saw it."""
        query = "SELECT round, step FROM looks WHERE thing = ? AND sha256 = ? ORDER BY look LIMIT 1"
        row = look and self._db.execute(query, (look["thing"], look["sha256"])).fetchone()
        return {"round_before": row["round"], "step_before": row["step"]} if row else {}

    def _before(self, row: sqlite3.Row) -> sqlite3.Row | None:
        found: sqlite3.Row | None = self._db.execute(
            "SELECT * FROM looks WHERE thing = ? AND look < ? AND outcome != 'failed'"
            " ORDER BY look DESC LIMIT 1",
            (row["thing"], row["look"]),
        ).fetchone()
        return found

    def folder(self, number: int) -> Path:
        """Return the folder of a round; 0: of the run itself."""
        return self.run / ROUNDS / round_name(number) if number else self.run

    def difference(self, before: str, after: str) -> dict[str, Any] | None:
        """Return how two versions differ, by their hashes; None where that was not told yet."""
        row = self._db.execute(
            "SELECT told FROM differences WHERE before = ? AND after = ?", (before, after)
        ).fetchone()
        return json.loads(row["told"]) if row else None

    def keep_difference(self, before: str, after: str, told: Mapping[str, Any]) -> None:
        """Write down how two versions differ, where that can be."""
        with contextlib.suppress(sqlite3.OperationalError), Transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO differences VALUES (?, ?, ?)",
                (before, after, json.dumps(told)),
            )

    def gone(self) -> dict[str, float]:
        """Return the addresses that are empty now, and when that was seen first."""
        rows = self._db.execute(LATEST, (1 << 30,)).fetchall()
        since = (
            "SELECT MIN(at_s) FROM looks WHERE thing = ? AND outcome IN (?, ?, ?) AND look >"
            " (SELECT COALESCE(MAX(look), 0) FROM looks"
            " WHERE thing = ? AND outcome NOT IN (?, ?, ?, ?))"
        )
        return {
            row["url"]: self._db.execute(
                since, (row["thing"], *AWAY, row["thing"], *AWAY, FAILED)
            ).fetchone()[0]
            for row in rows
            if row["outcome"] in AWAY
        }

    def counts(self, number: int) -> dict[str, int]:
        """Return how the looks of a round at files ended, by outcome."""
        query = "SELECT outcome, COUNT(*) FROM looks WHERE round = ? AND kind = 'file' GROUP BY 1"
        return dict(self._db.execute(query, (number,)).fetchall())

    def same_though_changed(self, number: int) -> int:
        """Return how many files of a round were only written otherwise, as far as that is told."""
        rows = self._db.execute(
            "SELECT * FROM looks WHERE round = ? AND kind = 'file' AND outcome = ?",
            (number, CHANGED),
        ).fetchall()
        pairs = ((self._before(row), row["sha256"]) for row in rows)
        told = (self.difference(before["sha256"], after) for before, after in pairs if before)
        return sum(not one.get("is_change", True) for one in told if one)

    def contents(self) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        """Yield each file with all that it has held, the oldest first: hashes, and since when."""
        rows = self._db.execute(
            "SELECT t.url, l.sha256, l.at_s FROM looks l JOIN things t USING (thing)"
            " WHERE l.kind = 'file' AND l.sha256 != '' AND l.outcome NOT IN (?, ?, ?, ?)"
            " ORDER BY l.thing, l.look",
            (*AWAY, FAILED),
        )
        for url, looks in groupby(rows, key=itemgetter("url")):
            held: list[tuple[str, float]] = []
            for row in looks:
                if not held or held[-1][0] != row["sha256"]:
                    held.append((row["sha256"], row["at_s"]))
            yield url, held

    def versions(self, url: str) -> list[dict[str, Any]]:
        """Return the versions of a file, the oldest first: when each was first seen."""
        rows = self._db.execute(
            "SELECT t.url, l.* FROM looks l JOIN things t USING (thing) WHERE t.url = ?"
            " AND l.outcome IN ('new', 'changed', 'back', 'vanished', 'moved') ORDER BY l.look",
            (url,),
        )
        return [self._change(row) for row in rows]


def _open(run_path: Path) -> sqlite3.Connection:
    """Open the database, or a new one; where none can be written, one in memory."""
    path = run_path / HISTORY
    try:
        db = _connect(str(path))
        if db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            return db
        # How versions differ is kept: the bytes of old ones may be gone by now.
        for table in ("looks", "things", "rounds"):
            db.execute(f"DROP TABLE IF EXISTS {table}")
    except (sqlite3.OperationalError, OSError):  # nobody may write here, or somebody else does
        db = _connect(":memory:")
    except sqlite3.DatabaseError:
        db = _replaced(path)
    db.executescript(_SCHEMA)
    return db


def _replaced(path: Path) -> sqlite3.Connection:
    try:
        path.unlink(missing_ok=True)
        db = _connect(str(path))
        db.execute("PRAGMA user_version = 0")
    except (sqlite3.DatabaseError, OSError):
        return _connect(":memory:")
    return db


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA user_version")
    return db


def _number(folder: Path) -> int:
    """Return which round a folder is; 0: it is the run itself."""
    return int(folder.name) if folder.parent.name == ROUNDS and folder.name.isdecimal() else 0


def _answers(folder: Path) -> int:
    with readonly.reading(folder) as ledger:
        return int(ledger.execute("SELECT COUNT(answer) FROM steps").fetchone()[0])
