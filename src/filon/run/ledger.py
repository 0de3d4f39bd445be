"""ledger.sqlite: steps, reasons, answers' metadata, finds and checkpoints.

A step is one row: written before its request leaves, filled in when its answer came. A turn of the
loop is one transaction, committed before any request leaves, so that the account of requests is
right whenever the process dies.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

from filon.core import Find, MachineError, Response, Spent, Step
from filon.page.url import mask_text, mask_url
from filon.run.archive import Place
from filon.run.chain import sender
from filon.run.disk import Transaction, write_ahead
from filon.run.schema import BESIDES, CONTEXT, FINDS, NOT_SENT, SCHEMA, UPGRADES, VERSION

_BEGIN = """INSERT INTO steps
    (step, after, method, url, parent, kind, arm, score, expected, why)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_AGAIN = "UPDATE steps SET sends = sends + 1 WHERE step = ?"
_HOLD = "UPDATE steps SET sends = sends - 1 WHERE step = ?"
_RECORD = """UPDATE steps SET
    answer = ?, idle = ?, status = ?, error = ?, detail = ?, cut = ?, mime = ?, location = ?,
    size_bytes = ?, wire_bytes = ?, at_s = ?, took_s = ?, run_s = ?, body_bytes = ?,
    warc = ?, warc_offset = ?, warc_bytes = ?, sha256 = ?, sends = sends - ?
    WHERE step = ?"""
_FIND_COLUMNS = (*FINDS[1:], *CONTEXT)
_FIND = (
    f"INSERT INTO finds ({', '.join(_FIND_COLUMNS)})"  # noqa: S608, our own names
    f" VALUES ({', '.join('?' * len(_FIND_COLUMNS))})"
)
_TOTALS = """SELECT count(*), count(answer), coalesce(sum(sends), 0),
    coalesce(sum(wire_bytes), 0), coalesce(max(run_s), 0) FROM steps"""
_PROPOSED = """SELECT step, after, method, url, parent, kind, arm, score, expected, why
    FROM steps WHERE step > ? ORDER BY step"""
_SET = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
_ROW = "SELECT * FROM steps WHERE step = ?"
_ANSWERED = "SELECT * FROM steps WHERE answer > ? ORDER BY answer"


class Proposal(NamedTuple):
    """A step as the ledger has it: enough to tell whether a strategy proposes the same again."""

    step: int
    after: int
    columns: tuple[Any, ...]


class Kept(NamedTuple):
    """What of an answer stands elsewhere in the run folder."""

    place: Place | None
    sha256: str
    size_bytes: int


class Ledger:
    """The one connection to ledger.sqlite that a process has."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._db.row_factory = sqlite3.Row
        self._besides: Counter[str] = Counter()  # bytes that came besides bodies since the commit
        self._outlook = ""  # as it was written last

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make the tables."""
        ledger = cls(sqlite3.connect(path, isolation_level=None))
        ledger._settle_in()
        # At once: of a table at a time, the log of the database has the first page with each.
        ledger._db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        ledger.set_meta(version=str(VERSION), stopped="", seconds="0", summary="{}")
        return ledger

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open the tables; a MachineError where a later version made them.

        Those of an earlier version get what today's have more, unless they are only read.
        """
        ledger = cls(_connect(path, read_only))
        try:
            version = ledger.meta("version")
            if not version.isdecimal() or not 1 <= int(version) <= VERSION:
                raise MachineError(
                    f"{path} has format {version or 'unknown'}, and this Filon reads {VERSION}."
                )
            if not read_only:
                ledger._settle_in()
                ledger._upgrade(int(version))
        except BaseException:
            ledger.close()
            raise
        return ledger

    def _settle_in(self) -> None:
        write_ahead(self._db)
        # In WAL mode a commit then survives the death of the process without waiting for the disk.
        self._db.execute("PRAGMA synchronous = NORMAL")

    def _upgrade(self, version: int) -> None:
        for later in range(version + 1, VERSION + 1):
            with self._transaction():
                for statement in UPGRADES[later]:
                    self._db.execute(statement)
                self.set_meta(version=str(later))

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    # What is written while a run goes on.

    def begin(self, number: int, after: int, step: Step) -> None:
        """Write down a step that is about to leave, and what is expected of the rest by now."""
        self._write(_BEGIN, (number, after, *columns(step)))
        if step.reason.outlook not in ("", self._outlook):
            self._write(_SET, ("outlook", _text(step.reason.outlook)))
            self._outlook = step.reason.outlook

    def again(self, number: int) -> None:
        """Write down that a step leaves once more."""
        self._write(_AGAIN, (number,))

    def hold(self, number: int, *, sent: bool, came_bytes: int) -> None:
        """Write down that a step has no answer yet; whether it left, and the bytes that came."""
        if not sent:
            self._write(_HOLD, (number,))
        self._besides["held_bytes"] += came_bytes

    def record(
        self,
        number: int,
        answer: int,
        response: Response,
        finds: Iterable[Find],
        kept: Kept,
        *,
        idle: bool,
        run_s: float,
    ) -> None:
        """Fill in the answer of a step and what it brought."""
        place = kept.place
        row = (
            answer,
            idle,
            response.status,
            response.error,
            _text(mask_text(response.detail)),
            response.cut,
            _text(response.mime),
            _text(mask_url(response.header("location"))),
            response.size_bytes,
            response.wire_bytes,
            response.at_s,
            NOT_SENT.get(response.sent, response.took_s),
            run_s,
            len(response.body),
            place and place.warc,
            place and place.offset,
            place and place.size_bytes,
            kept.sha256 or None,
            response.sent != "yes",
            number,
        )
        self._write(_RECORD, row)
        for find in finds:
            self._write(_FIND, _find_row(number, find, kept, response.at_s))
        self._besides["extra_bytes"] += response.extra_bytes

    def commit(self) -> None:
        """Make what was written since the last time survive the death of the process."""
        for key, number in self._besides.items():
            if number:
                self._write(_SET, (key, str(int(self.meta(key) or 0) + number)))
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        self._besides.clear()

    def rollback(self) -> None:
        """Forget what was written since the last commit."""
        self._besides.clear()
        self._outlook = ""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _write(self, statement: str, values: tuple[Any, ...]) -> None:
        """Write within the transaction that is open, else in a new one."""
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(statement, values)

    def set_meta(self, **values: str) -> None:
        """Set values of the table meta."""
        self._db.executemany(_SET, values.items())

    def save(
        self,
        covers: tuple[int, int],
        at_s: float,
        state: bytes,
        new: Iterable[tuple[int, bytes]] = (),
        old: Iterable[int] = (),
        **values: str,
    ) -> None:
        """Add a checkpoint, and drop all but the one before it.

        covers: the steps and answers that it is of. new, old: pieces of states to write and to
            delete with it.
        """
        with self._transaction():
            self._db.executemany("INSERT INTO pieces (piece, state) VALUES (?, ?)", new)
            self._db.executemany("DELETE FROM pieces WHERE piece = ?", ((one,) for one in old))
            self._db.execute(
                "INSERT INTO checkpoints (steps, answers, at_s, state) VALUES (?, ?, ?, ?)",
                (*covers, at_s, state),
            )
            self._db.execute(
                "DELETE FROM checkpoints WHERE checkpoint NOT IN"
                " (SELECT checkpoint FROM checkpoints ORDER BY checkpoint DESC LIMIT 2)"
            )
            self.set_meta(**values)

    def pieces(self) -> list[int]:
        """Return the numbers of all pieces of states."""
        return [row[0] for row in self._db.execute("SELECT piece FROM pieces ORDER BY piece")]

    def _transaction(self) -> Transaction:
        return Transaction(self._db)

    # What is read back.

    def meta(self, key: str) -> str:
        """Read a value of the table meta; "" where there is none."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    def counts(self) -> tuple[int, int]:
        """How many steps were proposed, and how many answers came."""
        totals = self._db.execute(_TOTALS).fetchone()
        return totals[0], totals[1]

    def spent(self) -> Spent:
        """What the run has cost and brought."""
        _, _, requests, wire_bytes, run_s = self._db.execute(_TOTALS).fetchone()
        finds = self._db.execute("SELECT count(*) FROM finds").fetchone()[0]
        seconds = max(run_s, float(self.meta("seconds") or 0))
        return Spent(
            requests=requests,
            bytes=wire_bytes
            + sum(int(self.meta(key) or 0) + self._besides[key] for key in BESIDES),
            seconds=seconds,
            finds=finds,
        )

    def last_place(self) -> Place | None:
        """Where the last acknowledged record stands in the archive."""
        row = self._db.execute(
            "SELECT warc, warc_offset, warc_bytes FROM steps"
            " WHERE answer IS NOT NULL AND warc IS NOT NULL ORDER BY answer DESC LIMIT 1"
        ).fetchone()
        return Place(*row) if row else None

    def last_at_s(self) -> float:
        """The Unix time of the newest answer; 0 where there is none."""
        return float(self._db.execute("SELECT coalesce(max(at_s), 0) FROM steps").fetchone()[0])

    def checkpoints(self) -> Iterator[sqlite3.Row]:
        """The checkpoints, newest first."""
        return self._db.execute("SELECT * FROM checkpoints ORDER BY checkpoint DESC")

    def piece(self, number: int) -> bytes:
        """Return a piece of a state; KeyError where there is none."""
        row = self._db.execute("SELECT state FROM pieces WHERE piece = ?", (number,)).fetchone()
        if row is None:
            raise KeyError(number)
        found: bytes = row[0]
        return found

    def proposed(self, steps: int) -> Iterator[Proposal]:
        """All steps after so many, as they were proposed."""
        for number, after, *rest in self._db.execute(_PROPOSED, (steps,)):
            yield Proposal(number, after, tuple(rest))

    def answered(self, answers: int) -> Iterator[sqlite3.Row]:
        """All answers after so many, in the order in which they came."""
        return self._db.execute(_ANSWERED, (answers,))

    def asked(self) -> Iterator[tuple[int, str, str, int]]:
        """Number, method and URL of each answered step, and how whole its answer is, 0 to 2."""
        return self._db.execute(
            "SELECT step, method, url, (status > 0) + (status > 0 AND error = '' AND cut = '')"
            " FROM steps WHERE answer IS NOT NULL ORDER BY answer"
        )

    def row(self, number: int) -> sqlite3.Row:
        """Return all that is known of a step."""
        row: sqlite3.Row = self._db.execute(_ROW, (number,)).fetchone()
        return row

    def led_to(self, number: int) -> Iterator[sqlite3.Row]:
        """Yield the steps before one: what sent on to it, or failed before it, then its page."""
        row = self.row(number)
        while before := sender(self._db, row):
            row = self.row(before)
            yield row

    def finds(self) -> Iterator[sqlite3.Row]:
        """All finds, in the order in which they came."""
        return self._db.execute("SELECT * FROM finds ORDER BY find")

    def latest(self, number: int) -> list[sqlite3.Row]:
        """Return the newest finds, the newest first."""
        return self._db.execute(
            "SELECT * FROM finds ORDER BY find DESC LIMIT ?", (number,)
        ).fetchall()


def columns(step: Step) -> tuple[Any, ...]:
    """Return what the ledger says of a step: its columns from method to why."""
    request, reason = step.request, step.reason
    return (
        request.method,
        _text(mask_url(request.url)),
        _text(mask_url(step.parent)),
        reason.kind,
        _text(reason.arm),
        _real(reason.score),
        _real(reason.expected),
        _text(mask_text(reason.text)),
    )


def _find_row(number: int, find: Find, kept: Kept, at_s: float) -> tuple[Any, ...]:
    is_kept = find.kind in ("file", "graph")
    return (
        number,
        find.kind,
        _text(mask_url(find.url)),
        _text(find.name),
        _text(find.mime),
        _text(mask_url(find.parent)),
        kept.size_bytes if is_kept else 0,
        (kept.sha256 or None) if is_kept else None,
        at_s,
        *(_text(mask_text(getattr(find, name))) for name in CONTEXT),
    )


def _text(text: str) -> str:
    # Half a surrogate pair, as broken headers bring it, is not a text that SQLite takes.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _real(number: float) -> float:
    # SQLite takes "not a number" for NULL.
    return 0.0 if math.isnan(number) else float(number)


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None
        )
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        connection.execute("SELECT 1 FROM meta")
    except sqlite3.OperationalError:
        # A folder that may not be written: no process can be at it.
        connection.close()
        connection = sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection
