"""What all runs of an agent may spend together in 24 hours, kept on disk.

Nothing begins before what it may spend at the most is put aside here, so that many runs at once
spend no more than one. A run that is over gives back what it has not spent; what it has spent
counts for 24 hours from then on.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filon.core import Budget, Spent
from filon.core.errors import MachineError
from filon.mcp.limits import LimitError

DAY_S = 86_400.0
#: What was put aside for a run that never began is given back after this time: its server was
#: killed in between.
_BEGINS_S = 60.0
UNITS = ("requests", "bytes", "seconds")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS charges (
    charge INTEGER PRIMARY KEY,
    run TEXT NOT NULL DEFAULT '',      -- '' until it has a name
    server TEXT NOT NULL,              -- in whose line it stands
    at_s REAL NOT NULL,                -- when it was put aside; when it was over
    state TEXT NOT NULL,               -- begins, open, over
    requests REAL NOT NULL, bytes REAL NOT NULL, seconds REAL NOT NULL,
    had_requests REAL NOT NULL, had_bytes REAL NOT NULL, had_seconds REAL NOT NULL,
    besides REAL NOT NULL              -- requests that no ledger has
)
"""


@dataclass(frozen=True, slots=True)
class Charge:
    """What was put aside. bound: the budget of the whole run, as its command is told."""

    number: int
    bound: Budget


def least(*budgets: Budget) -> Budget:
    """Return what lies within all of some budgets.

    >>> str(least(Budget.parse("10req,1MB"), Budget.parse("5req,2h")))
    '5req,1MB,2h'
    """
    bounds = {
        unit: [getattr(one, unit) for one in budgets if getattr(one, unit) is not None]
        for unit in (*UNITS, "finds")
    }
    return Budget(**{unit: min(values) for unit, values in bounds.items() if values})


class Allowance:
    """The account of a folder, which servers with different limits may share.

    look: says what a run has spent, and whether it is over, by its name and that of its server.
    """

    def __init__(
        self,
        path: Path,
        day: Budget,
        server: str,
        look: Callable[[str, str], tuple[Spent, bool]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path, self._day, self._server = path, day, server
        self._look, self._clock = look, clock

    def put_aside(
        self, run: str, asked: Budget, most: Budget, had: Spent, *, besides: int = 0
    ) -> Charge:
        """Put aside what a run may spend; a LimitError where nothing is left.

        run: its name, where it has one. asked: for what is to come; an empty one: all there is.
        most: the budget of a run as a whole. had: what it has spent so far.
        besides: requests that it sends before it begins, and that its ledger does not count.
        """
        with self._open() as db:
            left = least(asked, _rest(most, had), _rest(self._day, self._spent(db)))
            for unit in UNITS:
                bound = getattr(left, unit)
                if bound is not None and bound < 1 + (besides if unit == "requests" else 0):
                    raise LimitError(_nothing(unit, getattr(_rest(most, had), unit)))
            amounts = [getattr(left, unit) or 0.0 for unit in UNITS]
            spent = [getattr(had, unit) for unit in UNITS]
            row = db.execute(
                "INSERT INTO charges VALUES (NULL, ?, ?, ?, 'begins', ?, ?, ?, ?, ?, ?, ?)",
                (run, self._server, self._clock(), *amounts, *spent, besides),
            )
            bound = _rest(_sum(left, had), Spent(requests=besides))
            return Charge(int(row.lastrowid or 0), bound)

    def begins(self, charge: Charge, run: str) -> None:
        """Write down which run is about to be in line; a LimitError where it took too long.

        From here on its charge is kept, whatever becomes of this server.
        """
        with self._open() as db:
            done = db.execute(
                "UPDATE charges SET run = ?, at_s = ? WHERE charge = ? AND state = 'begins'",
                (run, self._clock(), charge.number),
            )
            if not done.rowcount:
                raise LimitError(
                    "It took so long to begin that what was put aside for it went to others: "
                    "ask again."
                )

    def begun(self, charge: Charge, run: str) -> None:
        """Write down that the run of a charge is in line."""
        with self._open() as db:
            db.execute(
                "UPDATE charges SET run = ?, state = 'open' WHERE charge = ?", (run, charge.number)
            )

    def give_back(self, charge: Charge) -> None:
        """Forget a charge whose run was not named: that it is in no line is certain."""
        with self._open() as db:
            db.execute("DELETE FROM charges WHERE charge = ? AND run = ''", (charge.number,))

    def knows(self, run: str) -> bool:
        """Say whether a run was begun here, and not by the user."""
        with self._open() as db:
            row = db.execute("SELECT 1 FROM charges WHERE run = ? LIMIT 1", (run,)).fetchone()
        return run != "" and row is not None

    def left(self) -> Budget:
        """Return what may still be spent now."""
        with self._open() as db:
            return _rest(self._day, self._spent(db))

    def settle(self, run: str) -> None:
        """Count what a run has really spent, where it is over."""
        with self._open() as db:
            self._settle(db, run)

    def _spent(self, db: sqlite3.Connection) -> Spent:
        """Return what counts now: what was put aside, and what was spent within a day."""
        now = self._clock()
        waiting = db.execute("SELECT DISTINCT run FROM charges WHERE state != 'over'").fetchall()
        for (run,) in waiting:
            self._settle(db, run)
        db.execute("DELETE FROM charges WHERE run = '' AND at_s < ?", (now - _BEGINS_S,))
        row = db.execute(
            "SELECT COALESCE(SUM(requests), 0), COALESCE(SUM(bytes), 0), COALESCE(SUM(seconds), 0)"
            " FROM charges WHERE state != 'over' OR at_s > ?",
            (now - DAY_S,),
        ).fetchone()
        return Spent(requests=row[0], bytes=row[1], seconds=row[2])

    def _settle(self, db: sqlite3.Connection, run: str) -> None:
        now = self._clock()
        last = "SELECT server FROM charges WHERE run = ? ORDER BY charge DESC LIMIT 1"
        row = db.execute(last, (run,)).fetchone() if run else None
        spent, is_over = self._look(run, row[0]) if row else (Spent(), False)
        if not is_over:
            return
        figures = [getattr(spent, unit) for unit in UNITS]
        db.execute(
            "UPDATE charges SET state = 'over', at_s = ?,"
            " requests = MAX(0, ? - had_requests) + besides,"
            " bytes = MAX(0, ? - had_bytes), seconds = MAX(0, ? - had_seconds)"
            " WHERE run = ? AND (state = 'open' OR (state = 'begins' AND at_s < ?))",
            (now, *figures, run, now - _BEGINS_S),
        )

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the account for one act, alone: another server may look after the same folder."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            db = sqlite3.connect(self._path, timeout=30, isolation_level=None)
        except sqlite3.Error as error:
            raise MachineError(f"{self._path} cannot be opened: {error}.") from error
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute(_SCHEMA)
            yield db
            db.execute("COMMIT")
        finally:
            db.close()  # what was not committed is undone


def _rest(budget: Budget, spent: Spent) -> Budget:
    """Return what is left of a budget."""
    return _changed(budget, lambda unit, bound: max(0.0, bound - getattr(spent, unit)))


def _sum(budget: Budget, had: Spent) -> Budget:
    """Return the bound of all, where a budget is of what is to come."""
    return _changed(budget, lambda unit, bound: bound + getattr(had, unit))


def _changed(budget: Budget, change: Callable[[str, float], float]) -> Budget:
    """Return a budget with what is bounded changed; parts of a request or a second are none."""
    bounds: dict[str, Any] = {
        unit: change(unit, bound) for unit in UNITS if (bound := getattr(budget, unit)) is not None
    }
    return replace(budget, **{unit: int(bound) for unit, bound in bounds.items()})


def _nothing(unit: str, left_of_run: float | None) -> str:
    whose = (
        "the run has spent its budget"
        if left_of_run is not None and left_of_run < 1
        else "all runs of the last 24 hours have spent theirs, or have put it aside"
    )
    return f"No {unit} are left: {whose}. Only the user can allow more."
