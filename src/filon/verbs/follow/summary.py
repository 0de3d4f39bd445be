"""What following Linked Data cost and brought, in a few figures: for terminal and report."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.summary import Outcome, Summary, as_object, block, summary_of
from filon.run.text import count, counted, plain
from filon.verbs.follow.graph import GRAPH, PROVENANCE, Tally, read_tally

_TOLD = 5
#: Names for what the strategy counts as turned down.
TURNED_DOWN = {
    "covered": "told by a dump or an endpoint already",
    "robots": "forbidden by robots.txt",
    "robots.txt not read": "robots.txt could not be read",
    "private address": "at a private address",
    "unlikely": "unlikely to have RDF, by rule or by prediction",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed(Outcome):
    """The figures of a run that followed Linked Data.

    tally: what the documents hold; empty where the graph was not written yet.
    shortcuts: what the strategy says of dumps, endpoints and catalogues.
    left: URIs that were mentioned and not asked for.
    """

    run: Summary
    tally: Tally
    shortcuts: Mapping[str, Any]
    left: int = 0

    @property
    def turned_down(self) -> list[tuple[str, int]]:
        """What was not asked for, by reason."""
        return [(TURNED_DOWN.get(why, why), number) for why, number in self.run.skipped.items()]

    def __str__(self) -> str:
        """Return the lines for a terminal."""
        run, tally = self.run, self.tally
        triples, documents = counted(tally.triples, "triple"), counted(tally.documents, "document")
        hosts = counted(tally.sizes.get("hosts", 0), "host")
        lines = run.opening(f"{triples} in {documents} of {hosts}", "documents")
        lines += block("documents by host", _top(tally, "hosts"))
        lines += block("documents by syntax", _top(tally, "syntaxes"))
        lines += block("things by class", _top(tally, "classes"))
        lines += block("uses by vocabulary", _top(tally, "vocabularies"))
        paid = [arm for arm in run.arms if arm.finds][:_TOLD]
        lines += block(
            "what paid: documents by kind of URI",
            [(plain(a.name, 60), a.finds, f"({counted(a.requests, 'request')})") for a in paid],
        )
        lines += block("not asked for", [(plain(why), n, "") for why, n in self.turned_down])
        if tally.broken_count:
            broken = counted(tally.broken_count, "document")
            lines.append(f"  {broken} could be read only in part")
        if tally.unreadable_count:
            unreadable = counted(tally.unreadable_count, "document")
            lines.append(f"  {unreadable} could not be read: filon report lists them, with why")
        if run.stopped == "early-stop" and self.left:
            lines.append(f"  {counted(self.left, 'URI')} left; --stop never asks for all of them")
        lines.append(f"  graph: {plain(str(self.file(GRAPH)))}")
        return "\n".join(lines)

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""
        tally = self.tally
        return {
            **as_object(self.run, []),
            "documents": tally.documents,
            "triples": tally.triples,
            "hosts": tally.sizes.get("hosts", 0),
            "broken": tally.broken_count,
            "unreadable": tally.unreadable_count,
            "accidental": tally.accidental,
            "turned_down": dict(self.run.skipped),
            "graph": str(self.file(GRAPH)),
            "provenance": str(self.file(PROVENANCE)),
            "provenance_graph": tally.graph,
        }


def _top(tally: Tally, name: str) -> list[tuple[str, int, str]]:
    counter = getattr(tally, name)
    ordered = sorted(counter.items(), key=lambda one: (-one[1], one[0]))
    rows = [(plain(key, 70), number, "") for key, number in ordered[:_TOLD]]
    more = tally.sizes.get(name, len(counter)) - len(rows)
    if more > 0 and rows:
        rows[-1] = (*rows[-1][:2], f"and {count(more)} more")
    return rows


def followed(run_path: Path) -> Followed:
    """Return the figures of a run, ended or not."""
    with readonly.reading(run_path) as ledger:
        return followed_of(run_path, ledger)


def followed_of(run_path: Path, ledger: sqlite3.Connection) -> Followed:
    """Return the figures of a run whose ledger is open."""
    learnt = readonly.learnt(ledger)
    shortcuts, left = learnt.get("shortcuts"), learnt.get("frontier")
    return Followed(
        run=summary_of(run_path, ledger),
        tally=read_tally(run_path),
        shortcuts=shortcuts if isinstance(shortcuts, dict) else {},
        left=left if isinstance(left, int) else 0,
    )
