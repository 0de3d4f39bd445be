"""What an acquisition cost and brought, site by site: for terminal, report and scripts."""

import shlex
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.summary import Outcome, Summary, as_object, block, summary_of
from filon.run.text import counted, plain, size
from filon.verbs.acquire.index import CAPPED, NOTHING, OUTAGE, Site

#: Sites that a terminal names; the report has all.
BEST = 15
#: How the end of a site is told; "" is one that may go on.
ENDS = {
    "exhausted": "nothing was left to fetch",
    "early-stop": "hardly anything new was coming in",
    CAPPED: "it has had as many requests as a site may have",
    NOTHING: "there was nothing to be had",
    OUTAGE: "its host is down",
    "": "it may go on",
}
_FIGURES = """
WITH spent AS (
    SELECT arm, sum(sends) AS requests, sum(wire_bytes) AS bytes FROM steps GROUP BY arm
), found AS (
    SELECT t.site, count(*) AS finds FROM finds f JOIN turns t USING (step) GROUP BY t.site
)
SELECT s.name, s.kind, s.url, s.why, s.promise, s.state, s.note,
       coalesce(spent.requests, 0) AS requests, coalesce(found.finds, 0) AS finds,
       coalesce(spent.bytes, 0) + s.besides_bytes AS bytes
FROM sites s LEFT JOIN spent ON spent.arm = s.name LEFT JOIN found ON found.site = s.name
ORDER BY finds DESC, requests DESC, s.name
"""
#: Run folders of which a kill left nothing but the first tables.
_HAS_SITES = "SELECT 1 FROM sqlite_master WHERE name = 'sites'"


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFigures(Site):
    """One run of the whole, and what it cost and brought; see the tables of index.py."""

    requests: int
    finds: int
    bytes: int

    @property
    def end(self) -> str:
        """How it stands, in words."""
        return self.note or ENDS.get(self.state, self.state)

    def row(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "site": self.name,
            "url": self.url,
            "requests": self.requests,
            "finds": self.finds,
            "bytes": self.bytes,
            "promise": round(self.promise, 4),
            "state": self.state or "waiting",
            "end": self.end,
            "why": self.why,
            "run": self.path,
        }


def figures(ledger: sqlite3.Connection) -> list[SiteFigures]:
    """Return the runs of a whole, those that brought most first."""
    if not ledger.execute(_HAS_SITES).fetchone():
        return []
    return [SiteFigures(**dict(row)) for row in ledger.execute(_FIGURES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquired(Outcome):
    """The outcome of an acquisition. parts: all its runs, also that of the discovery."""

    run: Summary
    topic: str
    parts: Sequence[SiteFigures]

    @property
    def sites(self) -> list[SiteFigures]:
        """The runs of sites."""
        return [part for part in self.parts if part.kind == "site"]

    @property
    def remarks(self) -> Sequence[str]:
        """Sites that could not be had."""
        odd = [part for part in self.parts if part.state in (NOTHING, OUTAGE)]
        shown = [f"{part.name}: {part.end}" for part in odd[:BEST]]
        more = len(odd) - len(shown)
        return [*shown, *([f"And {counted(more, 'site')} more could not be had."] if more else [])]

    def __str__(self) -> str:
        run, sites = self.run, self.sites
        finds = f"{counted(run.finds, 'find')} ({size(run.find_bytes)})"
        lines = run.opening(f"{finds} of {counted(len(sites), 'site')}")
        searched = [part for part in self.parts if part.kind == "discovery" and part.requests]
        lines += [f"  {counted(part.requests, 'request')} to find sites" for part in searched]
        asked = [part for part in sites if part.requests]
        rows = [
            (plain(part.name, 50), part.finds, f"({counted(part.requests, 'request')})")
            for part in asked[:BEST]
        ]
        lines += block("finds by site", rows)
        if (more := len(asked) - len(rows)) > 0:
            lines.append(f"    and {counted(more, 'site')} more (report.html has all)")
        lines += block("found", [(f.name, f.finds, size(f.bytes)) for f in run.formats])
        return "\n".join(lines)

    def next_steps(self, export: str) -> list[str]:
        """Return what may be typed next: the files can be searched."""
        steps = self.run.next_steps(export)
        if self.run.finds:
            words = shlex.quote(self.topic) if self.topic else "WORDS"
            steps.append(f"filon catalog search {words} --in {shlex.quote(self.run.run)}")
        return steps

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""
        shared = as_object(self.run, self.remarks)
        return {**shared, "topic": self.topic, "sites": [part.row() for part in self.parts]}


def acquired(folder: Path) -> Acquired:
    """Return the figures of an acquisition, ended or not."""
    with readonly.reading(folder) as ledger:
        return acquired_of(folder, ledger)


def acquired_of(folder: Path, ledger: sqlite3.Connection) -> Acquired:
    """Return the figures of one whose ledger is open."""
    topic = str(readonly.config(folder).get("topic") or "")
    return Acquired(run=summary_of(folder, ledger), topic=topic, parts=figures(ledger))
