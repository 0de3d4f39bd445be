"""The cells in which `prospect` is judged: how far it comes from SMARTCRAWL-B to the ideal.

A cell is a pair of tables, a page size, a way to join words and a budget. Runs of the other two do
not change: they are kept in a file and made once.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np

from experiments.enrich.compare import FOLDER, Comparison, trials
from experiments.enrich.datasets import Wish
from experiments.enrich.experiments import Experiment, Setting

#: Their tables; of the ACL's papers a thousand are local.
TABLES = ("acl", "dblp-scholar+", "walmart-amazon", "dbpedia-imdb", "imdb-tmdb")
SIZES, JOINS, BUDGETS = (10, 50), ("and", "or"), (0.05, 0.1, 0.2)
FROM, TO, JUDGED = "smartcrawl-b", "ideal", "prospect"
#: The table whose local rows are drawn.
DRAWN = "acl"
#: Cells where the paper's strategy covers so much are left out.
DONE = 95.0
#: How much of the way is to be come.
WANTED = 0.5
Figures = dict[str, list[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What the strategies cover in a cell, in percent, a figure a seed."""

    setting: Setting
    found: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """Whether there is something left to gain."""
        return self._mean(FROM) < DONE

    @property
    def way(self) -> float:
        """The part of the way from the one to the other that it comes, at most all of it."""
        gap = self._mean(TO) - self._mean(FROM)
        gain = self._mean(JUDGED) - self._mean(FROM)
        return min(gain / gap, 1.0) if gap > 0 else float(gain >= 0)

    def said(self, name: str) -> str:
        """Return mean and spread for people."""
        return f"{self._mean(name):.1f} ± {np.std(self.found[name]):.1f}"

    def _mean(self, name: str) -> float:
        return float(np.mean(self.found[name]))


def settings(tables: Sequence[str] = TABLES) -> Iterator[Setting]:
    """Yield the settings of all cells."""
    for table, joins, k, budget in product(tables, JOINS, SIZES, BUDGETS):
        wish = Wish(table=table, size=1_000)
        label = f"{table}, {joins.upper()}, k={k}, {budget:.0%}"
        yield Setting(label=label, wish=wish, k=k, joins=joins, budget=budget)


def measure(
    folder: Path, wanted: Sequence[Setting], seeds: int, processes: int, kept: Path | None
) -> list[Cell]:
    """Run what is not kept yet; return the cells."""
    known: dict[str, Figures] = {}
    if kept and kept.exists():
        known = json.loads(kept.read_text())
    for name in (FROM, TO):
        here = known.setdefault(name, {})
        missing = tuple(each for each in wanted if len(here.get(each.label, ())) < seeds)
        if missing:
            here.update(_figures(folder, missing, name, seeds, processes))
        if kept:
            kept.write_text(json.dumps(known, indent=1))
    known[JUDGED] = {}
    # It draws nothing: seeds differ only where they draw the rows.
    drawn = tuple(each for each in wanted if each.wish.table == DRAWN)
    fixed = tuple(each for each in wanted if each.wish.table != DRAWN)
    for some, times in ((drawn, seeds), (fixed, 1)):
        if some:
            known[JUDGED].update(_figures(folder, some, JUDGED, times, processes))
    names = (FROM, TO, JUDGED)
    return [
        Cell(setting=each, found={name: known[name][each.label][:seeds] for name in names})
        for each in wanted
    ]


def _figures(
    folder: Path, wanted: tuple[Setting, ...], name: str, seeds: int, processes: int
) -> Figures:
    experiment = Experiment(name="cells", title="", settings=wanted, strategies=(name,))
    made: Comparison = trials(folder, [experiment], seeds, processes, _progress)
    return {each.label: [run.last for run in made.of(each, name)] for each in wanted}


def _progress(done: int, runs: int, words: str) -> None:
    print(f"{done} of {runs}: {words}", file=sys.stderr, flush=True)


def lines(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the table, and how many cells are half-way."""
    yield f"| cell | `{FROM}` | `{JUDGED}` | `{TO}` | of the way |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for cell in cells:
        way = f"{cell.way:.2f}" if cell.counts else "–"
        figures = " | ".join(cell.said(name) for name in (FROM, JUDGED, TO))
        yield f"| {cell.setting.label} | {figures} | {way} |"
    counted = [cell for cell in cells if cell.counts]
    far = sum(cell.way >= WANTED for cell in counted)
    below = sum(cell.way < 0 for cell in counted)
    yield f"\nHalf-way in {far} of {len(counted)} cells, below `{FROM}` in {below}."


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.enrich.cells", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--tables", default=",".join(TABLES), help="names with commas")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="the file that keeps the runs of the others")
    asked = parser.parse_args(arguments)
    wanted = list(settings(asked.tables.split(",")))
    cells = measure(asked.folder, wanted, asked.seeds, asked.processes, asked.keep)
    for line in lines(cells):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
