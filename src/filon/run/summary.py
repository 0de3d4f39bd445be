"""What a run cost and brought, in a few figures: for the terminal, the report and the demo."""

import math
import shlex
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from filon.core import Budget
from filon.page.formats import title as format_title
from filon.run import readonly
from filon.run.text import count, counted, duration, plain, size

#: Of a strategy that estimates what is left, and has seen too little of a site.
TOO_EARLY = "too early to tell how many files are left"

#: How each end of a run is told; "" is a run that has not ended.
ENDINGS = {
    "exhausted": "ended: nothing was left to fetch",
    "budget": "ended: the budget was spent",
    "early-stop": "ended by itself: hardly anything new was coming in",
    "goal": "ended: as many finds as asked for",
    "per-site": "ended: every site has had its share",
    "interrupted": "interrupted",
    "": "not ended",
}


def ending(stopped: str, running: bool) -> str:
    """Return why a run ended, in words.

    stopped: as the ledger has it; "" where it has not ended. running: a process is at work on it.
    """
    if not stopped:
        return "still running" if running else "cut short before its end"
    return ENDINGS.get(stopped, f"ended: {plain(stopped)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A group of links that a strategy chose from, and what it brought.

    pulls, mean, left: as the strategy counts them: times chosen, mean reward, links waiting.
    requests, finds, bytes: as the ledger counts them; a find counts for the group of its own
        step or, where that has none, for the group of the page that led to it.
    """

    name: str
    pulls: int = 0
    mean: float = 0.0
    left: int = 0
    example: str = ""
    requests: int = 0
    finds: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """Finds of one type."""

    name: str
    finds: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures of a run so far.

    bytes: what came over the wire. find_bytes: the finds, decoded.
    stopped: as in `--json`; "" where the run has not ended.
    running: a process is at work on it.
    arms: those that brought most first. skipped: what guards kept out, by reason.
    left: how many finds are left by the strategy's estimate, and its spread; None: no estimate.
    left_at_most: how many are left at most, in 19 of 20 cases; None: the strategy does not tell.
    too_early: the strategy estimates what is left, and has not seen enough to do so.
    budget: as it was asked for. waiting: links that were known and not yet asked for.
    quota: it ended as a service has no calls left for now, and its budget is not spent.
    per_site: the most requests that a site of many may have; 0: no bound.
    """

    run: str
    verb: str
    strategy: str
    start: str
    requests: int
    answers: int
    bytes: int
    finds: int
    find_bytes: int
    seconds: float
    stopped: str
    running: bool
    formats: tuple[Format, ...]
    arms: tuple[Arm, ...]
    skipped: Mapping[str, int]
    left: tuple[float, float] | None = None
    left_at_most: float | None = None
    too_early: bool = False
    budget: str = ""
    waiting: int = 0
    quota: bool = False
    per_site: int = 0

    @property
    def ending(self) -> str:
        """Why the run ended, in words."""
        if self.quota:
            return "ended: a service has no calls left for now"
        return ending(self.stopped, self.running)

    @property
    def resumable(self) -> bool:
        """It may go on where it was left."""
        return self.stopped in ("", "interrupted") and not self.running

    @property
    def bound(self) -> str:
        """How many finds are left at most, as the end of a sentence."""
        most = self.left_at_most
        return "" if most is None else f"; 95 % sure: at most {math.ceil(most)}"

    @property
    def per_hundred(self) -> float:
        """Finds for 100 requests."""
        return 100 * self.finds / self.requests if self.requests else 0.0

    @property
    def cost(self) -> str:
        """What was spent, in words."""
        requests, came = counted(self.requests, "request"), size(self.bytes)
        return f"{requests}, {came} received, in {duration(self.seconds)}"

    def opening(self, brought: str, nouns: str = "finds") -> list[str]:
        """Return the first lines for a terminal: how it ended, what it brought at which cost."""
        rate = f"{self.per_hundred:.1f} {nouns} for 100 requests"
        return [f"{self.run}: {self.ending}", f"  {brought} with {self.cost}: {rate}"]

    def __str__(self) -> str:
        """Return the lines for a terminal."""
        lines = self.opening(f"{counted(self.finds, 'find')} ({size(self.find_bytes)})")
        if self.left and self.stopped != "exhausted":
            mean, spread = self.left
            lines.append(f"  about {mean:.0f} ± {spread:.0f} files left, by estimate{self.bound}")
        if self.too_early:
            lines.append(f"  {TOO_EARLY}; {counted(self.waiting, 'known link')} wait")
        lines += block("found", [(f.name, f.finds, size(f.bytes)) for f in self.formats])
        paid = [arm for arm in self.arms if arm.finds][:5]
        lines += block(
            "what paid: finds by group of links", [(plain(a.name, 60), a.finds, "") for a in paid]
        )
        lines += block("skipped", [(plain(why), n, "") for why, n in self.skipped.items()])
        return "\n".join(lines)

    def next_steps(self, export: str) -> list[str]:
        """Return what may be typed next. export: the format that most people want of such runs."""
        run, steps = shlex.quote(self.run), []
        if self.resumable or self.quota:
            steps.append(f"filon resume {run}")
        elif self.stopped in ("budget", "goal") and self.budget:
            steps.append(f"filon resume {run} --budget {Budget.parse(self.budget).doubled()}")
        elif self.stopped == "per-site" and self.per_site:
            steps.append(f"filon resume {run} --per-site {2 * self.per_site}")
        steps.append(f"filon report {run} --open")
        if self.finds:
            steps.append(f"filon export {run} --to {export}")
        return steps


class Outcome(Protocol):
    """How a run stands, for the terminal, for scripts and for the demo; `str` has the lines.

    run: the figures that every run has. ending: why it ended, in words.
    remarks: what a person should know besides, told on standard error.
    """

    @property
    def run(self) -> Summary:
        """The figures that every run has."""

    @property
    def ending(self) -> str:
        """Why it ended, in words."""
        return self.run.ending

    @property
    def remarks(self) -> Sequence[str]:
        """What a person should know that the figures do not say."""
        return ()

    def file(self, name: str) -> Path:
        """Return where a file of the run is."""
        return Path(self.run.run) / name

    def next_steps(self, export: str) -> list[str]:
        """Return what may be typed next. export: the format that most people want of such runs."""
        return self.run.next_steps(export)

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""


@dataclass(frozen=True, slots=True)
class Plain(Outcome):
    """The outcome of a run of which there is no more to say than its figures."""

    run: Summary
    remarks: Sequence[str] = ()

    def __str__(self) -> str:
        return str(self.run)

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""
        return as_object(self.run, self.remarks)


def as_object(summary: Summary, notes: Sequence[str]) -> dict[str, object]:
    """Return what every run tells scripts under --json."""
    return {
        "run": summary.run,
        "verb": summary.verb,
        "strategy": summary.strategy,
        "stopped": summary.stopped,
        "requests": summary.requests,
        "bytes": summary.bytes,
        "finds": summary.finds,
        "seconds": round(summary.seconds, 3),
        "report": str(Path(summary.run) / "report.html"),
        "types": {format.name: format.finds for format in summary.formats},
        "notes": list(notes),
    }


def block(title: str, rows: list[tuple[str, int, str]]) -> list[str]:
    """Return a title and its rows: a number, a name, and more; nothing where there is none."""
    if not rows:
        return []
    width = max(len(count(number)) for _, number, _ in rows)
    lines = (f"    {count(number):>{width}}  {name}  {more}" for name, number, more in rows)
    return [f"  {title}", *(line.rstrip() for line in lines)]


def summarise(run_path: Path) -> Summary:
    """Return the figures of a run, ended or not."""
    with readonly.reading(run_path) as ledger:
        return summary_of(run_path, ledger)


def summary_of(run_path: Path, ledger: sqlite3.Connection) -> Summary:
    """Return the figures of a run whose ledger is open."""
    config = readonly.config(run_path)
    requests, answers, of_rules, received, first, last = ledger.execute(
        "SELECT COALESCE(SUM(sends), 0), COUNT(answer),"
        " COUNT(answer) FILTER (WHERE kind = 'robots'), COALESCE(SUM(wire_bytes), 0),"
        " MIN(at_s - took_s), MAX(at_s) FROM steps"
    ).fetchone()
    formats = _formats(ledger)
    learnt = readonly.learnt(ledger)
    # Who has seen no page of a site can be sure of nothing.
    left, at_most = left_of(learnt) if answers > of_rules else (None, None)
    meta = readonly.meta(ledger)
    return Summary(
        run=plain(str(run_path)),
        verb=plain(_text(config, "verb")),
        strategy=plain(_text(config, "strategy")),
        start=_text(config, "url") or _text(config, "start") or _first_url(ledger),
        requests=requests,
        answers=answers,
        bytes=received + readonly.bytes_besides(meta),
        finds=sum(f.finds for f in formats),
        find_bytes=sum(f.bytes for f in formats),
        seconds=_number(meta.get("seconds")) or (last or 0.0) - (first or 0.0),
        stopped=meta.get("stopped", ""),
        running=not meta.get("stopped") and readonly.running(run_path),
        formats=formats,
        arms=_arms(ledger, learnt),
        skipped=_skipped(learnt),
        left=left,
        left_at_most=at_most,
        too_early=is_too_early(learnt),
        budget=_text(config, "budget"),
        waiting=_waiting(learnt),
        quota=meta.get("stopped") == "budget" and learnt.get("problem") == "quota",
        per_site=int(_number(config.get("per_site")) or 0),
    )


def _text(config: Mapping[str, Any], key: str) -> str:
    """Look a setting up at the top of run.toml and in its tables."""
    if isinstance(value := config.get(key), str):
        return value
    tables = (table for table in config.values() if isinstance(table, dict))
    return next((t[key] for t in tables if isinstance(t.get(key), str)), "")


def _first_url(ledger: sqlite3.Connection) -> str:
    row = ledger.execute(
        "SELECT url FROM steps WHERE kind != 'robots' ORDER BY step LIMIT 1"
    ).fetchone()
    return str(row[0]) if row else ""


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # whatever the summary holds
    except (TypeError, ValueError):
        return 0.0


def _formats(ledger: sqlite3.Connection) -> tuple[Format, ...]:
    found: dict[str, list[int]] = {}
    rows = ledger.execute(
        # A type that says nothing is told by the name's ending: see formats.py.
        "SELECT mime, CASE WHEN mime LIKE '%octet-stream' OR mime = '' THEN name ELSE '' END AS n,"
        " COUNT(*), SUM(size_bytes) FROM finds GROUP BY mime, n"
    )
    for mime, name, finds, size_bytes in rows:
        sums = found.setdefault(plain(format_title(mime, name), 40), [0, 0])
        sums[0] += finds
        sums[1] += size_bytes
    formats = (Format(name=n, finds=finds, bytes=b) for n, (finds, b) in found.items())
    return tuple(sorted(formats, key=lambda f: (-f.finds, f.name)))


_FINDS_BY_ARM = """
SELECT COALESCE(NULLIF(s.arm, ''),
                (SELECT p.arm FROM steps p WHERE p.url = s.parent AND p.arm != '' LIMIT 1),
                '') AS arm,
       COUNT(*)
FROM finds f JOIN steps s ON s.step = f.step GROUP BY 1
"""


def _arms(ledger: sqlite3.Connection, learnt: Mapping[str, Any]) -> tuple[Arm, ...]:
    finds = dict(ledger.execute(_FINDS_BY_ARM).fetchall())
    spent = {
        arm: (requests, wire_bytes)
        for arm, requests, wire_bytes in ledger.execute(
            "SELECT arm, SUM(sends), COALESCE(SUM(wire_bytes), 0) FROM steps GROUP BY arm"
        )
    }
    listed = learnt.get("arms")
    known = {
        str(arm.get("name") or arm.get("arm")): arm
        for arm in (listed if isinstance(listed, list) else ())
        if isinstance(arm, dict) and (arm.get("name") or arm.get("arm"))
    }
    names = [name for name in {**known, **spent, **finds} if name]
    arms = (_arm(n, known.get(n, {}), spent.get(n, (0, 0)), finds.get(n, 0)) for n in names)
    return tuple(sorted(arms, key=lambda arm: (-arm.finds, -arm.mean, arm.requests, arm.name)))


def _arm(name: str, arm: Mapping[str, Any], spent: tuple[int, int], finds: int) -> Arm:
    return Arm(
        name=name,
        pulls=int(_number(arm.get("pulls"))),
        mean=_number(arm.get("mean")),
        left=int(_number(arm.get("left"))),
        example=str(arm.get("example") or ""),
        requests=spent[0],
        finds=finds,
        bytes=spent[1],
    )


def _waiting(learnt: Mapping[str, Any]) -> int:
    """Return how many links wait; a strategy that does not count them may count by group."""
    for name in ("left", "frontier"):
        if isinstance(left := learnt.get(name), int):
            return left
    arms = learnt.get("arms")
    groups = (arm for arm in (arms if isinstance(arms, list) else ()) if isinstance(arm, dict))
    return int(sum(_number(arm.get("left")) for arm in groups))


def left_of(learnt: Mapping[str, Any]) -> tuple[tuple[float, float] | None, float | None]:
    """Return how many finds are left by a strategy's estimate with its spread, and at most."""
    forecast = learnt.get("forecast")
    if not isinstance(forecast, Mapping):
        return None, None
    most = _number(forecast["most"]) if "most" in forecast else None  # older runs do not tell
    return (_number(forecast.get("mean")), _number(forecast.get("spread"))), most


def is_too_early(learnt: Mapping[str, Any]) -> bool:
    """Say whether a strategy that estimates how many files are left has not seen enough for it."""
    return "forecast" in learnt and learnt["forecast"] is None and bool(_waiting(learnt))


def _skipped(learnt: Mapping[str, Any]) -> dict[str, int]:
    skipped = learnt.get("skipped")
    if not isinstance(skipped, dict):
        return {}
    counts = ((str(why), int(_number(n))) for why, n in skipped.items())
    return dict(sorted(((w, n) for w, n in counts if n), key=lambda pair: (-pair[1], pair[0])))
