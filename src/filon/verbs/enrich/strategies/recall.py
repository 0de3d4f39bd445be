"""What an earlier run of the same table was answered, before anything else is asked.

Its questions come first, in its order: those whose answers are at hand cost nothing, those that are
too old are asked again. Then a strategy sees to the rows that are left: new ones, and those that
the earlier run had no time for. A row that it had looked for in vain is not looked for again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from filon.core import Find, Reason, Record, Request, Response, State, Step, Strategy, Summary
from filon.core.abilities import TellsFates, able
from filon.verbs.enrich.strategies import Brief, Matcher
from filon.verbs.enrich.strategies.coverage import Coverage

Make = Callable[[Brief], Strategy]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is known of a table from an earlier run.

    asked: its questions, each with its words. vain: the rows of the table, as it is now, that it
    has looked for in vain.
    """

    asked: Sequence[tuple[Request, str]]
    vain: frozenset[int]


class Some:
    """Tells which of some rows of a table a record is about, by their places among these."""

    def __init__(self, matcher: Matcher, rows: Sequence[int]) -> None:
        self._matcher = matcher
        self._places = {row: place for place, row in enumerate(rows)}

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that the record matches."""
        found = (self._places.get(row) for row in self._matcher.rows(record))
        return [place for place in found if place is not None]


class Recall:
    """Asks what an earlier run asked, then hands over to a strategy for the rows that are left."""

    def __init__(self, brief: Brief, make: Make, earlier: Earlier) -> None:
        self._brief, self._make, self._earlier = brief, make, earlier
        self._coverage = Coverage(brief)
        self._next = 0
        self._open: list[int] | None = None
        self._inner: Strategy | None = None

    def propose(self) -> Step | None:
        """Return the next question of the earlier run, and then a step of the strategy."""
        if self._next < len(self._earlier.asked):
            request, words = self._earlier.asked[self._next]
            self._next += 1
            reason = Reason(kind="recall", arm=words, text="it was asked in the run before")
            return self._coverage.ask_again(request, reason)
        if self._open is None:
            if self._coverage.flying:
                return None
            covered, vain = self._coverage.covered, self._earlier.vain
            self._hand_over([int(n) for n in np.flatnonzero(~covered) if int(n) not in vain])
        return self._inner.propose() if self._inner else None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand the answer to whom it belongs."""
        if self._inner is None or self._coverage.awaits(step.request):
            return self._coverage.observe(step, response).finds
        return self._inner.observe(step, response)

    def _hand_over(self, rows: list[int]) -> None:
        self._open = rows
        if rows:
            brief = self._brief
            columns, others = (
                {name: [cells[row] for row in rows] for name, cells in many.items()}
                for many in (brief.columns, brief.others)
            )
            matcher = Some(brief.matcher, rows)
            self._inner = self._make(
                replace(brief, columns=columns, others=others, matcher=matcher, numbers=rows)
            )

    def fates(self) -> dict[int, str]:
        """Say of each row that is not covered whether it is "absent" or "unreached"."""
        teller = able(self._inner, TellsFates) if self._inner else None
        inner = teller.fates() if teller else {}
        told = {(self._open or [])[place]: fate for place, fate in inner.items()}
        return {**dict.fromkeys(self._vain(), "absent"), **told}

    def _vain(self) -> list[int]:
        return [row for row in sorted(self._earlier.vain) if not self._coverage.covered[row]]

    def state(self) -> State:
        """Return plain data."""
        # By hand: the inner strategy is made on the way.
        return {
            "version": 1,
            "ground": self._coverage.state(),
            "next": self._next,
            "open": self._open,
            "inner": self._inner.state() if self._inner else None,
        }

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self._coverage.restore(state["ground"])
        self._next, self._open, self._inner = state["next"], None, None
        if state["open"] is not None:
            self._hand_over([*map(int, state["open"])])
        if self._inner is not None:
            self._inner.restore(state["inner"])

    def summary(self) -> Summary:
        """Say what is covered, of all rows."""
        whole = self._coverage.summary()
        inner: dict[str, Any] = dict(self._inner.summary()) if self._inner else {}
        covered = int(whole["covered"]) + int(inner.get("covered", 0))
        return {**whole, **inner, "rows": whole["rows"], "covered": covered}
