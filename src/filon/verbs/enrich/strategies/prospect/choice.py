"""What may be asked next, and what came of it: plain data that the run's state is made of."""

from typing import Any, NamedTuple

from filon.verbs.enrich.strategies.prospect.lexicon import Query


class Choice(NamedTuple):
    """A call that may be made: the first page of a query's results, or a further one.

    kind: "word", "pair", "page", "row" or "joint".
    page, before: what to ask the service for, and how many results came on pages before it.
    rows: those that a query for single rows is about; else it is about all that hold its words.
    found: the chance that a row it is about is on the page, if it is present.
    size: how many results the query is expected to have.
    expected: how many rows the call is expected to cover.
    """

    kind: str
    words: Query
    page: str = ""
    before: int = 0
    rows: tuple[int, ...] = ()
    found: float = 0.0
    size: float = 0.0
    expected: float = 0.0

    def pack(self) -> list[Any]:
        """Return plain data."""
        return [list(part) if isinstance(part, tuple) else part for part in self]

    @classmethod
    def unpack(cls, data: list[Any]) -> "Choice":
        """Return the choice that was packed."""
        kind, words, page, before, rows, found, size, expected = data
        return cls(kind, tuple(words), page, before, tuple(rows), found, size, expected)


class Lesson(NamedTuple):
    """What an answer teaches.

    total: how many records match, where the service says so; else -1.
    shown: how many were on the page. more: what to ask for the next page.
    rows: those that its records match. kept: for each, its words that the record holds too.
    weakest: the least weight, in words of the query, that a record on the page had.
    """

    total: int
    shown: int
    more: str
    rows: list[int]
    kept: list[list[int]]
    weakest: float
