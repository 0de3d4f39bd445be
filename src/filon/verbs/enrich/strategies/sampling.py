"""A sample of the hidden table, drawn through its search box by rejection sampling.

The technique of reference [49] that the paper uses in section 7.3: draw a word of the pool, ask
it, refuse results that overflow; keep the rest with probability |result| / k, draw one record of
it, and keep that with one over the number of words that would have led to it. Every record that
some solid word leads to is then equally likely. Each call is a step, seen and paid for; a word is
asked once.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from random import Random

from filon.core import Find, Reason, Record, Response, State, Step, Strategy, Summary, UserError
from filon.core.forms import KEYS, LIST, RANDOM, Form, each, pairs
from filon.core.state import Stateful, group, stored, version
from filon.page.words import keywords
from filon.verbs.enrich.strategies import Brief, Sample
from filon.verbs.enrich.strategies.coverage import Coverage

Make = Callable[[Brief, Coverage], Strategy]
#: So many draws in a row without a call or a new record: the words lead to no more.
FRUITLESS = 20_000


RECORD = Form(
    lambda record: [record.id, dict(record.fields), record.url],
    lambda stored: Record(id=stored[0], fields=stored[1], url=stored[2]),
)


class Sampler(Stateful):
    """Draws records until it has enough of them.

    The pool is made of the table's words. `sample()` is what was drawn so far.
    """

    STATE = (
        version(1),
        stored("_random", RANDOM, key="dice"),
        stored("_records", each(RECORD)),
        stored("_results", pairs(LIST)),
        stored("_drawn", KEYS),
        group("draws", "_draws", "_accepted", "_fruitless"),
        group("at", "_word", "_record"),
    )

    def __init__(self, brief: Brief, coverage: Coverage, size: int) -> None:
        self._coverage = coverage
        self._size = size
        self._k = brief.provider.page_size
        self._pool = sorted({word for text in coverage.documents for word in keywords(text)})
        self._in_pool = frozenset(self._pool)
        self._random = Random(brief.seed)
        # By word: the records that a solid query brought, by number; none where it is not solid.
        self._results: dict[str, list[int]] = {}
        self._records: list[Record] = []
        self._numbers: dict[str, int] = {}
        self._drawn: dict[int, None] = {}
        self._draws = self._accepted = self._fruitless = 0
        self._word = ""  # whose result is looked at
        self._record = -1  # whose words are counted

    @property
    def done(self) -> bool:
        """Enough records, or no more to be had."""
        return len(self._drawn) >= self._size or self._fruitless >= FRUITLESS or not self._pool

    def sample(self) -> Sample:
        """Return the records, and the estimate of which part of the hidden table they are.

        A draw ends with a record with probability |H| / (|pool| k), hence the size of H.
        """
        hidden = len(self._pool) * self._k * self._accepted / max(self._draws, 1)
        records = [self._records[number] for number in self._drawn]
        ratio = min(1.0, len(records) / hidden) if hidden else 1.0
        return Sample(records=records, ratio=ratio)

    def propose(self) -> Step | None:
        """Return the next word to ask; None while an answer is awaited, or when done."""
        while word := self._wanted():
            if word in self._coverage.flying:
                return None
            text = f"a sample is drawn: {len(self._drawn)} of {self._size} records so far"
            reason = Reason(kind="query", text=text)
            if step := self._coverage.ask(word, word, reason):
                return step
            self._results[word] = []
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Keep the result of a word."""
        outcome = self._coverage.observe(step, response)
        if not outcome.again:
            records = outcome.answer.records if outcome.solid else ()
            self._results[str(outcome.tag)] = [self._number(record) for record in records]
            self._fruitless = 0
        return outcome.finds

    def _wanted(self) -> str:
        """Draw on until a word must be asked; return it, or nothing when done."""
        while not self.done:
            unknown = next((w for w in self._awaited() if w not in self._results), "")
            if unknown:
                return unknown
            if self._record >= 0:
                self._judge_record()
            elif self._word:
                self._judge_result()
            else:
                self._draw_word()
        return ""

    def _draw_word(self) -> None:
        """Draw words until one brought records, or must be asked, or it is to no avail."""
        results, draw, pool = self._results, self._random.choice, self._pool
        word, fruitless = "", self._fruitless
        while fruitless < FRUITLESS and (not word or not results.get(word, True)):
            word = draw(pool)
            fruitless += 1
        self._draws += fruitless - self._fruitless
        self._word, self._fruitless = word, fruitless

    def _awaited(self) -> list[str]:
        return self._leading(self._record) if self._record >= 0 else [self._word] * bool(self._word)

    def _leading(self, number: int) -> list[str]:
        """Return the words of the pool that a record has."""
        text = " ".join(self._records[number].fields.values())
        return [word for word in keywords(text) if word in self._in_pool]

    def _judge_result(self) -> None:
        found, self._word = self._results[self._word], ""
        if found and self._random.randrange(self._k) < len(found):
            self._record = found[self._random.randrange(len(found))]

    def _judge_record(self) -> None:
        number, self._record = self._record, -1
        degree = sum(number in self._results[word] for word in self._leading(number))
        if self._random.randrange(max(degree, 1)) == 0:
            self._accepted += 1
            if number not in self._drawn:
                self._fruitless = 0
            self._drawn[number] = None

    def _number(self, record: Record) -> int:
        number = self._numbers.setdefault(record.id, len(self._records))
        if number == len(self._records):
            self._records.append(record)
        return number

    def restored(self) -> None:
        """Number the records."""
        self._numbers = {record.id: number for number, record in enumerate(self._records)}


class SampleFirst:
    """Draws a sample, then hands over to a strategy that needs one.

    Six records are drawn, and all 54 rows that are there are covered, with 74 calls in all; a
    sample that is given spares 41 of them:

    >>> from filon.testing import ToyTable
    >>> from filon.verbs.enrich.strategies.smartcrawl import Biased
    >>> table = ToyTable.made()
    >>> strategy = SampleFirst(replace(table.brief(sample=6), sample=None), Biased)
    >>> played = table.play(strategy)
    >>> strategy.summary()["sample"], sum(rows for _, rows in played), len(played)
    (6, 54, 74)
    >>> len(table.play(Biased(table.brief())))
    33
    """

    def __init__(self, brief: Brief, make: Make) -> None:
        self._brief, self._make = brief, make
        self._coverage = Coverage(brief)
        self._sampler = Sampler(brief, self._coverage, _wanted_size(brief))
        self._inner: Strategy | None = None

    def propose(self) -> Step | None:
        """Return a step of the sampler until it is done, then one of the strategy."""
        if self._inner is None:
            if step := self._sampler.propose():
                return step
            if not self._sampler.done:
                return None
            self._hand_over()
        return self._inner.propose() if self._inner else None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand the answer to whom it belongs."""
        return (self._inner or self._sampler).observe(step, response)

    def _hand_over(self) -> None:
        sample = self._sampler.sample()
        if sample.records:
            self._inner = self._make(replace(self._brief, sample=sample), self._coverage)

    def state(self) -> State:
        """Return plain data."""
        # By hand: the inner strategy is made on the way.
        return {
            "version": 1,
            "ground": self._coverage.state(),
            "sampler": self._sampler.state(),
            "inner": self._inner.state() if self._inner else None,
        }

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self._coverage.restore(state["ground"])
        self._sampler.restore(state["sampler"])
        self._inner = None
        if state["inner"] is not None:
            self._hand_over()
            if self._inner is not None:
                self._inner.restore(state["inner"])

    def summary(self) -> Summary:
        """Say what is covered, and how large the sample is."""
        inner = self._inner.summary() if self._inner else self._coverage.summary()
        return {**inner, "sample": len(self._sampler.sample().records)}


def with_sample(make: Make) -> Callable[[Brief], Strategy]:
    """Return the strategy itself where a sample is given; else it draws one first."""

    @wraps(make)
    def build(brief: Brief) -> Strategy:
        if brief.sample is None and _wanted_size(brief):
            return SampleFirst(brief, make)
        return make(brief, Coverage(brief))

    return build


def _wanted_size(brief: Brief) -> int:
    wanted = brief.options.get("sample", 0)
    try:
        number = float(wanted)
    except ValueError:
        number = -1.0
    if number < 0 or not number.is_integer():
        raise UserError(f"The option sample is a whole number of records, not {wanted!r}.")
    return int(number)
