"""Which rows are covered: queries become steps, answers become covered rows.

Every enrichment strategy stands on `Coverage`, which knows what is in flight, which rows are
covered and which queries may be asked again. It does not know which query is worth asking.

While the crawl goes on a record that is probably a row's counts as its own, or every row with a
slip of the pen would be asked for again and again. In the end such a record may not be good enough
to fill the row. So once a strategy has nothing more to ask, `Recheck` asks for each of these rows
by all its own words, once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from filon.core import (
    Answer,
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
from filon.core.abilities import Guard
from filon.core.forms import KEYS, pairs
from filon.core.state import Stateful, stored, version
from filon.core.step import REQUEST
from filon.learn.arrays import BITS
from filon.page.words import keywords
from filon.verbs.enrich.strategies import Brief

#: What a strategy calls a query: its number in a pool, or its text. Plain data.
Tag = int | str
#: Answers after which the same query may succeed.
PASSING = frozenset({"down", "quota"})
#: How often a query is asked at most while it fails in passing.
TRIES = 3
#: How much of a row stands in the name of a find.
SHOWN = 80
#: A longer query is shortened in the ledger: the words that matter come first.
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a query.

    tag: of the query.
    rows: those that its answer covers, whether they were covered before or not.
    matched: of each of its records, the rows that it is about.
    finds: one for each row that was not.
    again: it failed in passing, and may be asked once more.
    solid: all that matches it was returned (Definition 2).
    """

    tag: Tag
    answer: Answer
    rows: NDArray[np.int64]
    finds: list[Find]
    matched: Sequence[Sequence[int]]
    again: bool
    solid: bool


def named(reason: Reason, query: str) -> Reason:
    """Return a reason whose arm is the words of a query: a request says them in its own way."""
    return replace(reason, arm=query[:LONGEST])


class Coverage(Stateful):
    """The rows of a table, and the queries that are in flight for them."""

    STATE = (
        version(1),
        stored("covered", BITS),
        "answers",
        "problems",
        stored("_flying", pairs(keys=REQUEST)),
        stored("_tries", pairs()),
        "_spoken",
    )

    def __init__(self, brief: Brief) -> None:
        self.documents: Sequence[str] = brief.documents
        self.provider = brief.provider
        self.matcher = brief.matcher
        self._numbers = brief.numbers
        self.covered = np.zeros(len(self.documents), dtype=bool)
        self.answers = 0
        self.problems: dict[str, int] = {}
        self._flying: dict[Request, Tag] = {}
        self._tries: dict[Tag, int] = {}
        self._spoken: set[str] = set()

    @property
    def flying(self) -> list[Tag]:
        """The queries without an answer yet."""
        return list(self._flying.values())

    def ask(self, tag: Tag, query: str, reason: Reason, page: str = "") -> Step | None:
        """Return the step that asks a query; None where the service does not take it.

        A query that is too long loses its last words. One that is then like another is not asked,
        nor one that goes by a text, as those of a sampler do, and was asked under another tag.
        """
        taken = _taken(query.split(" "), self.provider)
        if not taken or (not page and taken in self._spoken and tag not in self._tries):
            return None
        if taken != query or isinstance(tag, str):
            self._spoken.add(taken)
        step = Step(request=self.provider.request(taken, page), reason=named(reason, taken))
        if step.request in self._flying:
            return None
        self._flying[step.request] = tag
        return step

    def ask_again(self, request: Request, reason: Reason) -> Step:
        """Return the step that asks what another run has asked."""
        self._flying[request] = request.url
        return Step(request=request, reason=reason)

    def awaits(self, request: Request) -> bool:
        """Say whether a request is without an answer yet."""
        return request in self._flying

    def observe(self, step: Step, response: Response) -> Outcome:
        """Read the answer to a step, and cover the rows that its records are about."""
        tag = self._flying.pop(step.request)
        answer = self.provider.parse(response)
        self.answers += 1
        if answer.problem:
            self.problems[answer.problem] = self.problems.get(answer.problem, 0) + 1
            return Outcome(tag, answer, _rows(()), [], [], self._may_try(tag, answer), solid=False)
        self._tries.pop(tag, None)
        matched = [list(self.matcher.rows(record)) for record in answer.records]
        finds = self._cover(answer.records, matched, step.request.url)
        rows = _rows(dict.fromkeys(row for some in matched for row in some))
        return Outcome(tag, answer, rows, finds, matched, again=False, solid=self._solid(answer))

    def _cover(
        self, records: Sequence[Record], matched: Sequence[Sequence[int]], parent: str
    ) -> list[Find]:
        """Cover rows; return the finds among them."""
        finds: list[Find] = []
        for record, rows in zip(records, matched, strict=True):
            for row in rows:
                if not self.covered[row]:
                    self.covered[row] = True
                    finds.append(self._find(record, row, parent))
        return finds

    def _may_try(self, tag: Tag, answer: Answer) -> bool:
        self._tries[tag] = self._tries.get(tag, 1) + 1
        return answer.problem in PASSING and self._tries[tag] <= TRIES

    def _solid(self, answer: Answer) -> bool:
        if answer.total is not None:
            return answer.total <= len(answer.records)
        return len(answer.records) < self.provider.page_size

    def _find(self, record: Record, row: int, parent: str) -> Find:
        url = record.url or f"{parent}#{quote(record.id, safe='')}"
        number = self._numbers[row] if self._numbers else row
        name = f"row {number + 1}: {self.documents[row][:SHOWN]}"
        return Find(kind="record", url=url, name=name, parent=parent)

    def restored(self) -> None:
        """Leave the bits that fill the last byte."""
        self.covered = self.covered[: len(self.documents)]

    def summary(self) -> Summary:
        """Say how many rows are covered and what went wrong."""
        return {
            "arms": [],
            "skipped": {},
            "rows": len(self.documents),
            "covered": int(self.covered.sum()),
            "problems": dict(self.problems),
        }


def _taken(words: Iterable[str], provider: Provider) -> str:
    """Return as many of the words as a service takes for a query: the last ones go first."""
    kept = list(words)
    while kept and not provider.takes(" ".join(kept)):
        kept.pop()
    return " ".join(kept)


def _rows(rows: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(rows, dtype=np.int64)


class Doubting(Protocol):
    """A matcher that keeps which rows it has seen only doubtful records for."""

    doubts: dict[int, bool]

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that the record matches."""


class Recheck(Stateful, Guard):
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
            if query := _taken(dict.fromkeys(keywords(self._documents[row])), self._provider):
                text = f"no record found so far is surely that of row {row + 1}, and calls are left"
                reason = named(Reason(kind="query", text=text), query)
                step = Step(request=self._provider.request(query), reason=reason)
                if step.request in self._own:
                    continue  # two rows with the same words
                self._own[step.request] = row
                return step
        return None

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
