"""A run as one looks at it: figures, curve, what was just fetched and why, finds, forecast.

All comes from the ledger, read-only, by a few bounded queries: a run that is at work does not
notice, and one of a million steps costs no more than its sums.
"""

import contextlib
import sqlite3
import threading
from array import array
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from filon.core import Budget, FilonError, MachineError
from filon.dispatch.dispatcher import is_open, newest
from filon.page.formats import title as format_title
from filon.run import readonly
from filon.run.report import curve
from filon.run.report.sample import Sample, sample_of
from filon.run.summary import is_too_early, left_of
from filon.run.text import counted
from filon.verbs.registry import verb_of

#: Steps and finds that are shown, and the finds among them that are looked into.
STEPS, FINDS, LOOKED_INTO = 10, 10, 4
#: The pace is that of so many answers.
_RECENT = 100
_TRIES = 3
#: Verbs whose outlook is how much they have found, which stands beside it.
_ONLY_COUNTS = frozenset({"discover"})
#: Ledgers of which is remembered what was summed up so far.
_MOST = 32
#: An answer never changes once it is in: only those that came since are read.
_SUMS = """
SELECT COALESCE(SUM(sends), 0), COUNT(*), COALESCE(SUM(wire_bytes), 0), MAX(run_s), MAX(answer)
FROM steps WHERE answer > ?
"""
_FOUND = """
SELECT s.answer, f.find FROM finds f JOIN steps s ON s.step = f.step
WHERE f.find > ? AND s.answer IS NOT NULL ORDER BY f.find
"""


@dataclass(slots=True)
class _Sums:
    """What a ledger adds up to, as far as it was read; found: the answers that brought finds."""

    requests: int = 0
    answers: int = 0
    bytes: int = 0
    seconds: float = 0.0
    last: int = 0
    found: "array[int]" = field(default_factory=lambda: array("q"))
    last_find: int = 0

    def read_on(self, ledger: sqlite3.Connection) -> None:
        """Add what has come since."""
        requests, answers, came, seconds, last = ledger.execute(_SUMS, (self.last,)).fetchone()
        self.requests, self.answers = self.requests + requests, self.answers + answers
        self.bytes += came
        self.seconds, self.last = max(self.seconds, seconds or 0.0), last or self.last
        for answer, find in ledger.execute(_FOUND, (self.last_find,)):
            self.found.append(answer)
            self.last_find = find


_known: OrderedDict[tuple[str, int], _Sums] = OrderedDict()
_lock = threading.Lock()


def _sums(folder: Path, ledger: sqlite3.Connection) -> tuple[_Sums, int]:
    """Return what a ledger adds up to, and how many requests are in flight besides."""
    key = (str(folder), (folder / readonly.LEDGER).stat().st_ino)
    (last,) = ledger.execute("SELECT MAX(answer) FROM steps").fetchone()
    (flying,) = ledger.execute(
        "SELECT COALESCE(SUM(sends), 0) FROM steps WHERE answer IS NULL"
    ).fetchone()
    with _lock:
        sums = _known.pop(key, None)
        if sums is None or sums.last > (last or 0):
            sums = _Sums()
        sums.read_on(ledger)
        _known[key] = sums
        while len(_known) > _MOST:
            _known.popitem(last=False)
        return replace(sums, found=sums.found[:]), flying


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSeen:
    """An answer, and why it was asked for."""

    url: str
    status: int
    error: str
    why: str
    took_s: float
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FindSeen:
    """Something that was found; sample: its first rows, where it is a table."""

    url: str
    name: str
    kind: str
    format: str
    size_bytes: int
    context: str
    sha256: str
    sample: Sample | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """How a run stands.

    round: the number of the round that these figures are of; 0: of the run itself.
    spends, brings: what a request and a find are called by its verb.
    left, spread, most: files that are left by the run's own estimate, and at most, in 19 of 20
        cases; None: it has none. too_early: it has seen too little for one. As of the last
        checkpoint.
    outlook: what it expects of the rest, as the line in a terminal has it; "": it does not tell.
    ends_in_s: when the budget ends at this pace; None: unknown.
    """

    verb: str
    strategy: str
    round: int
    spends: str
    brings: str
    requests: int
    answers: int
    bytes: int
    seconds: float
    finds: int
    budget: Budget
    left: float | None
    spread: float | None
    most: float | None
    too_early: bool
    outlook: str
    ends_in_s: float | None
    curve: Markup
    steps: tuple[StepSeen, ...]
    latest: tuple[FindSeen, ...]

    @property
    def found_word(self) -> str:
        """What its finds are called, of more than one."""
        return counted(2, self.brings).removeprefix("2 ")

    @property
    def share(self) -> float | None:
        """How much of the budget in requests is spent, from 0 to 1."""
        bound = self.budget.requests
        return min(1.0, self.requests / bound) if bound else None


def glance(run: Path) -> Glance:
    """Return how a run stands, or its round that is at work."""
    for _ in range(_TRIES):
        # While a run begins or ends, it may go on under who reads it alone.
        with contextlib.suppress(MachineError):
            return _glance(run)
    return _glance(run)


def _glance(run: Path) -> Glance:
    folder = newest(run)
    folder = folder if folder != run and is_open(folder) else run
    config = readonly.config(folder)
    verb = verb_of(run)
    with readonly.reading(folder) as ledger:
        sums, flying = _sums(folder, ledger)
        (finds,) = ledger.execute("SELECT COUNT(*) FROM finds").fetchone()
        budget = _budget(config)
        learnt = readonly.learnt(ledger)
        (left, spread), most = _left(learnt)
        requests = sums.requests + flying
        meta = readonly.meta(ledger)
        came = sums.bytes + readonly.bytes_besides(meta)
        return Glance(
            verb=verb.name,
            strategy=str(config.get("strategy", "")),
            round=int(folder.name) if folder != run and folder.name.isdigit() else 0,
            spends=verb.nouns[0],
            brings=verb.nouns[1],
            requests=requests,
            answers=sums.answers,
            bytes=came,
            seconds=sums.seconds,
            finds=finds,
            budget=budget,
            left=left,
            spread=spread,
            most=most,
            too_early=is_too_early(learnt),
            outlook="" if verb.name in _ONLY_COUNTS else meta.get("outlook", ""),
            ends_in_s=_ends_in_s(ledger, budget, requests, sums.seconds),
            curve=_curve(ledger, verb.nouns, sums),
            steps=tuple(_steps(ledger)),
            latest=tuple(_latest(folder, ledger)),
        )


def _budget(config: dict[str, Any]) -> Budget:
    try:
        return Budget.parse(str(config["budget"])) if config.get("budget") else Budget()
    except FilonError:
        return Budget()


def _left(
    learnt: Mapping[str, Any],
) -> tuple[tuple[float | None, float | None], float | None]:
    left, most = left_of(learnt)
    return left or (None, None), most


def _ends_in_s(
    ledger: sqlite3.Connection, budget: Budget, requests: int, seconds: float
) -> float | None:
    """Return when the budget ends if all goes on as of late."""
    ends = [budget.seconds - seconds] if budget.seconds else []
    times = [
        row[0]
        for row in ledger.execute(
            "SELECT at_s FROM steps WHERE answer IS NOT NULL ORDER BY answer DESC LIMIT ?",
            (_RECENT,),
        )
    ]
    took_s = times[0] - times[-1] if len(times) > 1 else 0.0
    if budget.requests and took_s > 0:
        ends.append((budget.requests - requests) * took_s / (len(times) - 1))
    return max(0.0, min(ends)) if ends else None


def _curve(ledger: sqlite3.Connection, nouns: tuple[str, str], sums: _Sums) -> Markup:
    """Return the chart of the report."""
    spends, brings = nouns
    told = curve.drawn(ledger, sums.last, curve.Nouns(brings, spends), sums.found)
    return Markup(told)  # noqa: S704 - our own markup, of figures and of the verb's own nouns


def _steps(ledger: sqlite3.Connection) -> list[StepSeen]:
    rows = ledger.execute(
        "SELECT url, status, error, why, took_s, at_s FROM steps WHERE answer IS NOT NULL"
        " ORDER BY answer DESC LIMIT ?",
        (STEPS,),
    )
    return [
        StepSeen(
            url=row["url"],
            status=row["status"] or 0,
            error=row["error"] or "",
            why=row["why"],
            took_s=row["took_s"] or 0.0,
            at_s=row["at_s"] or 0.0,
        )
        for row in rows
    ]


def _latest(folder: Path, ledger: sqlite3.Connection) -> list[FindSeen]:
    rows = ledger.execute(
        f"SELECT * FROM ({readonly.all_finds(ledger)}) ORDER BY find DESC LIMIT ?",  # noqa: S608
        (FINDS,),
    ).fetchall()
    found: list[FindSeen] = []
    for row in rows:
        sha256 = row["sha256"] or ""
        into = sha256 and sum(one.sample is not None for one in found) < LOOKED_INTO
        found.append(
            FindSeen(
                url=row["url"],
                name=row["name"] or row["url"],
                kind=row["kind"],
                format=format_title(row["mime"], row["name"]) if row["mime"] else "",
                size_bytes=row["size_bytes"],
                context=row["link_text"] or row["page_title"] or "",
                sha256=sha256,
                sample=_sample(str(folder), sha256) if into else None,
            )
        )
    return found


@lru_cache(256)
def _sample(folder: str, sha256: str) -> Sample | None:
    """Return the first rows of a stored file: it never changes, and is read once."""
    run = Path(folder)
    places = [readonly.stored(run, sha256)]
    if (run / readonly.PARTS).is_dir():
        places = [readonly.stored(part, sha256) for part in readonly.parts(run)]
    return next((sample_of(path) for path in places if path.is_file()), None)
