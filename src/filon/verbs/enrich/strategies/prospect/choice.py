"""What may be asked next, what came of it, and what each kind of query brought so far.

Choices and lessons are plain data that the run's state is made of.
"""

from collections import deque
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


#: What a kind is called, after "such": and what is said of its rows.
NAMES = {
    "word": "words that rows share",
    "pair": "pairs of words that rows share",
    "page": "further pages",
    "row": "words of a single row",
    "joint": "words of several rows together",
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
