"""Choosing where a record must hold all words of a query.

Words and pairs that rows share, further pages, and queries for single rows compete by the number
of rows that a call is expected to cover. A further page of a query whose first page is not all is
an arm like any other, and costs as much. A query for one row is made of two of its words that are
rare and reliable: two words that no other row holds together match few records, and survive errors
that a query of the whole row does not.
"""

import math
from collections.abc import Callable, Container, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.verbs.enrich.strategies.lexicon import Floats, Lexicon, Query
from filon.verbs.enrich.strategies.prospect.shared import (
    Pairs,
    Seen,
    Shared,
    Sizes,
    features,
    share_shown,
)
from filon.verbs.enrich.strategies.prospect.value import (
    Choice,
    Lesson,
    Presence,
    Reliability,
    Rows,
    RowValues,
)

#: More queries than that are not kept open: those worth least go.
MOST = 1000


class Page(NamedTuple):
    """The next page of a query: what to ask for, what came before, and what may come.

    rows: those that hold the query and were not on the pages before.
    hits: how many of its rows were.
    """

    more: str
    before: int
    size: float
    rows: NDArray[np.integer]
    hits: int = 0


def still(reliable: float, before: int, size: float) -> float:
    """Return the chance that a row matches a query at all, after pages that it was not on.

    >>> round(still(0.8, 0, 100), 2), round(still(0.8, 75, 100), 2)
    (0.8, 0.5)
    """
    unseen = reliable * max(size - before, 0.0) / max(size, 1.0)
    return unseen / (1 - reliable + unseen) if unseen else 0.0


class Pages:
    """The next page of each query that has one.

    Values are kept and only fall between two fits, nearly: so it is enough to look at the highest
    again until one stays the highest.
    """

    def __init__(self, page_size: int) -> None:
        self._page_size = page_size
        self._next: dict[Query, Page] = {}
        self._values: dict[Query, float] = {}

    def put(self, query: Query, page: Page) -> None:
        """Offer the next page of a query."""
        self._next[query] = page
        self._values[query] = float(len(page.rows)) * self.share(page)
        if len(self._next) > MOST:
            self.close(min(self._values, key=self._values.__getitem__))

    def close(self, query: Query) -> Page | None:
        """Offer no further page of a query; return what was offered."""
        self._values.pop(query, None)
        return self._next.pop(query, None)

    def share(self, page: Page) -> float:
        """Return the part of the results left that a page shows."""
        return min(1.0, self._page_size / max(page.size - page.before, 1.0))

    def fit(self, weights: Floats, reliable: Callable[[Query], float]) -> None:
        """Something was learnt: look at all of them again."""
        for query in self._next:
            self._look(query, weights, reliable)

    def best(
        self, weights: Floats, reliable: Callable[[Query], float]
    ) -> tuple[Query, Page | None, float]:
        """Return the query whose next page is worth most, that page, and its value."""
        looked: set[Query] = set()
        while self._values:
            query = max(self._values, key=self._values.__getitem__)
            if query in looked:
                return query, self._next[query], self._values[query]
            looked.add(query)
            self._look(query, weights, reliable)
        return (), None, 0.0

    def _look(self, query: Query, weights: Floats, reliable: Callable[[Query], float]) -> None:
        page = self._next[query]
        left = float(weights[page.rows].sum()) * self.share(page)
        self._values[query] = left * still(reliable(query), page.before, page.size)


#: The words of a row that are tried against each other.
WORDS = 6
#: How much being rare counts against being reliable when these are chosen.
RARE = 0.15
#: Rows that are compared: those most likely present.
ROWS = 12
NEARLY = 0.97


class Singly:
    """The best query of each row, as long as nothing new was learnt."""

    def __init__(self, lexicon: Lexicon, page_size: int) -> None:
        self._lexicon, self._page_size = lexicon, page_size
        self._kept: dict[int, tuple[Query, float]] = {}

    def forget(self) -> None:
        """Something was learnt: choose anew."""
        self._kept.clear()

    def best(
        self, weights: Floats, sizes: Sizes, reliability: Reliability, asked: Container[Query]
    ) -> tuple[int, Query, float]:
        """Return the row that is worth a call most, its query, and the chance to be shown."""
        top = float(weights.max()) if len(weights) else 0.0
        best: tuple[int, Query, float] = (-1, (), 0.0)
        value = 0.0
        for row in np.flatnonzero(weights >= NEARLY * top)[:ROWS] if top > 0 else ():
            query, found = self._of(int(row), sizes, reliability, asked)
            if weights[row] * found > value:
                best, value = (int(row), query, found), float(weights[row] * found)
        return best

    def _of(
        self, row: int, sizes: Sizes, reliability: Reliability, asked: Container[Query]
    ) -> tuple[Query, float]:
        if row not in self._kept or self._kept[row][0] in asked:
            self._kept[row] = self._choose(row, sizes, reliability, asked)
        return self._kept[row]

    def _choose(
        self, row: int, sizes: Sizes, reliability: Reliability, asked: Container[Query]
    ) -> tuple[Query, float]:
        words = self._lexicon.of(row).astype(np.int64)
        rare = reliability.logs[words] - RARE * np.log(self._lexicon.frequency[words])
        words = np.sort(words[np.argsort(-rare, kind="stable")][:WORDS])
        if len(words) < 2:
            query = tuple(words.tolist())
            found = 0.0 if query in asked else math.exp(reliability.logs[words].sum())
            return (query, found) if query and found else ((), 0.0)
        left, right = (words[side] for side in np.triu_indices(len(words), 1))
        chances = self._found(left, right, sizes, reliability)
        for place in np.argsort(-chances, kind="stable"):
            query = int(left[place]), int(right[place])
            if query not in asked:
                return query, float(chances[place])
        return (), 0.0

    def _found(
        self,
        left: np.ndarray[tuple[int], np.dtype[np.int64]],
        right: np.ndarray[tuple[int], np.dtype[np.int64]],
        sizes: Sizes,
        reliability: Reliability,
    ) -> Floats:
        lexicon = self._lexicon
        beside = (lexicon.beside(left, right) > 0).astype(np.float64)
        chance = lexicon.frequency[left] * lexicon.frequency[right] / lexicon.size
        one = np.ones(len(left))
        columns = lexicon.standing(left, right)
        lines = features(one, chance, 2 * one, beside, lexicon.alike(left, right), columns)
        logs = sizes.predict(lines)
        share = share_shown(logs, sizes.spread, self._page_size)
        found: Floats = share * np.exp(reliability.logs[left] + reliability.logs[right])
        return found


KINDS = ("page", "row")
#: The variance of a log size that is estimated from rows, beyond that of chance: ranks cluster.
EXTRA = 0.3
#: That of a total, where a page's rows say something else: what counts is how many of the rows a
#: page shows, and those come first or last as the service ranks.
OF_TOTAL = 1.0


class Conjunctive:
    """Knows the queries, their sizes and pages."""

    def __init__(
        self, lexicon: Lexicon, reliability: Reliability, page_size: int, off: Set[str]
    ) -> None:
        self._lexicon, self._reliability = lexicon, reliability
        self._page_size, self._off = page_size, off
        self.pairs = pairs = Pairs(lexicon)
        near = 0.0 if "near" in off else 1.0
        words = np.where(pairs.second < 0, 1.0, 2.0)
        columns = lexicon.standing(pairs.first, pairs.second)
        lines = features(
            pairs.rows, pairs.chance, words, near * pairs.near, near * pairs.same, columns
        )
        self._lines = lines.astype(np.float32)  # a table of millions
        self.sizes = Sizes(len(lexicon.columns))
        self.shared = Shared(pairs, page_size)
        self._log_rows = np.log(np.maximum(pairs.rows, 1.0))
        self.pages = Pages(page_size)
        self._singly = Singly(lexicon, page_size)
        self._asked: set[Query] = set()
        self._hits: dict[Query, int] = {}  # of pages that were asked for: hits before

    # Choosing.

    def best(self, weights: Floats) -> Choice | None:
        """Return the call that is expected to cover the most rows."""
        best = self._shared()
        if "page" not in self._off:
            best = _better(best, self._page(weights))
        # A single row is worth one at most.
        if "row" not in self._off and not (best and best.expected >= 1):
            best = _better(best, self._row(weights))
        return best

    def _shared(self) -> Choice | None:
        number, value = self.shared.best()
        if number < 0:
            return None
        first, second = int(self.pairs.first[number]), int(self.pairs.second[number])
        size, found = math.exp(self.shared.logs[number]), self.shared.found(number)
        if second < 0:
            return Choice("word", (first,), found=found, size=size, expected=value)
        return Choice("pair", (first, second), found=found, size=size, expected=value)

    def _page(self, weights: Floats) -> Choice | None:
        query, page, value = self.pages.best(weights, self._reliability.of)
        if not page:
            return None
        found = still(self._reliability.of(query), page.before, page.size) * self.pages.share(page)
        return Choice("page", query, page.more, page.before, (), found, page.size, value)

    def _row(self, weights: Floats) -> Choice | None:
        row, query, found = self._singly.best(weights, self.sizes, self._reliability, self._asked)
        if not query:
            return None
        value = float(weights[row]) * found
        return Choice("row", query, "", 0, (row,), found, 1.0, value)

    # Learning.

    def ask(self, choice: Choice) -> None:
        """Take note that a call is made: it is not offered again."""
        query = choice.words
        if choice.kind == "page":
            page = self.pages.close(query)
            self._hits[query] = page.hits if page else 0
            return
        self._asked.add(query)
        self.shared.close(self.pairs.number(query))

    def learn(
        self, choice: Choice, lesson: Lesson, presence: Presence, row_values: RowValues
    ) -> None:
        """Learn from an answer, and open what follows from it."""
        query, rows = choice.words, self._lexicon.holding(choice.words)
        shown = choice.before + lesson.shown
        hit = np.isin(rows, lesson.rows)
        hits = int(hit.sum()) + self._hits.pop(query, 0)
        missed = rows[~hit]
        seen = self._seen(query, missed, lesson, presence, shown, hits)
        line = self._line(query, len(rows))
        if seen and not choice.before:
            self.sizes.note(line, seen)
        if not seen:
            self._reliability.blame(query)
        size = math.exp(self.sizes.guess(line, seen)) if seen else 0.0
        left = max(size - choice.before, 1)
        matches = still(self._reliability.of(query), choice.before, size)
        presence.miss(missed, matches * min(1.0, lesson.shown / left))
        if lesson.more:
            open_rows = missed[row_values.weights[missed] > 0]
            self.pages.put(query, Page(lesson.more, shown, max(size, shown + 1), open_rows, hits))

    def _seen(
        self, query: Query, missed: Rows, lesson: Lesson, presence: Presence, shown: int, hits: int
    ) -> Seen | None:
        """Return what an answer says of the query's size; None where nothing matched.

        Where only a part was shown and no total is told, the part of the query's rows that was
        among them says how large a part that was: they are marked, like fish that are caught again.
        """
        size = max(lesson.total, shown)
        if not lesson.more:
            return Seen(math.log(size)) if size else None
        marked = hits + float(presence.chance[missed].sum()) * self._reliability.of(query)
        least = math.log(shown + 1)
        if lesson.total > 0 and not hits:
            return Seen(math.log(size))
        if not hits:
            return Seen(least, math.inf, max(least, math.log(max(shown * marked, 1.0))))
        log, doubt = math.log(shown * marked / hits), 1 / hits + EXTRA
        if lesson.total > 0:
            trust = doubt / (doubt + OF_TOTAL)
            log, doubt = trust * math.log(size) + (1 - trust) * log, trust * OF_TOTAL
        return Seen(log, doubt, least)

    def _line(self, query: Query, rows: int) -> Floats:
        """Return what the regression sees of a query of one or two words."""
        lexicon, one = self._lexicon, np.ones(1)
        first, second = np.array(query[:1]), np.array(query[1:2] or (-1,))
        chance = float((lexicon.frequency[list(query)] / lexicon.size).prod()) * lexicon.size
        near, same = np.zeros(1), np.zeros(1)
        if len(query) == 2 and "near" not in self._off:
            near = np.minimum(lexicon.beside(first, second) / max(rows, 1), 1.0)
            same = lexicon.alike(first, second)
        columns = lexicon.standing(first, second)
        size = rows * one, chance * one, len(query) * one
        line: Floats = features(*size, near, same, columns)[0]
        return line

    def fit(self, weights: Floats, believed: float) -> None:
        """Rate everything by what was learnt; believed: the part of rows that are present."""
        self.sizes.fit()
        logs = self.sizes.predict(self._lines)
        # There are at least as many results as rows that are there.
        logs = np.maximum(logs, self._log_rows + math.log(believed))
        self.shared.rate(self._reliability.logs, logs, self.sizes.spread)
        self.pages.fit(weights, self._reliability.of)
        self._singly.forget()


def _better(one: Choice | None, other: Choice | None) -> Choice | None:
    if not one or not other:
        return one or other
    return other if other.expected > one.expected else one
