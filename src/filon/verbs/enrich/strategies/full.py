"""FULLCRAWL: crawls as much of the hidden table as it can, whatever the local one holds."""

from collections.abc import Sequence

import numpy as np

from filon.core import Find, Reason, Response, State, Step, Summary
from filon.core.state import Stateful, stored, version
from filon.learn.arrays import INDICES
from filon.page.words import keywords
from filon.verbs.enrich.strategies import Brief
from filon.verbs.enrich.strategies.coverage import Coverage
from filon.verbs.enrich.strategies.pool import Pool
from filon.verbs.enrich.strategies.pooled import LazyQueue
from filon.verbs.enrich.strategies.sampling import with_sample
from filon.verbs.enrich.strategies.smartcrawl import given_sample


class Full(Stateful):
    """FULLCRAWL: asks the queries of a sample's own pool, the most frequent first.

    It does not know which rows are left, so many calls cover none:

    >>> from filon.testing import ToyTable
    >>> table = ToyTable()  # the running example of the paper, Figure 1
    >>> table.play(Full(table.brief()))
    [('house', 1), ('thai house', 1), ('house pizza', 0), ('sushi place', 0)]

    Reference: SMARTCRAWL (see filon.verbs.enrich.strategies.smartcrawl), section 13.1.
    """

    STATE = (version(1), stored("coverage", key="ground"), stored("_asked", INDICES))

    def __init__(self, brief: Brief, coverage: Coverage | None = None) -> None:
        self.coverage = coverage or Coverage(brief)
        records = given_sample(brief).records
        self._pool = Pool.of([" ".join(record.fields.values()) for record in records])
        self._tie = np.random.default_rng(brief.seed).permutation(len(self._pool))
        self._asked: dict[int, None] = {}
        self._queue = self._fill()

    def propose(self) -> Step | None:
        """Return the step for the next query of the pool."""
        while (query := self._queue.pop(self._frequency)) is not None:
            frequency = self._frequency(query)
            text = f"{frequency:.0f} records of the sample have these words"
            reason = Reason(kind="query", score=frequency, text=text)
            if step := self.coverage.ask(query, self._pool.text(query), reason):
                self._asked[query] = None
                return step
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Cover rows; keep a query that failed in passing."""
        outcome = self.coverage.observe(step, response)
        if outcome.again:
            query = int(outcome.tag)
            self._asked.pop(query, None)
            self._queue.push(query, self._frequency(query))
        return outcome.finds

    def restored(self) -> None:
        """Queue what is left."""
        self._queue = self._fill()

    def summary(self) -> Summary:
        """Say what is covered."""
        return {**self.coverage.summary(), "pool": len(self._pool)}

    def _frequency(self, query: int) -> float:
        return float(self._pool.frequency[query])

    def _fill(self) -> LazyQueue:
        first = self._pool.frequency.astype(np.float64)
        first[first == 0] = -1.0
        first[list(self._asked)] = -1.0
        return LazyQueue(first, self._tie)


class FullAdaptive:
    """Asks the word that most records crawled so far hold; the first is the table's own.

    It needs no sample: what it has crawled is one, and the longer the better.

    >>> from filon.testing import ToyTable
    >>> table = ToyTable()
    >>> table.play(FullAdaptive(table.brief()), calls=4)
    [('house', 1), ('thai', 1), ('steak', 0), ('noodle', 1)]

    Reference: our own, after FULLCRAWL.
    """

    def __init__(self, brief: Brief, coverage: Coverage | None = None) -> None:
        self.coverage = coverage or Coverage(brief)
        self._words: dict[str, int] = {}
        self._counts = np.zeros(1024, dtype=np.int64)
        self._asked = np.zeros(1024, dtype=bool)
        self._seen: dict[str, None] = {}
        self._own = _by_frequency(self.coverage.documents)

    def propose(self) -> Step | None:
        """Return the step for the most frequent word that was not asked."""
        while word := self._next():
            number = self._number(word)
            self._asked[number] = True
            count = int(self._counts[number])
            text = (
                f"{count} of the records crawled so far have this word"
                if count
                else "it is the most frequent word of the table that was not asked"
            )
            reason = Reason(kind="query", score=float(count), text=text)
            if step := self.coverage.ask(word, word, reason):
                return step
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Cover rows, and count the words of records that are new."""
        outcome = self.coverage.observe(step, response)
        if outcome.again:
            self._asked[self._words[str(outcome.tag)]] = False
        for record in outcome.answer.records:
            if record.id not in self._seen:
                self._seen[record.id] = None
                words = keywords(" ".join(record.fields.values()))
                numbers = [self._number(word) for word in words]
                self._counts[numbers] += 1
        return outcome.finds

    def state(self) -> State:
        """Return plain data; the words of what was crawled are part of it."""
        # By hand: arrays that grow are stored without the room that is kept free.
        size = len(self._words)
        return {
            "version": 1,
            "ground": self.coverage.state(),
            "words": list(self._words),
            "counts": self._counts[:size].copy(),
            "asked": self._asked[:size].copy(),
            "seen": list(self._seen),
        }

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self.coverage.restore(state["ground"])
        self._words = {word: number for number, word in enumerate(state["words"])}
        self._counts = np.array(state["counts"], dtype=np.int64)
        self._asked = np.array(state["asked"], dtype=bool)
        self._seen = dict.fromkeys(state["seen"])

    def summary(self) -> Summary:
        """Say what is covered and crawled."""
        return {**self.coverage.summary(), "crawled": len(self._seen)}

    def _next(self) -> str:
        open_counts = np.where(self._asked, 0, self._counts)[: len(self._words)]
        if len(open_counts) and open_counts.max() > 0:
            # In order of first sight, which is the order of the numbers.
            return list(self._words)[int(open_counts.argmax())]
        known = self._words
        return next((w for w in self._own if w not in known or not self._asked[known[w]]), "")

    def _number(self, word: str) -> int:
        number = self._words.setdefault(word, len(self._words))
        if number >= len(self._counts):
            room = np.zeros(len(self._counts) + 1024)
            self._counts = np.concatenate([self._counts, room.astype(np.int64)])
            self._asked = np.concatenate([self._asked, room.astype(bool)])
        return number


def _by_frequency(documents: Sequence[str]) -> list[str]:
    counts: dict[str, int] = {}
    for document in documents:
        for word in keywords(document):
            counts[word] = counts.get(word, 0) + 1
    return sorted(counts, key=lambda word: (-counts[word], word))


full = with_sample(Full)
