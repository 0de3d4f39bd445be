"""What `prospect` takes on large tables: memory, and time to build, to choose and to learn.

python -m experiments.enrich.scale acl FOLDER [CALLS]
python -m experiments.enrich.scale made ROWS [CALLS]
python -m experiments.enrich.scale matcher ROWS [RECORDS]

Run as a program, so that nothing else is in its memory; each table with AND and with OR. The last
is what the matcher takes: a made table, and records of which half are of it, misspelt.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from experiments.capacity import peak_mib
from experiments.enrich.datasets import Dataset, Wish, load
from experiments.enrich.hidden import Hidden
from filon.core import Record
from filon.verbs.enrich.match import Matches, align
from filon.verbs.enrich.strategies import Brief
from filon.verbs.enrich.strategies.prospect import Prospect

PAGE_SIZE = 50
CALLS = 300
#: What the matcher is given.
RECORDS = 20_000
#: Of a made table: how many of its rows are hidden, at most. The search is not what is measured.
MOST_HIDDEN = 200_000
SYLLABLES = [first + last for first in "bdfgklmnprstvz" for last in ("a", "e", "i", "o", "u")]


def made(rows: int) -> Dataset:
    """Return a table like one of papers: a title by Zipf's law, names of two words, a venue."""
    dice = np.random.default_rng(1)
    titles = _phrases(dice.zipf(1.15, (rows, 7)) % 300_000, "t")
    given, family = dice.zipf(1.2, (2, rows, 2)) % np.array([4_000, 90_000])[:, None, None]
    names = np.stack([given, family + 5_000], axis=2).reshape(rows, 4)
    venues = _phrases(np.stack([dice.zipf(1.3, rows) % 900, dice.integers(0, 40, rows)], 1), "v")
    columns = {"title": titles, "authors": _phrases(names, "n"), "venue": venues}
    step = max(1, rows // MOST_HIDDEN)
    fields = zip(*(cells[::step] for cells in columns.values()), strict=True)
    hidden = [
        Record(id=str(at * step), fields=dict(zip(columns, cells, strict=True)))
        for at, cells in enumerate(fields)
    ]
    gold = {record.id: (int(record.id),) for record in hidden}
    return Dataset(name="made", columns=columns, hidden=hidden, gold=gold)


def _phrases(numbers: np.ndarray[tuple[int, int], np.dtype[np.int64]], mark: str) -> list[str]:
    known: dict[int, str] = {}
    for number in np.unique(numbers).tolist():
        known[number] = mark + _spell(number)
    return [" ".join([known[number] for number in line]) for line in numbers.tolist()]


def _spell(number: int) -> str:
    return SYLLABLES[number % 70] + (_spell(number // 70) if number >= 70 else "")


def measure(dataset: Dataset, hidden: Hidden, calls: int) -> dict[str, float | str]:
    """Run `prospect`; return seconds, milliseconds and mebibytes by name."""
    brief = Brief(columns=dataset.columns, provider=hidden, matcher=dataset, calls=calls)
    began_s = time.process_time()
    strategy = Prospect(brief)
    built_s = time.process_time() - began_s
    choosing, learning = _drive(strategy, hidden, calls)
    state, again = strategy.state(), Prospect(brief)
    began_s = time.process_time()
    again.restore(state)
    return {
        "rows": dataset.size,
        "joins": hidden.joins,
        "calls": len(learning),
        "found": int(strategy.coverage.covered.sum()),
        "build_s": round(built_s, 1),
        "choose_ms": round(1000 * float(np.mean(choosing)), 2),
        "choose_max_ms": round(1000 * max(choosing), 2),
        "learn_ms": round(1000 * float(np.mean(learning)), 2),
        "learn_max_ms": round(1000 * max(learning), 2),
        "restore_ms": round(1000 * (time.process_time() - began_s) / len(learning), 2),
        "mib": round(peak_mib()),
    }


def _drive(strategy: Prospect, hidden: Hidden, calls: int) -> tuple[list[float], list[float]]:
    choosing: list[float] = []
    learning: list[float] = []
    for _ in range(calls):
        began_s = time.process_time()
        step = strategy.propose()
        choosing.append(time.process_time() - began_s)
        if not step:
            break
        response = asyncio.run(hidden.fetch(step.request))
        began_s = time.process_time()
        strategy.observe(step, response)
        learning.append(time.process_time() - began_s)
    return choosing, learning


def matched(rows: int, records: int) -> dict[str, float]:
    """Match a made table with records; return seconds and mebibytes by name."""
    columns = made(rows).columns
    chance = random.Random(1)
    fetched = [_misspelt(columns, number, chance) for number in range(records)]
    mib, began_s = peak_mib(), time.process_time()
    matches = Matches(columns, fetched, align(columns, fetched, {}))
    sure = [one for one in matches.rows if one.record and one.fate == "matched"]
    return {
        "rows": rows,
        "records": records,
        "filled": len(sure),
        "right": sum(one.record.id.startswith(f"{one.row} ") for one in sure if one.record),
        "seconds": round(time.process_time() - began_s, 1),
        "mib": round(peak_mib()),
        "mib before": round(mib),
    }


def _misspelt(columns: Mapping[str, Sequence[str]], number: int, chance: random.Random) -> Record:
    """Return a record: by turns of a row with a letter less, and of cells of different rows."""
    size = len(columns["title"])
    row = chance.randrange(size)
    rows = [row if number % 2 else chance.randrange(size) for _ in columns]
    cells = {name: columns[name][one] for name, one in zip(columns, rows, strict=True)}
    at = chance.randrange(len(cells["title"]))
    title = cells["title"][:at] + cells["title"][at + 1 :]
    return Record(id=f"{row if number % 2 else 'mixed'} {number}", fields=cells | {"title": title})


def main(arguments: Sequence[str]) -> None:
    """Measure one table, and print a line of JSON for AND and one for OR."""
    kind, where, *calls = arguments
    if kind == "matcher":
        print(json.dumps(matched(int(where), int(calls[0]) if calls else RECORDS)))
        return
    dataset = load(Path(where), Wish(size=100000)) if kind == "acl" else made(int(where))
    hidden = Hidden(dataset.hidden, page_size=PAGE_SIZE)
    for joins in ("and", "or"):
        hidden.joins = joins
        print(json.dumps(measure(dataset, hidden, int(calls[0]) if calls else CALLS)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
