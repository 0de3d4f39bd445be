"""One run of one strategy on one dataset, and how many rows it had covered after each call."""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from experiments.enrich.datasets import Dataset
from experiments.enrich.hidden import Hidden
from experiments.enrich.strategies import build
from filon.core import Account, Budget, Find, Response, Step, Strategy, drive
from filon.verbs.enrich.strategies import Brief, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course of a run.

    coverage: after each call, the part of the matchable rows that are covered, in percent.
    budget: how many calls it was allowed; calls: how many it made, by the server's own count.
    choosing_s: seconds of CPU a call that the strategy took; building its pool is not in it.
    """

    coverage: NDArray[np.float64]
    budget: int
    calls: int
    building_s: float
    choosing_s: float

    @property
    def last(self) -> float:
        """The coverage in the end."""
        return float(self.coverage[-1]) if len(self.coverage) else 0.0

    def until(self, budget: int) -> "Course":
        """Return the course of a run that had been allowed fewer calls."""
        calls = min(budget, self.calls)
        return replace(self, coverage=self.coverage[:calls], budget=budget, calls=calls)


class Tally:
    """A Store that counts matchable rows."""

    def __init__(self, dataset: Dataset) -> None:
        self._share = 100 / max(len(dataset.matchable), 1)
        self._found = 0
        self.coverage: list[float] = []

    def begin(self, step: Step, number: int = 0) -> int:
        """Number a step."""
        return number or len(self.coverage) + 1

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Count the finds: with a perfect matcher each is a row that was not covered before."""
        self._found += len(finds)
        self.coverage.append(self._found * self._share)

    def hold(self, number: int, response: Response) -> None:
        """There is no end of time here."""

    def commit(self) -> None:
        """Nothing has to last."""

    def checkpoint(self, strategy: Strategy) -> None:
        """Keep no state."""


class Known:
    """What the hidden table would answer, without a call."""

    def __init__(self, hidden: Hidden, dataset: Dataset) -> None:
        self._hidden, self._dataset = hidden, dataset

    def covers(self, query: str) -> Iterable[int]:
        """Return the rows that the first page of a query's results covers."""
        shown = self._hidden.best(query, self._hidden.page_size)
        found = (self._dataset.rows(self._hidden.records[place]) for place in shown)
        return dict.fromkeys(row for rows in found for row in rows)


def run(
    dataset: Dataset,
    hidden: Hidden,
    strategy: str,
    *,
    calls: int,
    seed: int,
    sample: Sample | None = None,
    options: Mapping[str, str | float] | None = None,
) -> Course:
    """Run a strategy for so many calls; it is told what matches, as in the paper."""
    brief = Brief(
        columns=dataset.columns,
        provider=hidden,
        matcher=dataset,
        seed=seed,
        calls=calls,
        sample=sample,
        options=options or {},
        others=dataset.others,
    )
    before, began_s = hidden.calls, time.process_time()
    chosen = build(strategy, brief, Known(hidden, dataset))
    built_s, tally = time.process_time(), Tally(dataset)
    asyncio.run(drive(chosen, hidden, Account(Budget(requests=calls)), tally))
    asked = hidden.calls - before
    return Course(
        coverage=np.array(tally.coverage),
        budget=calls,
        calls=asked,
        building_s=built_s - began_s,
        choosing_s=(time.process_time() - built_s) / max(asked, 1),
    )
