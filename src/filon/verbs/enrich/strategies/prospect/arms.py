"""What each kind of query brought so far, in numbers and in words."""

from collections import deque
from typing import Any

from filon.verbs.enrich.strategies.prospect.choice import Choice

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
