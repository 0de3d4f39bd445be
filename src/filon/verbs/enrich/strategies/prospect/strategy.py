"""`prospect`: the enrichment strategy that learns from the answers themselves, without a sample.

A call is worth the rows it is expected to cover. What that is depends on how many records a query
matches, which words are to be relied on, which rows are in the hidden table at all, and what pages
bring beside the rows that hold their words; all are learnt as answers come in. The state of a run
is the list of calls and what each taught: to restore it is to learn the same again.
"""

from collections import deque
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from filon.core import Find, Reason, Record, Response, Step, Summary
from filon.core.forms import LIST, each
from filon.core.state import Stateful, stored, version
from filon.verbs.enrich.strategies import Brief
from filon.verbs.enrich.strategies.coverage import Coverage, Outcome
from filon.verbs.enrich.strategies.lexicon import Lexicon
from filon.verbs.enrich.strategies.prospect.conjunctive import KINDS, Conjunctive
from filon.verbs.enrich.strategies.prospect.joint import Joint
from filon.verbs.enrich.strategies.prospect.news import News, Tidings
from filon.verbs.enrich.strategies.prospect.value import (
    Choice,
    Lesson,
    Presence,
    Reliability,
    RowValues,
)

#: Parts that can be switched off one by one.
PARTS = (*KINDS, "news", "near", "columns", "words", "likeness", "removal", "joint")
DEFAULTS: dict[str, float | str] = dict.fromkeys(PARTS, "on")
#: Of the state's layout.
VERSION = 2
#: A call that is expected to cover less is not made.
LEAST = 0.01
#: A call that is expected to cover less than this part of what those in flight are waits for
#: their answers: it would mostly go for the same rows.
WAITS = 0.5
#: Calls in flight for each answer that was learnt from: the first ones matter most, and several
#: at once would all rest on the same guess.
AHEAD = 0.5
#: Answers between two fits: a tenth of those so far, at most so many, or more in large tables,
#: where a fit costs more and one answer says less. And in the largest at least some.
RARELY, ROWS_A_FIT, LARGEST = 20, 1000, 200_000
#: A row with a smaller chance to be present counts as absent, where it was looked for.
ABSENT = 0.5


#: What a kind is called, after "such": and what is said of its rows.
NAMES = {
    "word": "words that rows share",
    "pair": "pairs of words that rows share",
    "page": "further pages",
    "row": "words of a single row",
    "seen": "words of records",
    "joint": "words of several rows together",
    "alone": "all words of a single row",
}
#: Calls whose yield says what the next ones may bring.
RECENT = 50


class Arms:
    """Counts calls and rows by kind."""

    def __init__(self) -> None:
        self._calls = dict.fromkeys(NAMES, 0)
        self._rows = dict.fromkeys(NAMES, 0)
        self._recent: deque[int] = deque(maxlen=RECENT)

    def note(self, choice: Choice, rows: int) -> None:
        """Take note of an answer that covered so many rows more."""
        self._calls[choice.kind] += 1
        self._rows[choice.kind] += rows
        self._recent.append(rows)

    @property
    def lately(self) -> float:
        """The rows a call that were covered of late; one to begin with."""
        return (sum(self._recent) + 1) / (len(self._recent) + 1)

    def say(self, choice: Choice, text: str, rows: int) -> str:
        """Return why a call is made: a clause that continues "because"."""
        past = self._past(choice.kind)
        if choice.kind == "joint":
            return (
                f"rare words of {len(choice.rows):,} rows that are probably there stand in one "
                f"query, and {choice.expected:.1f} of them are expected; {past}"
            )
        if choice.kind == "alone":
            return (
                "no query for several rows together found this row, which may be there under "
                f"common words; {choice.expected:.2f} of such rows are expected; {past}"
            )
        if choice.kind == "seen":
            return (
                f'"{text}" stands in records that were met, and about {choice.size:,.0f} results '
                f"are expected; by what such records brought, {choice.expected:.1f} rows are "
                f"likely among those shown; {past}"
            )
        page = f"results after the first {choice.before:,}, of " if choice.before else ""
        return (
            f'{rows:,} rows not found yet have "{text}", and about {page}{choice.size:,.0f} '
            f"results are expected; {choice.expected:.1f} rows are likely among those shown, more "
            f"than with any other call; {past}"
        )

    def _past(self, kind: str) -> str:
        calls, rows = self._calls[kind], self._rows[kind]
        if not calls:
            return f"it is the first query of its kind ({NAMES[kind]})"
        return f"{calls:,} such queries ({NAMES[kind]}) brought {rows / calls:.1f} rows each so far"

    def summary(self) -> list[dict[str, Any]]:
        """Return a line for each kind that was used."""
        return [
            {"arm": kind, "name": NAMES[kind], "requests": calls, "finds": self._rows[kind]}
            for kind, calls in self._calls.items()
            if calls
        ]


class Prospect(Stateful):
    """`prospect`, the default of `filon enrich`: a call is worth the rows it is expected to cover.

    The value of a query is the sum over its rows of the chance to be present and not covered, times
    the reliability of its words, times E[min(1, k / N)], the part of its N matches that a page of k
    shows. Rows that 20 calls cover, of 54 that can be found, and what NAIVECRAWL covers with as
    many:

    >>> from filon.testing import ToyTable
    >>> from filon.verbs.enrich.strategies.smartcrawl import Naive
    >>> table = ToyTable.made()
    >>> for strategy in (Prospect, Naive):
    ...     print(sum(rows for _, rows in table.play(strategy(table.brief()), calls=20)))
    45
    18

    Reference: docs/prospect.md, it is our own. SMARTCRAWL takes N = |q(H)| from a sample (equation
    9); here it is regressed from the answers so far.
    """

    STATE = (
        version(VERSION, of="prospect"),
        stored("coverage", key="ground"),
        stored("_events", each(LIST)),
        "_again",
    )

    def __init__(self, brief: Brief) -> None:
        chosen = {**DEFAULTS, **brief.options}
        self._off = frozenset(name for name, value in chosen.items() if value == "off")
        self._brief = brief
        self.coverage = Coverage(brief)
        self.lexicon = Lexicon(brief.columns, brief.others)
        on = {part: part not in self._off for part in PARTS}
        self.reliability = Reliability(self.lexicon, columns=on["columns"], words=on["words"])
        self.presence = Presence(self.lexicon, likeness=on["likeness"], removal=on["removal"])
        self.row_values = RowValues(self.presence.chance)
        self.arms = Arms()
        self.news = News(self.lexicon, brief.provider.page_size)
        self.joins = brief.provider.joins
        self._hears = False  # how words are joined, as nobody has told
        self._covered = np.zeros(self.lexicon.size, dtype=bool)
        self._choices: dict[int, Choice] = {}  # in flight, by number
        self._unheld: list[int] = []  # of these, whose rows are not discounted yet
        self._again: list[int] = []  # failed in passing
        self._events: list[list[Any]] = []
        self._asked = self._answers = self._fitted = 0
        self._fit()
        if self.joins != "and":
            self.joint.prepare(self.row_values.weights)

    @cached_property
    def conjunctive(self) -> Conjunctive:
        """What is known of queries whose words must all be there: not needed where one will do."""
        page_size = self._brief.provider.page_size
        made = Conjunctive(self.lexicon, self.reliability, self.news, page_size, self._off)
        self.row_values.sums = made.shared
        made.shared.recount(self.row_values.weights)
        return made

    @cached_property
    def joint(self) -> Joint:
        """What is known of queries of which one word will do: not needed where all must be."""
        provider, alone = self._brief.provider, "joint" in self._off
        return Joint(
            self.lexicon, self.reliability, provider.page_size, provider.takes, alone=alone
        )

    # Choosing.

    def propose(self) -> Step | None:
        """Return the call that is expected to cover the most rows."""
        if self._again:
            number = self._again.pop(0)
            return self._ask(number, self._choices[number], "it failed in passing")
        if len(self._choices) >= max(1, AHEAD * self._answers):
            return None  # how the service joins words, for one, is told by the first answer
        if self._unheld:
            self._hold()
            self._events.append(["hold"])
        while (choice := self._best()) and choice.expected >= self._least:
            number = self._note_choice(choice)
            self._events.append(["ask", choice.pack()])
            if step := self._ask(number, choice, ""):
                return step
            self._skip(number)
            self._events.append(["skip", number])
        return None

    @property
    def _least(self) -> float:
        """What a call must be expected to cover at least, given those in flight."""
        if not self._choices:
            return LEAST
        flying = [choice.expected for choice in self._choices.values()]
        return max(LEAST, WAITS * sum(flying) / len(flying))

    def _best(self) -> Choice | None:
        weights = self.row_values.weights
        if not self.joins:
            return self.joint.probe(weights)
        return self.joint.best(weights) if self.joins == "or" else self.conjunctive.best(weights)

    def _ask(self, number: int, choice: Choice, why: str) -> Step | None:
        text = self.news.text(choice.words)
        return self.coverage.ask(number, text, self._reason(choice, why), choice.page)

    def _reason(self, choice: Choice, why: str) -> Reason:
        open_rows = int((~self._covered[self._about(choice)]).sum())
        text = why or self.arms.say(choice, self.news.text(choice.words), open_rows)
        return Reason(
            kind="query",
            score=choice.expected,
            expected=choice.expected,
            text=text,
            outlook=self._outlook(),
        )

    def _outlook(self) -> str:
        findable = float(self.row_values.weights.sum())
        if self._brief.calls is None:
            return f"about {findable:.0f} rows more can be found"
        left = max(self._brief.calls - self._answers, 0)
        reach = min(findable, left * self.arms.lately)
        return f"about {reach:.0f} rows more with the calls left, of {findable:.0f} to be found"

    # Learning.

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Cover rows, and learn what the answer says of words, sizes and rows."""
        outcome = self.coverage.observe(step, response)
        number = int(outcome.tag)
        if outcome.again:
            self._again.append(number)
        elif outcome.answer.problem:
            self._note_failure(number)
            self._events.append(["drop", number])
        else:
            lesson = self._lesson(self._choices[number], outcome)
            self._events.append(["answer", number, [*lesson[:-1], list(lesson.tidings)]])
            self._learn(number, lesson)
        return outcome.finds

    def _lesson(self, choice: Choice, outcome: Outcome) -> Lesson:
        """Reduce an answer to what is learnt from it."""
        answer = outcome.answer
        held = [self.lexicon.among(_text(record)) for record in answer.records]
        kept: dict[int, dict[int, None]] = {}
        for rows, words in zip(outcome.matched, held, strict=True):
            for row in rows:
                kept.setdefault(int(row), {}).update(dict.fromkeys(words))
        strange = self.reliability.strange
        mine = {row: set(self.lexicon.of(row).tolist()) for row in kept}
        return Lesson(
            total=-1 if answer.total is None else answer.total,
            shown=len(answer.records),
            more=answer.more,
            rows=list(kept),
            kept=[[word for word in words if word in mine[row]] for row, words in kept.items()],
            weakest=self._weakest(choice, held) if choice.kind == "joint" else 0.0,
            met=list(dict.fromkeys(word for words in held for word in words if strange[word])),
            tidings=self._tidings(choice, outcome),
        )

    def _tidings(self, choice: Choice, outcome: Outcome) -> Tidings:
        if self.joins != "and" or "news" in self._off:
            return Tidings()
        records, matched = outcome.answer.records, outcome.matched
        return self.news.read(choice.words, records, matched, self._covered)

    def _weakest(self, choice: Choice, held: list[list[int]]) -> float:
        asked = frozenset(choice.words)
        marks = [self.joint.weight([word for word in words if word in asked]) for words in held]
        return min(marks, default=0.0)

    def _learn(self, number: int, lesson: Lesson) -> None:
        choice = self._choices.pop(number)
        self._unheld = [waiting for waiting in self._unheld if waiting != number]
        self._answers += 1
        new = [row for row in lesson.rows if not self._covered[row]]
        self.arms.note(choice, len(new))
        self._tell_joins(choice, lesson)
        about = self._about(choice)
        # What was expected of it is to be seen without its own discount.
        self.row_values.update(self.row_values.release(number), self.presence.chance, self._covered)
        doubted = about[self.presence.doubted(about)]
        weighed = float(self.row_values.weights[doubted].sum()) * choice.found
        back = float(np.isin(doubted, np.array(new, dtype=np.int64)).sum())
        self.presence.weigh(weighed, back)
        asked = choice.words if self.joins == "and" else ()
        self.reliability.note(lesson.rows, lesson.kept, asked)
        self.reliability.meet(lesson.met)
        if self.joins == "and":
            left = float(self.row_values.weights.sum())
            self.news.learn(choice.words, lesson.tidings, lesson.shown, lesson.total, left)
            self.conjunctive.meet(new, lesson)
            if self.conjunctive.compare(choice, len(new)):
                self._fitted = -self._every
        self._covered[new] = True
        if choice.by_rows:
            if self.joins == "or":
                self.joint.learn(choice, lesson, self.presence)
        else:
            self.conjunctive.learn(choice, lesson, self.presence, self.row_values)
        self._settle([about, np.array(new, dtype=np.int64)])

    def _settle(self, touched: list[Any]) -> None:
        """Weigh anew what an answer touched, or everything when it is time."""
        if self._answers - self._fitted >= self._every:
            self._fit()
        else:
            rows = np.unique(np.concatenate(touched).astype(np.int64))
            self.row_values.update(rows, self.presence.chance, self._covered)
        if self.joins == "or":
            self.joint.prepare(self.row_values.weights)

    @property
    def _every(self) -> int:
        """After how many answers it is time to rate everything anew."""
        rarely = max(RARELY, self.lexicon.size // ROWS_A_FIT)
        some = min(self.lexicon.size // LARGEST, self._answers // 4)
        return max(1, some, min(rarely, self._answers // 10))

    def _about(self, choice: Choice) -> Any:
        """Return the rows that an answer says something about."""
        if choice.by_rows:
            return np.array(choice.rows, dtype=np.int64)
        if self.news.foreign(choice.words):
            return np.zeros(0, dtype=np.int64)
        return self.lexicon.holding(choice.words)

    def _tell_joins(self, choice: Choice, lesson: Lesson) -> None:
        """Hear from the answer to a probe how the service joins words.

        Words that it does not know may count for nothing. Then a probe of rows that are absent,
        but for one, is answered; a query for more rows is not, as it would be where any word does.
        """
        self._hears = self._hears or not self.joins
        heard = "or" if lesson.shown else "and"
        if self._hears and choice.kind == "joint" and self.joins not in ("and", heard):
            self.joins = heard
            self._fitted = -self._every  # all is to be rated anew

    def _fit(self) -> None:
        self._fitted = self._answers
        self.reliability.fit()
        if self.joins == "and":
            self.conjunctive.correct(self.presence)
        self.presence.fit(self._covered)
        self.row_values.renew(self.presence.chance, self._covered)
        if self.joins == "or":
            self.joint.fit()
        elif self.joins:
            self.conjunctive.fit(self.row_values.weights, self.presence.believed)

    def _note_choice(self, choice: Choice) -> int:
        self._asked += 1
        self._choices[self._asked] = choice
        self._unheld.append(self._asked)
        (self.joint if choice.by_rows else self.conjunctive).ask(choice)
        return self._asked

    def _note_failure(self, number: int) -> None:
        self._choices.pop(number)
        self._unheld = [waiting for waiting in self._unheld if waiting != number]
        self.row_values.release(number)

    def _skip(self, number: int) -> None:
        """Pass over a choice that the service does not take, or that is in flight already."""
        choice = self._choices[number]
        self._note_failure(number)
        if choice.kind == "joint":
            self.joint.give_up(choice)

    def _hold(self) -> None:
        """Discount the rows of calls in flight."""
        for number in self._unheld:
            choice = self._choices[number]
            rows = self.row_values.hold(number, self._about(choice), choice.found)
            self.row_values.update(rows, self.presence.chance, self._covered)
        self._unheld.clear()

    # Keeping.

    def restored(self) -> None:
        """Learn the same again, call by call."""
        events, again = self._events, self._again
        self._events = []
        for event in events:
            self._replay(event)
        self._again = again

    def _replay(self, event: list[Any]) -> None:
        name, *values = event
        if name == "hold":
            self._hold()
        elif name == "ask":
            self._note_choice(Choice.unpack(values[0]))
        elif name == "drop":
            self._note_failure(values[0])
        elif name == "skip":
            self._skip(values[0])
        else:
            self._learn(values[0], Lesson.unpack(values[1]))
        self._events.append(list(event))

    def fates(self) -> dict[int, str]:
        """Say of each row that is not covered whether it is "absent" or "unreached"."""
        looked = self.presence.lost < 0
        absent = looked & (self.presence.chance < ABSENT)
        left = np.flatnonzero(~self._covered).tolist()
        return {row: "absent" if absent[row] else "unreached" for row in left}

    def summary(self) -> Summary:
        """Say which kinds of queries paid, what became of the rows, and what was learnt."""
        fates = list(self.fates().values())
        return {
            **self.coverage.summary(),
            "arms": self.arms.summary(),
            "absent": fates.count("absent"),
            "unreached": fates.count("unreached"),
            "joins": self.joins,
            "present": round(self.presence.believed, 3),
            "columns": self.reliability.columns,
            "stopped": "",
        }


def _text(record: Record) -> str:
    return " ".join(_values(record.fields.values()))


def _values(values: Iterable[str]) -> list[str]:
    return [value for value in values if value]
