"""What an enrichment cost and filled, in a few figures: for the terminal, the report, the demo."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from filon.run import readonly
from filon.run.summary import ENDINGS, Outcome, Summary, as_object, block, summary_of
from filon.run.text import count, counted, duration, plain
from filon.verbs.enrich import records
from filon.verbs.enrich.hint import why_none

#: Short words for the states of rows that are not filled.
NOT_FILLED = {
    "matched": "found, with nothing to fill in",
    "ambiguous": "ambiguous",
    "absent": "probably absent",
    "not reached": "not reached",
    "empty": "nothing to search by",
}


class Query(NamedTuple):
    """A query, the calls that its pages took, and the rows that they covered."""

    words: str
    calls: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched(Outcome):
    """The figures of an enrichment so far.

    rows: by state, as `records.STATES` names them.
    at_hand: answers from the cache, which cost nothing.
    price: of a call. note: what ended the run, where the service did.
    hint: why no row was filled, and what to do.
    """

    run: Summary
    rows: Mapping[str, int]
    records: int
    calls: int
    at_hand: int
    price: float
    currency: str
    table: Path
    source: str
    queries: tuple[Query, ...]
    conflicts: int
    note: str = ""
    notes: list[str] = field(default_factory=list)
    hint: str = ""

    @property
    def filled(self) -> int:
        """Rows that got at least one value."""
        return self.rows.get("filled", 0)

    @property
    def size(self) -> int:
        """All rows of the table."""
        return sum(self.rows.values())

    @property
    def spent(self) -> str:
        """What the calls cost, or nothing where they are free."""
        return f"{_money(self.calls * self.price)} {plain(self.currency)}" if self.price else ""

    @property
    def _hints(self) -> list[str]:
        return [self.hint] if self.hint else []

    @property
    def ending(self) -> str:
        """Why it ended, in words."""
        if self.note:
            return f"ended: {self.note[:1].lower()}{self.note[1:]}".rstrip(".")
        if self.run.stopped == "exhausted":
            return "ended: no query was left that could cover another row"
        if self.run.stopped == "early-stop":
            return "ended by itself: the next calls were not worth it"
        return self.run.ending if self.run.stopped in ENDINGS else plain(self.run.stopped)

    def __str__(self) -> str:
        """Return the lines for a terminal."""
        # With answers at hand, what a call brings cannot be told from what it cost.
        fair = self.calls and not self.at_hand
        each = f": {self.filled / self.calls:.1f} rows a call" if fair else ""
        paid = f" ({self.spent})" if self.spent else ""
        lines = [
            f"{self.run.run}: {self.ending}",
            f"  {count(self.filled)} of {counted(self.size, 'row')} filled from "
            f"{plain(self.source)} with {counted(self.calls, 'call')}{paid}, "
            f"in {duration(self.run.seconds)}{each}",
        ]
        if self.at_hand:
            lines.append(f"  {counted(self.at_hand, 'answer')} at hand from earlier runs, free")
        left = [(NOT_FILLED[s], n, "") for s, n in self.rows.items() if s in NOT_FILLED]
        lines += block("not filled", left)
        paid_rows = [(plain(q.words, 60), q.rows, _calls(q.calls)) for q in self.queries[:5]]
        lines += block("what paid: rows by query", paid_rows)
        if self.conflicts:
            does, stays = (
                ("s", "stays as it is") if self.conflicts == 1 else ("", "stay as they are")
            )
            lines.append(
                f"  {counted(self.conflicts, 'cell')} of the table disagree{does} with the source "
                f"and {stays}: {self.table.parent / 'conflicts.csv'}"
            )
        lines += [f"  note: {plain(note)}" for note in (*self.notes, *self._hints)]
        lines.append(f"  table: {plain(str(self.table))}")
        return "\n".join(lines)

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""
        shared = as_object(self.run, [*filter(None, [self.note]), *self.notes, *self._hints])
        del shared["types"]
        return {
            **shared,
            "finds": self.filled,
            "rows": dict(self.rows),
            "calls": self.calls,
            "at_hand": self.at_hand,
            "spent": round(self.calls * self.price, 6),
            "currency": self.currency,
            "conflicts": self.conflicts,
            "table": str(self.table),
        }


def _money(amount: float) -> str:
    """Cents, and of less than a dime what there is to see.

    >>> _money(12.5), _money(0.04), _money(0.0012)
    ('12.50', '0.04', '0.0012')
    """
    return f"{amount:.2f}" if amount >= 0.1 else f"{amount:.2g}"


def _calls(number: int) -> str:
    return f"({counted(number, 'call')})" if number != 1 else ""


def enriched(run_path: Path) -> Enriched:
    """Return the figures of an enrichment, ended or not."""
    with readonly.reading(run_path) as ledger, records.reading_book(run_path) as book:
        return enriched_of(run_path, ledger, book)


def enriched_of(run_path: Path, ledger: sqlite3.Connection, book: sqlite3.Connection) -> Enriched:
    """Return the figures of an enrichment whose ledger and records are open."""
    about, learnt = records.meta(book), readonly.learnt(ledger)
    at_hand = ledger.execute("SELECT COUNT(*) FROM steps WHERE took_s = -1").fetchone()[0]
    summary = summary_of(run_path, ledger)
    return Enriched(
        run=summary,
        rows=records.state_counts(book),
        records=book.execute("SELECT COUNT(*) FROM records").fetchone()[0],
        calls=summary.requests,
        at_hand=at_hand,
        price=float(about.get("price") or 0),
        currency=about.get("currency", ""),
        table=run_path / about.get("enriched", "enriched.csv"),
        source=about.get("source", ""),
        queries=_queries(ledger),
        conflicts=book.execute("SELECT COUNT(*) FROM conflicts").fetchone()[0],
        note=str(learnt.get("note") or "") if summary.stopped else "",
        notes=list(json.loads(about.get("notes") or "[]")),
        hint=why_none(run_path, ledger, book),
    )


def _queries(ledger: sqlite3.Connection) -> tuple[Query, ...]:
    rows = ledger.execute(
        "SELECT s.arm, COUNT(DISTINCT s.step), COUNT(f.find) AS rows"
        " FROM steps s LEFT JOIN finds f ON f.step = s.step WHERE s.arm != ''"
        " GROUP BY s.arm HAVING rows > 0 ORDER BY rows DESC, 2, s.arm LIMIT 100"
    )
    return tuple(Query(*row) for row in rows)
