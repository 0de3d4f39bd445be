"""What pages bring beside the rows that hold their words.

A record often is a row's although the row lacks the word that brought it: the word stood in a
summary, a date, a job. So a page is worth more than the rows that hold its query: the records on it
that are new, times the rows that a new record brings beside. How many that are is counted, over
all and for each word by the records that hold it, in parts of what can still be found, which
becomes less. And a word that stands in records only may be asked for like any other.

How many records hold a word that was not asked for is told by those that were met: of the records
that hold words which were, as many were met before as of all others.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.core import Record
from filon.page.words import keywords
from filon.verbs.enrich.strategies.lexicon import WIDEST, Floats, Lexicon, Query

#: Records of which words are kept. Later ones count, but teach no new words.
MOST_RECORDS = 50_000
#: How many pages weigh as much as what is usual.
PAGES = 2.0
#: Words in fewer records are not asked for by themselves.
LEAST_MET = 2
#: How many times as large as the table all records are believed to be, to begin with.
TIMES = 10.0


class Tidings(NamedTuple):
    """What is new in an answer; plain data.

    records: hashes of the records that were not met before.
    words: of their words, those of the table by number.
    counts: in how many of the records each stands.
    gains: how many rows such records brought that lack the word.
    beside: how many rows the answer brought that lack a word of its query.
    """

    records: Sequence[int] = ()
    words: Sequence[int | str] = ()
    counts: Sequence[int] = ()
    gains: Sequence[int] = ()
    beside: int = 0


class News:
    """Counts records and rows by word and by query."""

    def __init__(self, lexicon: Lexicon, page_size: int) -> None:
        self._lexicon, self._page_size = lexicon, page_size
        self._first = len(lexicon.words)
        self._id: dict[str, int] = {}
        self._words: list[str] = []
        self._known: set[int] = set()
        self._met = np.zeros(self._first)
        self._apart = np.zeros(self._first)
        self._gains = np.zeros(self._first)
        self._asked = np.zeros(self._first, dtype=bool)
        self._records = self._first_records = self._first_gains = 0.0
        self._before, self._among = 1.0, TIMES * max(lexicon.size, 1)
        self._queries: dict[Query, tuple[float, float, float]] = {}

    # Reading.

    def read(
        self,
        query: Query,
        records: Sequence[Record],
        matched: Sequence[Sequence[int]],
        covered: NDArray[np.bool_],
    ) -> Tidings:
        """Return what is new in an answer."""
        fresh: list[int] = []
        counts: dict[int | str, list[int]] = {}
        beside: set[int] = set()
        asked = {self.word(number) for number in query}
        for record, rows in zip(records, matched, strict=True):
            new = [row for row in rows if not covered[row]]
            mine = {row: {self._lexicon.words[at] for at in self._lexicon.of(row)} for row in new}
            # Rows that the query was for say nothing of what other records bring.
            lacking = {row: own for row, own in mine.items() if not asked <= own}
            beside.update(lacking)
            digest = hashlib.blake2b(record.id.encode("utf-8", "replace"), digest_size=6).digest()
            if (number := int.from_bytes(digest)) in self._known or number in fresh:
                continue
            fresh.append(number)
            for word in keywords(" ".join(record.fields.values()))[:WIDEST]:
                count = counts.setdefault(self._lexicon.id.get(word, word), [0, 0])
                count[0] += 1
                count[1] += sum(word not in own for own in lacking.values())
        if len(self._known) >= MOST_RECORDS:
            fresh, counts = [], {}
        pairs = counts.values()
        return Tidings(
            fresh, list(counts), [one for one, _ in pairs], [two for _, two in pairs], len(beside)
        )

    def word(self, number: int) -> str:
        """Return a word by its number."""
        own = number < self._first
        return self._lexicon.words[number] if own else self._words[number - self._first]

    def text(self, query: Query) -> str:
        """Return the keywords of a query."""
        return " ".join(self.word(number) for number in query)

    def foreign(self, query: Query) -> bool:
        """Tell whether a query has words that the table lacks."""
        return any(number >= self._first for number in query)

    # Learning.

    def ask(self, query: Query) -> None:
        """Take note that a query is asked."""
        if len(query) == 1:
            self._asked[query[0]] = True

    def learn(self, query: Query, tidings: Tidings, shown: int, total: int, left: float) -> None:
        """Learn from an answer; left: how many rows can still be found."""
        if len(query) == 1 and total > 0 and query not in self._queries:
            self._before += float(self._apart[query[0]])
            self._among += total * self._records
        gain = tidings.beside / max(left, 1.0)
        fresh = float(len(tidings.records))
        old = self._queries.get(query)
        if old is None:  # further pages are asked for where much came
            self._first_records += fresh
            self._first_gains += gain
        old = old or (0.0, 0.0, 0.0)
        self._queries[query] = old[0] + shown, old[1] + fresh, old[2] + gain
        numbers = [self._number(word) for word in tidings.words]
        self._met[numbers] += tidings.counts
        others = [number not in query for number in numbers]
        self._apart[numbers] += np.array(tidings.counts) * others
        self._gains[numbers] += np.array(tidings.gains) / max(left, 1.0)
        self._known.update(tidings.records)
        self._records += fresh

    def _number(self, word: int | str) -> int:
        if isinstance(word, int):
            return word
        number = self._id.setdefault(word, self._first + len(self._words))
        if number == self._first + len(self._words):
            self._words.append(word)
            if number >= len(self._met):
                more = max(1024, len(self._met))
                self._met = np.concatenate([self._met, np.zeros(more)])
                self._apart = np.concatenate([self._apart, np.zeros(more)])
                self._gains = np.concatenate([self._gains, np.zeros(more)])
                self._asked = np.concatenate([self._asked, np.zeros(more, dtype=bool)])
        return number

    # Rating.

    @property
    def part(self) -> float:
        """The part of all records that was met."""
        return min(self._before * self._records / self._among, 0.95)

    @property
    def usual(self) -> float:
        """The rows that a new record brings beside, in parts of those that are left."""
        return self._first_gains / (self._first_records + PAGES * self._page_size)

    def beside(self, words: NDArray[np.integer], sizes: Floats, left: float) -> Floats:
        """Return what first pages bring beside, of queries of one word of the table.

        words: -1 where a query has two. sizes: how many records each is expected to have.
        """
        single = np.maximum(words, 0)
        met = np.where(words >= 0, self._met[single], self.part * sizes)
        rate = np.where(words >= 0, self._rates(single), self.usual)
        new = np.minimum(self._page_size, sizes) * (1 - np.minimum(met / np.maximum(sizes, 1), 1))
        gains: Floats = new * rate * left
        return gains

    def of_page(self, query: Query, results: float, left: float) -> float:
        """Return what the next page of a query brings beside; results: how many are left."""
        shown, fresh, gains = self._queries.get(query, (0.0, 0.0, 0.0))
        news = (fresh + 1) / (shown + 1)
        rate = (gains + self._page_size * self.usual) / (fresh + self._page_size)
        return min(self._page_size, results) * news * rate * left

    def best(self, left: float, closed: NDArray[np.bool_]) -> tuple[int, float, float]:
        """Return the word of records that is worth most, its size, and what it is worth.

        closed: words of the table that compete elsewhere.
        """
        size = self._first + len(self._words)
        met = self._met[:size]
        open_words = (met >= LEAST_MET) & ~self._asked[:size]
        open_words[: self._first] &= ~closed
        some = np.flatnonzero(open_words)
        if not len(some) or not self.part:
            return -1, 0.0, 0.0
        sizes = met[some] / self.part
        values = np.minimum(self._page_size, sizes) * (1 - self.part) * self._rates(some) * left
        best = int(values.argmax())
        return int(some[best]), float(sizes[best]), float(values[best])

    def _rates(self, words: NDArray[np.integer]) -> Floats:
        before = PAGES * self._page_size
        rates: Floats = (self._gains[words] + before * self.usual) / (self._met[words] + before)
        return rates
