"""After a run: what it was given is matched with the table, and the table is filled.

All of it comes from the run folder: the copy of the table and the archive of answers. So it can
be done again at any time, and after an interruption as far as the run got.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.core import Answer, Provider
from filon.page.words import keywords
from filon.run import readonly
from filon.run.archive import Answers
from filon.run.disk import replace_text, replacing, writing
from filon.run.folder import RunFolder
from filon.run.text import cell
from filon.verbs.enrich import EnrichSettings
from filon.verbs.enrich.absent import absent, shows_all
from filon.verbs.enrich.job import EnrichJob, reopen
from filon.verbs.enrich.match import Labels, Matches
from filon.verbs.enrich.match.calibrate import LEAST
from filon.verbs.enrich.match.kinds import guess, normalise
from filon.verbs.enrich.records import (
    CONFLICTS,
    MISSING,
    STATES,
    Book,
    Conflict,
    Fetched,
    Matched,
    reading_book,
    write_book,
)
from filon.verbs.enrich.table import New

REVIEW = "review.json"
PROVENANCE = ("filon_source", "filon_id", "filon_score", "filon_fetched_at", "filon_evidence")
#: How much of a row is shown to people.
SHOWN = 120
_STEPS = "SELECT * FROM steps WHERE answer IS NOT NULL ORDER BY answer"


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a run was given: its records, each once, its queries, and whether all was shown.

    given_up: the different rows that were held for absent when the run ended.
    """

    fetched: list[Fetched]
    asked: list[tuple[str, bool]]
    given_up: set[int]


def gather(run_path: Path, job: EnrichJob) -> Gathered:
    """Read all answers of a run back from its archive."""
    found: dict[str, Fetched] = {}
    asked = []
    for step, query, at_s, answer in _answers(run_path, job.source):
        asked.append((query, shows_all(answer, job.source.page_size)))
        for record in answer.records:
            found.setdefault(record.id, Fetched(record, step, at_s))
    return Gathered(list(found.values()), asked, job.given_up() or _given_up(run_path, job))


def _answers(run_path: Path, provider: Provider) -> Iterator[tuple[int, str, float, Answer]]:
    """Yield, in the order in which they came, step, query as asked, time and what it said."""
    stored = Answers(run_path)
    with readonly.reading(run_path) as ledger:
        for row in ledger.execute(_STEPS):
            response = stored.read(row, row["url"])
            yield row["step"], row["arm"], row["at_s"], provider.parse(response)


def _given_up(run_path: Path, job: EnrichJob) -> set[int]:
    """Return what an earlier filling wrote down: a review has no strategy to ask."""
    with reading_book(run_path) as book:
        rows = [row - 1 for (row,) in book.execute("SELECT row FROM rows WHERE state = 'absent'")]
    return {int(job.distinct.of[row]) for row in rows}


def fill(run_path: Path, job: EnrichJob) -> None:
    """Match, and write the enriched table, the conflicts, what was not found, and the records."""
    gathered = gather(run_path, job)
    matches = match(job, gathered.fetched, read_labels(run_path))
    write_filled(run_path, job, gathered, matches)


def restore_filled(run_path: Path) -> None:
    """Fill the table from the run folder alone: the strategy is brought to where the run stands."""
    job = reopen(run_path, EnrichSettings.of(readonly.config(run_path)))
    with RunFolder.open(run_path, read_only=True) as run:
        run.replay(job.strategy)
    fill(run_path, job)


def match(job: EnrichJob, fetched: Sequence[Fetched], labels: Labels | None = None) -> Matches:
    """Match records with the different rows of the table."""
    records = [each.record for each in fetched]
    columns = {name: job.distinct.columns[name] for name in job.matched}
    alignment = job.alignment(records)
    return Matches(
        columns,
        records,
        alignment,
        labels or {},
        one_to_one=job.settings.one_to_one,
        table=job.prefilter.table,
    )


def write_filled(run_path: Path, job: EnrichJob, gathered: Gathered, matches: Matches) -> None:
    """Write all that follows from a decision."""
    filled = _Filled(job, gathered, matches)
    with writing(run_path):
        notes = _write_table(run_path, job, filled.new())
        _write_csv(run_path / CONFLICTS, CONFLICT_HEAD, filled.conflict_rows())
        _write_csv(run_path / MISSING, ["row", "why", *job.matched], filled.missing_rows())
    meta = {
        "table": job.settings.table,
        "enriched": f"enriched{job.table.ending}",
        "answers": str(len(gathered.asked)),
        "source": job.source.name,
        "terms": job.source.description.terms,
        "price": repr(job.source.price),
        "currency": job.source.description.limits.currency,
        "threshold": repr(float(matches.threshold)),
        "name_field": next((pair.field for pair in matches.alignment.pairings), ""),
        "aligned": json.dumps([str(pair) for pair in matches.alignment.pairings]),
        "added": json.dumps(list(job.add)),
        "notes": json.dumps([*job.table.notes, *notes, *lacking(job.add, gathered.fetched)]),
    }
    write_book(run_path, filled.book(meta))


def lacking(add: Mapping[str, str], fetched: Sequence[Fetched]) -> list[str]:
    """Say which wanted fields no record has: they are misspelt, or the service has changed."""
    known = Counter(name for each in fetched for name, text in each.record.fields.items() if text)
    names = ", ".join(name for name, _ in known.most_common(12))
    return [
        f"None of the {len(fetched):,} records has {field}; they have {names}."
        for field in dict.fromkeys(add.values())
        if fetched and field not in known
    ]


CONFLICT_HEAD = ["row", "column", "own", "found", "filon_id"]


class _Filled:
    """The cells that are new, the cells that disagree, and how it stands with each row."""

    def __init__(self, job: EnrichJob, gathered: Gathered, matches: Matches) -> None:
        self._job = job
        self._fetched = gathered.fetched
        self._number = {each.record.id: n for n, each in enumerate(gathered.fetched)}
        self._matches = list(matches)
        self._own = job.table.read([name for name in job.add if name in job.table.names])
        self._kinds = {name: guess(cells, name) for name, cells in self._own.items()}
        self.conflicts: list[Conflict] = []
        self.filled: dict[str, dict[int, str]] = {name: {} for name in self._own}
        size = job.table.size
        self.added = {name: [""] * size for name in job.add if name not in self._own}
        self.marks = {name: [""] * size for name in PROVENANCE}
        self.states = [""] * size
        self._lost = self._absent(gathered)
        for row, number in enumerate(job.distinct.of.tolist()):
            self.states[row] = self._fill(row, number) if number >= 0 else "empty"

    def _absent(self, gathered: Gathered) -> set[int]:
        columns = [self._job.distinct.columns[name] for name in self._job.queried]
        documents = [" ".join(cells) for cells in zip(*columns, strict=True)]
        rows = [match.row for match in self._matches if match.fate != "matched"]
        self._wordless = {row for row in rows if not keywords(documents[row])}
        lost = absent(documents, rows, gathered.asked, self._job.source.joins)
        return lost | gathered.given_up

    def _fill(self, row: int, number: int) -> str:
        match = self._matches[number]
        if match.fate != "matched" or match.record is None:
            if match.fate == "ambiguous" or match.score >= LEAST:
                return "ambiguous"
            if number in self._wordless:
                return "empty"
            return "absent" if number in self._lost else "not reached"
        record = self._number[match.record.id]
        fetched = self._fetched[record]
        provenance = (
            self._job.source.name,
            match.record.id,
            f"{match.score:.3f}",
            datetime.fromtimestamp(fetched.at_s, UTC).isoformat(timespec="seconds"),
            match.evidence,
        )
        for name, value in zip(PROVENANCE, provenance, strict=True):
            self.marks[name][row] = value
        new = [self._put(row, name, field, record) for name, field in self._job.add.items()]
        return "filled" if any(new) else "matched"

    def _put(self, row: int, name: str, field: str, record: int) -> bool:
        """Put a value where there is none; say whether there was something to put."""
        value = self._fetched[record].record.fields.get(field, "")
        if name in self.added:
            self.added[name][row] = value
            return bool(value)
        own = self._own[name][row]
        if value and not own.strip():
            self.filled[name][row] = value
        elif value and not _same(self._kinds[name], own, value):
            self.conflicts.append(
                Conflict(row=row, column=name, own=own, found=value, record=record)
            )
        return bool(value) and not own.strip()

    def new(self) -> New:
        """Return what is written beside the user's own cells."""
        taken = {*self._job.table.names, *self.added}
        added = {**self.added, **{_free(name, taken): c for name, c in self.marks.items()}}
        return New(added=added, filled=self.filled)

    def conflict_rows(self) -> Iterator[list[str]]:
        for each in self.conflicts:
            name = self._fetched[each.record].record.id
            yield [str(each.row + 1), each.column, each.own, each.found, name]

    def missing_rows(self) -> Iterator[list[str]]:
        columns = [self._job.distinct.columns[name] for name in self._job.matched]
        for row, state in enumerate(self.states):
            if state in ("filled", "matched"):
                continue
            number = int(self._job.distinct.of[row])
            cells = [column[number] if number >= 0 else "" for column in columns]
            yield [str(row + 1), STATES[state], *cells]

    def book(self, meta: dict[str, str]) -> Book:
        """Return what records.sqlite holds."""
        rows = self._job.distinct.rows()
        columns = [self._job.distinct.columns[name] for name in self._job.matched]
        lines = [" · ".join(cells)[:SHOWN] for cells in zip(*columns, strict=True)]
        found = [
            Matched(
                row=row,
                record=self._number[match.record.id],
                score=match.score,
                evidence=match.evidence,
                sure=match.fate == "matched",
            )
            for match in self._matches
            if match.record is not None
            for row in rows[match.row]
        ]
        shown = [lines[number] if number >= 0 else "" for number in self._job.distinct.of.tolist()]
        return Book(
            fetched=self._fetched,
            matches=found,
            conflicts=self.conflicts,
            states=self.states,
            shown=shown,
            meta=meta,
        )


def _same(kind: str, a: str, b: str) -> bool:
    """Case, accents and punctuation make no conflict."""
    first, second = normalise(kind, a), normalise(kind, b)
    return a == b or (first is not None and first == second)


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no column has: the table may be enriched for the second time."""
    number, chosen = 2, name
    while chosen in taken:
        chosen, number = f"{name}_{number}", number + 1
    return chosen


def _write_table(run_path: Path, job: EnrichJob, new: New) -> list[str]:
    out = run_path / f"enriched{job.table.ending}"
    with replacing(out) as part:
        return job.table.write(part, new)


def _write_csv(path: Path, head: list[str], rows: Iterator[list[str]]) -> None:
    """Write a table for spreadsheets; none where there is nothing to tell."""
    first = next(rows, None)
    if first is None:
        path.unlink(missing_ok=True)
        return
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        for row in (first, *rows):
            writer.writerow(map(cell, row))


def read_review(run_path: Path) -> dict[str, Any]:
    """Return what was said at a review; nothing where there was none."""
    try:
        review: dict[str, Any] = json.loads((run_path / REVIEW).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return review


def read_labels(run_path: Path) -> Labels:
    """Return what was said at a review of each pair: a different row and a record."""
    answers = read_review(run_path).get("answers", [])
    return {(int(row), str(record)): same for row, record, same in answers if same is not None}


def write_review(run_path: Path, state: Mapping[str, Any]) -> None:
    """Keep what was said at a review."""
    replace_text(run_path / REVIEW, json.dumps(state))
