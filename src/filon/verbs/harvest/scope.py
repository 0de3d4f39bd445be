"""What lies beyond a harvest's scope: in its summary, in its report, and as an answer to why."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from filon.page.url import Globs, Site, host
from filon.run import html, readonly
from filon.run.chain import matches, spellings
from filon.run.report import Page
from filon.run.report.standard import standard
from filon.run.summary import Outcome, Summary, as_object, block, summary_of
from filon.run.text import count, counted, plain
from filon.run.why import why as reasons_of

#: What is typed to have files of other hosts too.
OPTION = "--files-from linked-hosts"
#: Hosts that are named in the terminal; the report has more.
_NAMED = 8


@dataclass(frozen=True, slots=True)
class Harvested(Outcome):
    """The outcome of a harvest.

    left_out: files on other hosts that pages of the site link to, by host, most first.
    """

    run: Summary
    remarks: Sequence[str] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        rows = [(plain(name, 60), number, "") for name, number in self.left_out.items()]
        title = f"left out: files on other hosts; filon harvest {OPTION} asks for them too"
        lines = block(title, rows[:_NAMED])
        if len(rows) > _NAMED:
            lines.append(f"    and on {counted(len(rows) - _NAMED, 'other host')}")
        return "\n".join([str(self.run), *lines])

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""
        notes = [*self.remarks, *([_sentence(self.left_out)] if self.left_out else [])]
        return {
            **as_object(self.run, notes),
            "left_out_hosts": dict(self.left_out),
            "files_left": self._left(),
        }

    def _left(self) -> dict[str, float] | None:
        """Return how many files are left by the strategy's estimate; None: it has none."""
        most = self.run.left_at_most
        if self.run.left is None or most is None:
            return None
        return {"about": round(self.run.left[0], 1), "at_most": round(most, 1)}


def outcome(folder: Path) -> Outcome:
    """Return what a harvest cost and brought, what is odd about it, and what it left out."""
    from filon.verbs.harvest.notes import notes  # which looks into pages

    with readonly.reading(folder) as ledger:
        return Harvested(summary_of(folder, ledger), notes(folder), _left_out(ledger))


def page(folder: Path, ledger: sqlite3.Connection) -> Page:
    """Return the report of any run, and where files are that it left out."""
    report, left_out = standard(folder, ledger, lambda: _reasons(folder)), _left_out(ledger)
    if not left_out:
        return report
    bars = html.ranked([(name, number, "") for name, number in left_out.items()])
    lead = html.text(_sentence(left_out, named=0))
    section = ("elsewhere", "Files on other hosts", f'<p class="lead">{lead}</p>{bars}')
    place = 1 + [name for name, _, _ in report.sections].index("skipped")
    return replace(report, sections=[*report.sections[:place], section, *report.sections[place:]])


def _reasons(folder: Path) -> list[str]:
    """Return what a run without finds has to say for itself."""
    from filon.verbs.harvest.notes import notes  # which looks into pages

    return notes(folder)


def why(folder: Path, wanted: str) -> str:
    """Tell how a URL was come by, or, where it was not asked for, which bound it is beyond."""
    first, *rest = reasons_of(folder, wanted).split("\n")
    with readonly.reading(folder) as ledger:
        known, left_out = matches(ledger, wanted), _left_out(ledger)
    url = next((one for one in spellings(wanted) if "://" in one), "")
    beyond = _beyond(readonly.config(folder), left_out, url) if url and not known else ""
    return "\n".join([first, *rest[:1], *([f"  {beyond}"] if beyond else []), *rest[1:]])


def _beyond(config: Mapping[str, Any], left_out: Mapping[str, int], url: str) -> str:
    """Say which bound of a run a URL is beyond; "": none that a URL tells of."""
    starts = [str(config.get("url", "")), *config.get("more_urls", ())]
    if url in starts:
        return ""
    if glob := Globs(config.get("exclude", ())).fits(url):
        return f"--exclude {glob} keeps it out."
    if url not in Site(*starts):
        number = left_out.get(host(url), 0)
        files = f"{counted(number, 'file')} of its host were left out" if number else ""
        return f"It is not on the site; {files}: {OPTION} asks for them." if files else ""
    include = Globs(config.get("include", ()))
    return "" if not include or include.fits(url) else "No --include of the run fits it."


def _sentence(left_out: Mapping[str, int], named: int = _NAMED) -> str:
    files = counted(sum(left_out.values()), "file")
    hosts = [f"{plain(name, 60)} {count(number)}" for name, number in left_out.items()]
    more = ["…"] if len(hosts) > named else []
    where = f" ({', '.join([*hosts[:named], *more])})" if named else ""
    return (
        f"Pages of the site link to {files} on other hosts{where}, which were left out: "
        f"{OPTION} asks for them too."
    )


def _left_out(ledger: sqlite3.Connection) -> dict[str, int]:
    hosts = readonly.learnt(ledger).get("elsewhere")
    if not isinstance(hosts, dict):
        return {}
    return {str(name): number for name, number in hosts.items() if isinstance(number, int)}
