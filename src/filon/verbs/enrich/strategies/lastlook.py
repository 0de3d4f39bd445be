"""A strategy round another: what is left of the budget goes to rows whose match is in doubt.

While the crawl goes on a record that is probably a row's counts as its own, or every row with a
slip of the pen would be asked for again and again. In the end such a record may not be good enough
to fill the row. So once the inner strategy has nothing more to ask, each of these rows is asked for
by all its own words, once.
"""

from collections.abc import Sequence
from typing import Protocol

from filon.core import (
    Find,
    Provider,
    Reason,
    Record,
    Request,
    Response,
    Step,
    Strategy,
    Summary,
)
from filon.core.forms import KEYS, pairs
from filon.core.state import Stateful, stored, version
from filon.core.step import REQUEST
from filon.guards.guard import Guard
from filon.page.words import keywords
from filon.verbs.enrich.strategies.ground import named


class Doubting(Protocol):
    """A matcher that keeps which rows it has seen only doubtful records for."""

    doubts: dict[int, bool]

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that the record matches."""


class LastLook(Stateful, Guard):
    """Asks for the rows in doubt when the inner strategy has ended."""

    STATE = (
        version(1),
        "inner",
        "_flying",
        stored("_own", pairs(keys=REQUEST)),
        stored("_asked", KEYS),
        stored("_matcher.doubts", pairs()),
    )

    def __init__(
        self, inner: Strategy, provider: Provider, matcher: Doubting, documents: Sequence[str]
    ) -> None:
        super().__init__(inner)
        self._provider = provider
        self._matcher = matcher
        self._documents = documents
        self._flying = 0  # steps of the inner strategy
        self._own: dict[Request, int] = {}
        self._asked: dict[int, None] = {}

    def propose(self) -> Step | None:
        """Return the inner strategy's step, or ask for a row in doubt."""
        if not self._asked and (step := self.inner.propose()):
            self._flying += 1
            return step
        return None if self._flying else self._next()

    def _next(self) -> Step | None:
        for row in sorted(row for row, doubtful in self._matcher.doubts.items() if doubtful):
            if row in self._asked:
                continue
            self._asked[row] = None
            if query := self._query(row):
                text = f"no record found so far is surely that of row {row + 1}, and calls are left"
                reason = named(Reason(kind="query", text=text), query)
                step = Step(request=self._provider.request(query), reason=reason)
                if step.request in self._own:
                    continue  # two rows with the same words
                self._own[step.request] = row
                return step
        return None

    def _query(self, row: int) -> str:
        words = list(dict.fromkeys(keywords(self._documents[row])))
        while words and not self._provider.takes(" ".join(words)):
            words.pop()
        return " ".join(words)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand an answer on; of our own ones, see whether they end a doubt."""
        if self._own.pop(step.request, None) is None:
            self._flying -= 1
            return self.inner.observe(step, response)
        for record in self._provider.parse(response).records:
            self._matcher.rows(record)
        return []

    def summary(self) -> Summary:
        """Return the inner strategy's summary, and how many rows were looked at once more."""
        return {**self.inner.summary(), "looked at once more": len(self._asked)}
