"""Whole runs of each verb on a web in memory whose answers are odd: begun, gone on with, handed on.

All is as in a user's run but the sockets: guards, webs, ledger, archive, tables, report, exports.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox

import filon
from filon.demo.country import SEARCH, TOPIC
from filon.demo.library import SOURCE
from filon.demo.library.reading_list import reading_list
from filon.demo.linked import SEED
from filon.demo.portal import START
from filon.verbs.registry import verb_of
from fuzz.odd import Twist
from fuzz.web import Fuzzed, live_as, source
from unit.services.answers import SERVICES as SOURCES
from unit.services.search.answers import SERVICES as SEARCHERS

#: Requests of a session, and answers that are twisted at most.
REQUESTS, TWISTED = 12, 22
HARVESTERS = ("vein", "sb", "focused", "bfs")
DISCOVERERS = ("scout", "dsdd", "disco", "seedfinder", "ache")
FOLLOWERS = ("lode", "bfs", "ldcoc", "heuristic")
ENRICHERS = ("prospect", "smartcrawl-b", "simple", "full", "naive")


@dataclass
class Tally:
    """What was tried so far; ends: how often a run ended with a sentence for the user."""

    runs: int = 0
    answers: int = 0
    ends: int = 0

    def __str__(self) -> str:
        return f"{self.answers:,} odd answers in {self.runs:,} runs, {self.ends:,} of them refused"


#: By verb.
TALLIES: dict[str, Tally] = {}


def harvest(folder: Path, which: int, **wishes: Any) -> filon.Run:
    return filon.harvest(START, strategy=HARVESTERS[which % len(HARVESTERS)], **wishes)


def discover(folder: Path, which: int, **wishes: Any) -> filon.Run:
    """Discover, by one of the search services and by that of the small web, which knows pages."""
    names = sorted(SEARCHERS.keys() - {"searxng"})
    name = names[which % len(names)]
    told = ",".join(f"{key}={value}" for key, value in SEARCHERS[name].parameters.items())
    strategy = DISCOVERERS[which % len(DISCOVERERS)]
    return filon.discover(
        TOPIC,
        search=[f"{name}:{told}" if told else name, f"searxng:url={SEARCH},rate=500/s"],
        seeds=["http://water-atlas.test/"] if strategy in ("seedfinder", "ache") else (),
        strategy=strategy,
        cache=str(folder / "answers.sqlite"),
        **wishes,
    )


def enrich(folder: Path, which: int, **wishes: Any) -> filon.Run:
    """Enrich, from one of the sources or from the library of the small web."""
    names = [None, *sorted(SOURCES)]
    name = names[which % len(names)]
    table = folder / "books.csv"
    wishes["cache"] = str(folder / "answers.sqlite")
    wishes["strategy"] = ENRICHERS[which % len(ENRICHERS)]
    if wishes["strategy"] in ("smartcrawl-b", "full"):
        wishes["set"] = {"sample": "3"}
    if name is None:
        table.write_text("\n".join(reading_list().splitlines()[:60]), "utf-8")
        (folder / "library.toml").write_text(SOURCE, "utf-8")
        return filon.enrich(
            table, source=folder / "library.toml", match="title,authors", add="year,isbn", **wishes
        )
    title = SOURCES[name].title
    rows = [f"{title},own", *(f"bees of meadow {n},{n}" for n in range(30))]
    table.write_text("\n".join(rows), "utf-8")
    fields = source(name).description.answer.fields
    known = [one for one in fields if one != title] if isinstance(fields, dict) else []
    return filon.enrich(
        table,
        source=name,
        match=title,
        add=",".join(known[:2]) or "id",
        source_set=SOURCES[name].parameters,
        **wishes,
    )


def follow(folder: Path, which: int, **wishes: Any) -> filon.Run:
    return filon.follow(SEED, strategy=FOLLOWERS[which % len(FOLLOWERS)], **wishes)


VERBS = {"harvest": harvest, "discover": discover, "enrich": enrich, "follow": follow}


def run(
    verb: str,
    folder: Path,
    which: int,
    twisted: Sequence[Sequence[Twist]],
    *,
    requests: int = REQUESTS,
    export: bool = True,
) -> None:
    """Make a run, go on with it, and look at it in every way; a bug anywhere is an exception."""
    web, tally = Fuzzed(twisted), TALLIES.setdefault(verb, Tally())
    wishes = {"budget": requests, "delay": 0, "retries": 1, "out": folder / "run"}
    with live_as(web):
        try:
            VERBS[verb](folder, which, parallel=1 + which % 3, **wishes).close()
            _see(folder / "run")
            filon.resume(folder / "run", budget=2 * requests).close()
            _see(folder / "run", export=export)
        except filon.FilonError as error:  # one sentence for the user: nothing is wrong with us
            str(error).encode()
            tally.ends += 1
    tally.runs += 1
    tally.answers += web.changed


def _see(folder: Path, *, export: bool = False) -> None:
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
        bugs = ledger.execute("SELECT url, detail FROM steps WHERE error = 'bug'").fetchall()
        urls = [url for (url,) in ledger.execute("SELECT url FROM steps ORDER BY step DESC")]
    assert bugs == []
    verb = verb_of(folder)
    filon.report(folder).read_text("utf-8")
    str(verb.outcome(folder))
    for graph in folder.glob("*.nq"):  # a strict reader takes every line
        lines = graph.read_bytes().count(b"\n")
        assert sum(1 for _ in ox.parse(path=graph, format=ox.RdfFormat.N_QUADS)) == lines
    for url in urls[:2]:
        verb.why(folder, url).encode()
    for to in verb.exports() if export else ():
        filon.export(folder, to, folder.parent / f"out-{to}-{len(urls)}")
