"""Whole runs of `filon enrich`, its own matcher included: how many filled rows are right.

`python -m experiments.enrich.end_to_end FOLDER` serves hidden tables on loopback and enriches the
tables whose matches are known, with the default strategy and told nothing. A filled row is right
if its `filon_id` is one of those that the gold gives the row.
"""

import asyncio
import csv
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from experiments.enrich.golden import Golden, acl, bulletins, dblp_scholar
from experiments.enrich.hidden import Hidden
from experiments.enrich.matching import Figures
from filon.verbs.enrich.api import aenrich
from filon.verbs.enrich.records import reading_book
from filon.verbs.enrich.review import MatchReview
from filon.verbs.enrich.table import Distinct
from filon.web.serve import Reply, serve

_SOURCE = """
name = "hidden"
about = "A table whose matches are known."
[request]
url = "http://127.0.0.1:{port}/search"
keywords = "q"
[paging]
how = "page"
parameter = "page"
size = {size}
[answer]
results = "$.hits"
id = "$.id"
total = "$.total"
[answer.fields]
{fields}
[query]
joins = "{joins}"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is enriched, from which kind of search box, with calls for which part of the rows."""

    golden: Golden
    match: tuple[str, ...]
    k: int
    joins: str
    budget: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The figures without labels, and after so many reviewed pairs; calls by the server's count."""

    calls: int
    alone: Figures
    reviewed: Figures
    labels: int


async def run(trial: Trial, folder: Path, most: int = 50) -> Outcome:
    """Enrich, measure, review as the gold says, and measure again."""
    table, golden = folder / "table.csv", trial.golden
    _write(table, golden)
    hidden = Hidden(golden.records, page_size=trial.k, joins=trial.joins)
    async with _serving(hidden) as port:
        source = folder / "hidden.toml"
        source.write_text(_described(hidden, port))
        made = await aenrich(
            table,
            source=source,
            match=",".join(trial.match),
            add=f"found={next(iter(golden.records[0].fields))}",
            budget=max(1, round(trial.budget * len(golden.gold))),
            out=folder / "run",
            delay=0,
            cache=str(folder / "cache.sqlite"),
        )
    path = made.path
    made.close()
    alone = measure(golden, path)
    labels = _review(golden, path, trial.match, most) if most else 0
    return Outcome(calls=hidden.calls, alone=alone, reviewed=measure(golden, path), labels=labels)


def measure(golden: Golden, run_path: Path) -> Figures:
    """Hold the enriched table against the gold."""
    with (run_path / "enriched.csv").open(encoding="utf-8", newline="") as file:
        ids = [row["filon_id"] for row in csv.DictReader(file)]
    with reading_book(run_path) as book:
        fetched = {name for (name,) in book.execute("SELECT id FROM records")}
    filled = [(row, name) for row, name in enumerate(ids) if name]
    return Figures(
        filled=len(filled),
        right=sum(name in golden.gold[row] for row, name in filled),
        known=sum(golden.known[row] for row, _ in filled),
        reachable=sum(bool(gold & fetched) for gold in golden.gold),
        matchable=sum(map(bool, golden.gold)),
    )


def _review(golden: Golden, run_path: Path, match: tuple[str, ...], most: int) -> int:
    rows = Distinct({name: golden.columns[name] for name in match}).rows()
    review = MatchReview(run_path, most)
    while question := review.next():
        gold = golden.gold[rows[question.pair.row][0]]
        review.answer(question, question.pair.record.id in gold)
    review.end()
    return review.answers


def _write(table: Path, golden: Golden) -> None:
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(golden.columns)
        writer.writerows(zip(*golden.columns.values(), strict=True))


def _described(hidden: Hidden, port: int) -> str:
    names = dict.fromkeys(name for record in hidden.records for name in record.fields)
    fields = "\n".join(f'{name} = "$.{name}"' for name in names)
    return _SOURCE.format(port=port, size=hidden.page_size, fields=fields, joins=hidden.joins)


@asynccontextmanager
async def _serving(hidden: Hidden) -> AsyncIterator[int]:
    """Serve a hidden table on loopback; yields the port."""

    async def answer(path: str, given: Mapping[str, str]) -> Reply:
        hidden.calls += 1
        found = hidden.matches(given["q"])
        first = (int(given["page"]) - 1) * hidden.page_size
        shown = (hidden.records[row] for row in found[first : first + hidden.page_size])
        hits = [{"id": record.id, **record.fields} for record in shown]
        return Reply(json.dumps({"hits": hits, "total": len(found)}).encode())

    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    halt = asyncio.Event()
    task = asyncio.create_task(serve(answer, 0, ready=port.set_result, halt=halt))
    try:
        yield await port
    finally:
        halt.set()
        await task


HEAD = ("table", "search", "calls", "labels", "filled", "precision", "fetched F1", "F1")
_PAPER = ("title", "authors", "venue", "year")


def trials(data: Path) -> Iterator[Trial]:
    """Yield every run that is reported."""
    papers = dblp_scholar(data)
    for k, budget in ((50, 0.2), (10, 0.2), (10, 0.05)):
        for joins in ("and", "or"):
            yield Trial(golden=papers, match=_PAPER, k=k, joins=joins, budget=budget)
    for seed in (1, 2, 3):
        few = bulletins(rows=120, hidden=400, absent=0.4, seed=seed)
        yield Trial(golden=few, match=("title", "authors"), k=10, joins="and", budget=0.5)
    many = bulletins(rows=1000, hidden=4000, absent=0.4, seed=1)
    yield Trial(golden=many, match=("title", "authors"), k=10, joins="and", budget=0.5)
    two = ("title", "authors")
    gone = acl(data, absent=0.7, errors=0.5, columns=two, seed=1)
    yield Trial(golden=gone, match=two, k=10, joins="or", budget=0.2)


def lines(trial: Trial, outcome: Outcome) -> Iterator[tuple[str, ...]]:
    """Yield a line of the table without labels, and one with."""
    for figures, labels in ((outcome.alone, 0), (outcome.reviewed, outcome.labels)):
        told = (figures.precision, figures.f1_fetched, figures.f1)
        search = f"{trial.joins.upper()}, k={trial.k}"
        counts = (outcome.calls, labels, figures.filled)
        yield trial.golden.name, search, *map(str, counts), *(f"{part:.3f}" for part in told)


def main(data: Path) -> None:
    """Print the table of docs/experiments.md."""
    print("|", " | ".join(HEAD), "|")
    print("|", " | ".join("---" for _ in HEAD), "|")
    for trial in trials(data):
        with tempfile.TemporaryDirectory() as folder:
            outcome = asyncio.run(run(trial, Path(folder)))
        for line in lines(trial, outcome):
            print("|", " | ".join(line), "|", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
