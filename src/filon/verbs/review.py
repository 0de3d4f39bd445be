"""A review of a run: what only a person can tell, asked one by one, on a terminal or a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A question as plain data, for whoever lays it out.

    key: tells it from the other questions of the review. kind: what is asked, in a word.
    facts: names and what is to be said of each. sides: name, what is the user's, what was found.
    url: where a person may look for more.
    """

    key: str
    kind: str
    facts: Sequence[tuple[str, str]] = ()
    sides: Sequence[tuple[str, str, str]] = ()
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where something stands by all answers so far.

    said: "accepted", "rejected", "skipped"; "" where nobody was asked.
    """

    key: str
    name: str
    note: str = ""
    score: float = 0.0
    said: str = ""


class Question(Protocol):
    """Something that only a person can tell, in a review."""

    def shown(self, number: int) -> str:
        """Return the question as lines for a terminal; number: which one of the session it is."""

    def told(self) -> Shown:
        """Return the question as plain data."""


class Review(Protocol):
    """A review of a run: what is answered is kept at once, and used at the end.

    answers: how many were given. done: what `end` did, as "the table is filled".
    """

    @property
    def answers(self) -> int:
        """How many questions were answered in this session."""

    @property
    def done(self) -> str:
        """What was done at the end, in words."""

    def next(self) -> Question | None:
        """Return the next question; None when there is nothing more to ask."""

    def answer(self, question: Any, good: bool | None, /) -> None:
        """Take an answer and keep it: yes, no, or None where the person cannot tell."""

    def undo(self) -> bool:
        """Take the last answer back, of this session or an earlier one; False: there is none.

        What it was about is asked again.
        """

    def standings(self, most: int) -> Sequence[Standing]:
        """Return the first of what is reviewed, in the order that follows from the answers."""

    def end(self) -> None:
        """Write what follows from the answers."""
