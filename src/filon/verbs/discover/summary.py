"""What a discovery cost and found, in a few figures: for terminal and report."""

import shlex
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.summary import Outcome, Summary, as_object, block, summary_of
from filon.run.text import count, counted, plain
from filon.verbs.discover.found import CATALOGUE, HARVEST, OTHERS, TABLE, Site, read_found

#: Of the list, what a terminal shows.
BEST = 20
#: What is wrong with a service, in words.
PROBLEMS = {
    "key": "access was refused",
    "quota": "no calls were left",
    "down": "it did not answer",
    "schema": "it did not answer as documented",
    "query": "it did not take the question",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovered(Outcome):
    """The figures of a discovery.

    sites: best first. others: what stands beside the list. exhausted: as far as the strategy can
        tell, there is hardly anything left to be found.
    searchers: what each service was asked and brought, as the strategy counts.
    note: what ended the run, where services did. options_file: that of --config, for a harvest too.
    topic, seeds: what was looked for. unasked: services that were not asked, and why.
    datasets: pages with files. troubles: pages that could not be read, by reason.
    """

    run: Summary
    topic: str
    seeds: Sequence[str]
    sites: Sequence[Site]
    searchers: Sequence[Mapping[str, Any]]
    unasked: Sequence[str]
    datasets: int
    troubles: Mapping[str, int]
    others: Sequence[Site] = ()
    exhausted: bool = False
    note: str = ""
    options_file: str = ""

    @property
    def repositories(self) -> list[Site]:
        """Sites whose data files were seen."""
        return [site for site in self.sites if site.kind == "repository"]

    @property
    def remarks(self) -> Sequence[str]:
        """What a person should know besides."""
        return self.notes

    @property
    def harvest_command(self) -> str:
        """What to type for the files of what was found."""
        options = f" --config {shlex.quote(self.options_file)}" if self.options_file else ""
        return f"xargs -n 1 filon harvest{options} < {shlex.quote(str(self.file(HARVEST)))}"

    @property
    def notes(self) -> list[str]:
        """What went wrong with services: one that fails is not one that finds nothing."""
        notes = [self.note] if self.note else []
        notes += [f"{trouble(one)}." for one in self.searchers if _is_failing(one)]
        if not self.sites and self.troubles:
            causes = ", ".join(f"{count(n)} × {plain(why)}" for why, n in self.troubles.items())
            notes.append(f"Pages that could not be read: {causes}.")
        if self.exhausted:
            notes.append("The topic seems to be exhausted: hardly any request promises more.")
        return notes

    def __str__(self) -> str:
        """Return the lines for a terminal."""
        run, found = self.run, self.repositories
        others = len(self.sites) - len(found)
        parts = [counted(len(found), "repository")] if found or not others else []
        parts += [counted(others, "site")] if others else []
        seen = f", {counted(self.datasets, 'dataset page')} seen" if self.datasets else ""
        lines = [
            f"{run.run}: {run.ending}",
            f"  {' and '.join(parts)} with {run.cost}{seen}",
            *_best(self.sites),
        ]
        paid = [(plain(a.name), a.finds, f"({counted(a.requests, 'request')})") for a in run.arms]
        lines += block("what paid: finds by operator", [row for row in paid if row[1]])
        lines.append(f"  list: {plain(str(self.file(TABLE)))}")
        if self.others:
            counts = Counter(site.apart for site in self.others).most_common()
            causes = ", ".join(f"{count(n)} {why}" for why, n in counts)
            lines.append(f"  beside it: {causes} ({OTHERS})")
        if any(site.wanted for site in self.sites):
            lines.append(f"  harvest them: {plain(self.harvest_command)}")
        return "\n".join(lines)

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""
        shared = as_object(self.run, self.notes)
        del shared["types"]
        return {
            **shared,
            "repositories": len(self.repositories),
            "sites": len(self.sites) - len(self.repositories),
            "searchers": self.searchers,
            "best": [site.row() for site in self.sites[:BEST]],
            **({"others": len(self.others)} if self.others else {}),
            **({"exhausted": True} if self.exhausted else {}),
            "list": str(self.file(TABLE)),
            "catalog": str(self.file(CATALOGUE)),
            "harvest": str(self.file(HARVEST)),
        }


def failures(searcher: Mapping[str, Any]) -> dict[str, int]:
    """Return how often a service failed, by problem."""
    mark = "failed: "
    counts = {name.removeprefix(mark): n for name, n in searcher.items() if name.startswith(mark)}
    return {name: int(number) for name, number in counts.items()}


def _is_failing(searcher: Mapping[str, Any]) -> bool:
    """Say whether a service failed: now and then a question that is not for it is no failure."""
    failed = failures(searcher)
    return bool(set(failed) - {"query"}) or failed.get("query", 0) >= int(searcher.get("calls", 1))


def trouble(searcher: Mapping[str, Any]) -> str:
    """Say what went wrong with a service: how often, and why."""
    failed = failures(searcher)
    name, calls = plain(str(searcher.get("searcher", ""))), int(searcher.get("calls", 0))
    why = " and ".join(PROBLEMS.get(problem, problem) for problem in failed)
    detail = plain(str(searcher.get("detail", "")), 200).rstrip(".")
    text = f"{name} failed in {count(sum(failed.values()))} of {counted(calls, 'call')}: {why}"
    return f"{text} ({detail})" if detail else text


def _best(sites: Sequence[Site]) -> list[str]:
    shown = sites[:BEST]
    if not shown:
        return ["  nothing was found"]
    width = max(len(plain(site.url, 60)) for site in shown)
    named = "best first" if len(sites) <= BEST else f"the best {BEST} of {count(len(sites))}"
    lines = [f"  {named}"]
    for site in shown:
        seen = ", ".join(
            filter(None, [counted(site.files, "file") * bool(site.files), site.software])
        )
        remark = plain(" · ".join(filter(None, [site.verdict, seen, site.title])), 80)
        place = f"  {site.rank:>4}  {site.score:>7.3f}  {plain(site.url, 60):<{width}}"
        lines.append(f"{place}  {remark}".rstrip())
    return lines


def discovered(run_path: Path) -> Discovered:
    """Return the figures of a discovery, ended or not."""
    with readonly.reading(run_path) as ledger:
        return discovered_of(run_path, ledger)


def discovered_of(run_path: Path, ledger: sqlite3.Connection) -> Discovered:
    """Return the figures of a discovery whose ledger is open."""
    config, learnt = readonly.config(run_path), readonly.learnt(ledger)
    searchers, troubles = learnt.get("searchers"), learnt.get("troubles")
    troubles = troubles if isinstance(troubles, dict) else {}
    pages = "SELECT COUNT(*) FROM finds WHERE kind = 'dataset'"
    run, found = summary_of(run_path, ledger), read_found(run_path, ledger)
    return Discovered(
        run=run,
        topic=str(config.get("topic") or ""),
        seeds=[str(seed) for seed in config.get("seeds") or ()],
        sites=[site for site in found if not site.apart],
        others=[site for site in found if site.apart],
        exhausted=bool(learnt.get("exhausted")),
        searchers=[one for one in searchers if isinstance(one, dict)]
        if isinstance(searchers, list)
        else [],
        unasked=[str(one) for one in config.get("unasked") or ()],
        datasets=ledger.execute(pages).fetchone()[0],
        troubles={str(why): int(n) for why, n in troubles.items()},
        options_file=str(config.get("options_file") or ""),
        note=str(learnt.get("note") or "") if run.stopped == "budget" else "",
    )
