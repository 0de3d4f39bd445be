"""The loop of SMARTCRAWL (section 3): the query of the largest benefit, then the next.

What differs between its strategies is the estimate of the benefit, and which rows leave the table
after an answer. The inverted and forward indexes are the pool's; `left` is |q(D)| of the table as
it is now: what the paper keeps as |q(D)| less the delta-update index U. The queue brings a priority
up to date only where it might win (section 6.3).
"""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from filon.core import Find, Reason, Response, State, Step, Summary
from filon.verbs.enrich.strategies import Brief
from filon.verbs.enrich.strategies.coverage import Coverage, Outcome
from filon.verbs.enrich.strategies.pool import Pool

Floats = NDArray[np.float64]


class LazyQueue:
    """Numbers by priority, the highest first; ties go by `tie`, the lowest first.

    Priorities may only fall; below zero they keep a number out. The first ones stand in a sorted
    array; a heap holds no more than those that were brought up to date since, so that millions of
    queries cost two arrays. What `pop` returns does not depend on when priorities were brought up
    to date.

    >>> queue = LazyQueue(np.array([5.0, 3.0, 4.0]), np.arange(3))
    >>> now = [1.0, 3.0, 4.0]
    >>> [queue.pop(now.__getitem__) for _ in range(4)]
    [2, 1, 0, None]
    """

    def __init__(self, priority: Floats, tie: NDArray[np.int64]) -> None:
        self._tie = tie
        wanted = np.flatnonzero(priority >= 0)
        self._order = wanted[np.lexsort((tie[wanted], -priority[wanted]))]
        self._sorted = -priority[self._order]
        self._next = 0
        self._heap: list[tuple[float, int, int]] = []

    def push(self, number: int, priority: float) -> None:
        """Put a number in, or in again."""
        heapq.heappush(self._heap, (-priority, int(self._tie[number]), number))

    def pop(self, now: Callable[[int], float]) -> int | None:
        """Take out the number that is first by its priority of now; None where none is left.

        now: returns the priority; below zero, the number is thrown away.
        """
        while first := self._first():
            stored, _, number = first
            priority = now(number)
            if -stored == priority:
                return number
            if priority >= 0:
                self.push(number, priority)
        return None

    def _first(self) -> tuple[float, int, int] | None:
        if self._next == len(self._order):
            return heapq.heappop(self._heap) if self._heap else None
        number = int(self._order[self._next])
        untouched = float(self._sorted[self._next]), int(self._tie[number]), number
        if self._heap and self._heap[0] < untouched:
            return heapq.heappop(self._heap)
        self._next += 1
        return untouched


class Pooled(ABC):
    """Asks the query of the pool with the largest estimated benefit.

    gone: the rows that have left the table: covered, or given up.
    """

    #: Whether the rows that a solid query missed are given up, where no option says so.
    removal_by_default: ClassVar[bool] = False
    #: What the estimate is, for people: a clause that continues "because"; {rows} and {score}.
    why: ClassVar[str]

    def __init__(self, brief: Brief, coverage: Coverage | None = None) -> None:
        self.brief = brief
        self.coverage = coverage or Coverage(brief)
        self.pool = Pool.of(self.coverage.documents)
        default = "on" if self.removal_by_default else "off"
        self.removal = brief.options.get("removal", default) == "on"
        self.gone = np.zeros(len(self.coverage.documents), dtype=bool)
        self.asked: dict[int, None] = {}
        # Ties are broken at random (Example 6).
        self._tie = np.random.default_rng(brief.seed).permutation(len(self.pool))
        self.left = self.pool.frequency.copy()
        self.weight = self.weigh()
        self._queue = self._fill()
        self.remove(np.flatnonzero(self.coverage.covered))

    @abstractmethod
    def weigh(self) -> Floats:
        """Return the part of its rows that a query is expected to cover, for each query."""

    def settle(self, query: int, outcome: Outcome) -> None:
        """Take out what is covered; after a solid query, what it missed as well (section 4.2)."""
        self.remove(outcome.rows)
        if outcome.solid and self.removal:
            self.remove(self.pool.rows(query))

    def benefit(self, query: int) -> float:
        """Return the estimated benefit of a query now; below zero where it is not to be asked."""
        rows = int(self.left[query])
        return rows * float(self.weight[query]) if rows else -1.0

    def first_benefits(self) -> Floats:
        """Return an upper bound of each query's benefit, before the first answer."""
        return self.left * self.weight

    def remove(self, rows: Iterable[int]) -> None:
        """Take rows out of the table, and bring |q(D)| of their queries up to date."""
        for row in rows:
            if not self.gone[row]:
                self.gone[row] = True
                self.left[self.pool.forward(int(row))] -= 1

    def propose(self) -> Step | None:
        """Return the step that asks the best query; None where no query is left."""
        while (query := self._queue.pop(self.benefit)) is not None:
            benefit = self.benefit(query)
            step = self.coverage.ask(query, self.pool.text(query), self._reason(query, benefit))
            if step:
                self.asked[query] = None
                return step
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Cover rows, and settle what the answer tells of others."""
        outcome = self.coverage.observe(step, response)
        query = int(outcome.tag)
        if outcome.again:
            self.put_back(query)
        elif not outcome.answer.problem:
            self.settle(query, outcome)
        return outcome.finds

    def put_back(self, query: int) -> None:
        """Let a query be asked again."""
        self.asked.pop(query, None)
        self._queue.push(query, max(self.benefit(query), 0.0))

    def state(self) -> State:
        """Return plain data: numbers of rows and queries; the pool is made anew."""
        # By hand: rows are removed one by one from what the queries hold.
        return {
            "version": 1,
            "ground": self.coverage.state(),
            "gone": np.packbits(self.gone),
            "asked": np.array(list(self.asked), dtype=np.int64),
        }

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self.coverage.restore(state["ground"])
        bits = np.asarray(state["gone"], dtype=np.uint8)
        gone = np.unpackbits(bits, count=len(self.gone)).astype(bool)
        self.remove(np.flatnonzero(gone))
        self.asked = dict.fromkeys(int(query) for query in state["asked"])
        self._queue = self._fill()

    def summary(self) -> Summary:
        """Say what is covered, and how large the pool is."""
        return {
            **self.coverage.summary(),
            "pool": len(self.pool),
            "left": int((~self.gone).sum()),
        }

    def _fill(self) -> LazyQueue:
        first = self.first_benefits()
        first[self.pool.frequency == 0] = -1.0
        first[list(self.asked)] = -1.0
        return LazyQueue(first, self._tie)

    def _reason(self, query: int, benefit: float) -> Reason:
        text = self.why.format(rows=int(self.left[query]), score=f"{benefit:.3g}")
        return Reason(kind="query", score=benefit, expected=benefit, text=text)
