"""`prospect` and the matcher on pairs of tables that nobody tuned on.

`python -m experiments.enrich.elsewhere FOLDER` takes a folder of pairs, each a folder with
left.csv (the local table), right.csv (the hidden one, behind a keyword search with pages of k
records) and gold.csv; `experiments.enrich.pairs` makes some fifty. Which columns are matched is
found as `filon enrich` finds it when it is told nothing. A seed draws the local rows.

--whole runs `filon enrich` itself, with its own matcher, and measures what it fills; otherwise
strategies are compared that are told what matches. --half a or b takes every other pair: what is
chosen on one half is reported on the other.
"""

import argparse
import asyncio
import csv
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean, pstdev

from experiments.enrich.datasets import Dataset
from experiments.enrich.end_to_end import Trial
from experiments.enrich.end_to_end import run as enrich
from experiments.enrich.golden import Golden
from experiments.enrich.hidden import Hidden
from experiments.enrich.trial import run
from filon.core import Record
from filon.verbs.enrich.match import align

STRATEGIES = ("prospect", "smartcrawl-b", "simple", "full", "naive", "ideal")
SIZES, JOINS, BUDGETS = (10, 50), ("and", "or"), (0.05, 0.1, 0.2)
#: Rows that a seed draws, at most, and the part of a small table.
ROWS, PART = 1_000, 0.8
#: The sample that some strategies are given for nothing.
RATIO = 0.005
Key = tuple[str, str, int, float, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A pair of tables: all its rows, and the columns that tell what a row is."""

    golden: Golden
    match: tuple[str, ...]

    def drawn(self, seed: int) -> Golden:
        """Return some of the rows."""
        size = len(self.golden.gold)
        some = random.Random(f"elsewhere {seed}").sample(
            range(size), min(ROWS, max(1, round(PART * size)))
        )
        return self.golden.part(sorted(some), str(seed))


def load(folder: Path) -> Loaded:
    """Read a pair."""
    left, right, pairs = (_read(folder / f"{name}.csv") for name in ("left", "right", "gold"))
    # The order of a file may tell which rows have a match, or go by the alphabet.
    random.Random(f"{folder.name} rank").shuffle(right)
    gold: dict[str, set[str]] = {}
    for pair in pairs:
        gold.setdefault(pair["left"], set()).update([pair["right"]] if pair["right"] else ())
    names = [name for name in left[0] if name != "id"]
    fields = [name for name in right[0] if name != "id"]
    columns = {name: [row[name] for row in left] for name in names}
    found = align(columns, [], {}, fields)
    golden = Golden(
        name=folder.name,
        columns=columns,
        records=[Record(id=row["id"], fields={n: row[n] for n in fields}) for row in right],
        gold=[frozenset(gold.get(row["id"], ())) for row in left],
        known=[row["id"] in gold for row in left],
    )
    return Loaded(golden=golden, match=tuple(each.column for each in found.pairings))


def dataset(golden: Golden, match: Sequence[str]) -> Dataset:
    """Return what the strategies are run on: they are told what matches."""
    gold: dict[str, list[int]] = {}
    for row, ids in enumerate(golden.gold):
        for name in ids:
            gold.setdefault(name, []).append(row)
    return Dataset(
        name=golden.name,
        columns={name: golden.columns[name] for name in match},
        hidden=golden.records,
        gold=gold,
        others={name: cells for name, cells in golden.columns.items() if name not in match},
    )


def covered(loaded: Loaded, names: Sequence[str], seeds: int) -> Iterator[tuple[Key, list[float]]]:
    """Yield the coverage in percent of each cell and strategy, a figure a seed."""
    hidden = Hidden(loaded.golden.records, page_size=10)
    sets = [dataset(loaded.drawn(seed), loaded.match) for seed in range(seeds)]
    for k, joins in product(SIZES, JOINS):
        hidden.page_size, hidden.joins = k, joins
        for name in names:
            courses = []
            for seed, held in enumerate(sets):
                calls = max(1, round(max(BUDGETS) * held.size))
                sample = held.sample(RATIO, seed)
                courses.append(run(held, hidden, name, calls=calls, seed=seed, sample=sample))
            for budget in BUDGETS:
                ends = [max(1, round(budget * held.size)) for held in sets]
                figures = [
                    course.until(end).last for course, end in zip(courses, ends, strict=True)
                ]
                yield (loaded.golden.name, joins, k, budget, name), figures


def filled(
    loaded: Loaded, k: int, joins: str, budget: float, seed: int
) -> tuple[float, float, float, float]:
    """Return coverage, precision, F1 of what was fetched and F1 of a run of `filon enrich`.

    Of filled rows only those count of which the gold knows.
    """
    trial = Trial(golden=loaded.drawn(seed), match=(), k=k, joins=joins, budget=budget)
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(enrich(trial, Path(folder), most=0)).alone
    coverage = found.reachable / max(1, found.matchable)
    f1_fetched, f1 = (
        2 * found.right / max(1, found.known + size) for size in (found.reachable, found.matchable)
    )
    return coverage, found.precision_known, f1_fetched, f1


def group(name: str) -> str:
    """Return what a pair is averaged with: the names of many kinds of things are one group."""
    return "names" if name.startswith("names-") else name


def table(found: Mapping[Key, Sequence[float]], names: Sequence[str]) -> Iterator[str]:
    """Yield coverage by group of pairs, and how often each strategy is at least the first."""
    yield f"| pairs | words | k | {' | '.join(f'`{name}`' for name in names)} |"
    yield f"| --- | --- | --- |{' --- |' * len(names)}"
    groups = dict.fromkeys(group(key[0]) for key in found)
    for each, joins, k in product(groups, JOINS, SIZES):
        cells = []
        for name in names:
            marks = []
            for budget in BUDGETS:
                of = [
                    fmean(figures)
                    for key, figures in found.items()
                    if group(key[0]) == each and key[1:] == (joins, k, budget, name)
                ]
                marks.append(f"{fmean(of):.1f}")
            cells.append(" / ".join(marks))
        yield f"| {each} | {joins.upper()} | {k} | {' | '.join(cells)} |"


def standing(found: Mapping[Key, Sequence[float]], names: Sequence[str]) -> Iterator[str]:
    """Yield in how many cells the first strategy is below each other, and by how much."""
    ours = {key[:4]: fmean(figures) for key, figures in found.items() if key[4] == names[0]}
    for name in names[1:]:
        gaps = [ours[key[:4]] - fmean(figures) for key, figures in found.items() if key[4] == name]
        below = [gap for gap in gaps if gap < 0]
        yield (
            f"{names[0]} - {name}: {fmean(gaps):+.1f} ± {pstdev(gaps):.1f} points over "
            f"{len(gaps)} cells; below it in {len(below)}, by {-fmean(below or [0]):.1f}"
        )


def _read(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def chosen(folder: Path, half: str, only: str) -> list[Path]:
    """Return the pairs of a half: every other one."""
    known = [each for each in sorted(folder.iterdir()) if only in each.name]
    return known[("a", "b").index(half) :: 2] if half else known


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.enrich.elsewhere")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("a", "b"), default="")
    parser.add_argument("--only", default="", help="pairs whose name holds this")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="names with commas")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--whole", action="store_true", help="whole runs, with the matcher")
    parser.add_argument("--keep", type=Path, help="a file for the figures of all cells")
    asked = parser.parse_args(arguments)
    folders = chosen(asked.folder, asked.half, asked.only)
    lines = _whole(folders, asked.seeds) if asked.whole else _strategies(folders, asked)
    for line in lines:
        print(line, flush=True)
    return 0


def _strategies(folders: Sequence[Path], asked: argparse.Namespace) -> Iterator[str]:
    names = asked.strategies.split(",")
    found: dict[Key, list[float]] = {}
    for folder in folders:
        found.update(covered(load(folder), names, asked.seeds))
        print(folder.name, file=sys.stderr, flush=True)
        if asked.keep:
            asked.keep.write_text(json.dumps([[*key, figures] for key, figures in found.items()]))
    yield from table(found, names)
    yield ""
    yield from standing(found, names)


def _whole(folders: Sequence[Path], seeds: int) -> Iterator[str]:
    yield "| pair | search | coverage | precision | fetched F1 | F1 |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for folder in folders:
        loaded = load(folder)
        for joins in JOINS:
            runs = [filled(loaded, 10, joins, 0.2, seed) for seed in range(seeds)]
            told = (f"{fmean(part):.3f} ± {pstdev(part):.3f}" for part in zip(*runs, strict=True))
            yield f"| {folder.name} | {joins.upper()}, k=10 | {' | '.join(told)} |"


if __name__ == "__main__":
    sys.exit(main())
