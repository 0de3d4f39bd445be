"""The questions that one arm has left, the most promising first."""

from dataclasses import asdict, dataclass, field
from typing import Any

from filon.core.service import Searcher

#: Questions that an arm keeps; the least promising are dropped.
MOST_QUESTIONS = 2_000
#: A page of results is worth less than the one before it: the best come first.
FURTHER, MOST_PROMISE = 0.8, 1.5
#: How much the last first page counts in what they promise: new questions bring less and less.
LATELY = 0.2
#: Pages in a row without results after which no more is asked for.
MOST_EMPTY = 3


@dataclass(slots=True)
class Question:
    """Something to ask.

    cursor: which page of the results; "" for the first. got: results so far.
    empty: pages in a row that had none.
    """

    promise: float
    number: int
    query: str
    parent: str = ""
    cursor: str = ""
    got: int = 0
    empty: int = 0


@dataclass(slots=True)
class Arm:
    """An operator and who serves it.

    mean, firsts: what the first pages of results promised lately, and how many there were.
    """

    operator: str
    searcher: Searcher
    questions: list[Question] = field(default_factory=list)
    mean: float = 0.0
    firsts: int = 0

    @property
    def has_new(self) -> bool:
        """A question is left that was not asked at all."""
        return any(not question.cursor for question in self.questions)

    def put(self, question: Question) -> None:
        """Keep a question."""
        if question.empty >= MOST_EMPTY:
            return
        self.questions.append(question)
        if len(self.questions) > MOST_QUESTIONS:
            self.questions.sort(key=lambda one: (-one.promise, one.number))
            del self.questions[MOST_QUESTIONS // 2 :]

    def take(self) -> Question:
        """Return the question that promises most, the oldest among equals."""
        best = min(self.questions, key=lambda one: (-one.promise, one.number))
        self.questions.remove(best)
        return best

    def further(self, gain: float) -> float:
        """Return what the page after one that promises so much is worth."""
        return min(MOST_PROMISE, FURTHER * gain / max(0.05, self.mean))

    def first(self, gain: float) -> None:
        """Take note of what a first page promises."""
        self.firsts += 1
        self.mean += (gain - self.mean) * max(1 / self.firsts, LATELY)

    def state(self) -> list[Any]:
        """Return plain data."""
        # By hand: it is a list.
        return [[asdict(one) for one in self.questions], self.mean, self.firsts]

    def restore(self, state: list[Any]) -> None:
        """Go on from there."""
        self.questions = [Question(**told) for told in state[0]]
        self.mean, self.firsts = state[1:]
