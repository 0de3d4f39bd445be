"""Choosing where a record must hold all words of a query.

Words and pairs that rows share, refinements of those that matched too much, further pages, and
queries for single rows compete by the number of rows that a call is expected to cover.
"""

import math
from collections.abc import Set

import numpy as np

from filon.strategies.enrich.prospect.choice import Choice, Lesson
from filon.strategies.enrich.prospect.crawled import Crawled
from filon.strategies.enrich.prospect.lexicon import Floats, Lexicon, Query
from filon.strategies.enrich.prospect.pages import Page, Pages, still
from filon.strategies.enrich.prospect.presence import Presence
from filon.strategies.enrich.prospect.refined import Refined
from filon.strategies.enrich.prospect.reliability import Reliability
from filon.strategies.enrich.prospect.shared import Shared
from filon.strategies.enrich.prospect.singly import Singly
from filon.strategies.enrich.prospect.sizes import Seen, Sizes, features, share_shown
from filon.strategies.enrich.prospect.stakes import Rows, Stakes

#: Where nothing tells how many results are left, there are as many as were shown.
DOUBLE = 2.0
KINDS = ("refined", "page", "row")


class Conjunctive:
    """Knows the queries, their sizes and pages."""

    def __init__(
        self, lexicon: Lexicon, reliability: Reliability, page_size: int, off: Set[str]
    ) -> None:
        self._lexicon, self._reliability = lexicon, reliability
        self._page_size, self._off = page_size, off
        near, same = lexicon.near, lexicon.same
        if "near" in off:
            near, same = np.zeros_like(near), np.zeros_like(same)
        words = np.where(lexicon.second < 0, 1.0, 2.0)
        columns = lexicon.standing(lexicon.first, lexicon.second)
        self._lines = features(lexicon.rows, lexicon.chance, words, near, same, columns)
        self.sizes = Sizes(len(lexicon.columns))
        self.crawled = Crawled(lexicon)
        self.shared = Shared(lexicon)
        self.refined = Refined(lexicon, page_size)
        self.pages = Pages(page_size)
        self._singly = Singly(lexicon, page_size)
        self._asked: set[Query] = set()

    # Choosing.

    def best(self, weights: Floats) -> Choice | None:
        """Return the call that is expected to cover the most rows."""
        offers = [self._shared(), *(self._offer(kind, weights) for kind in KINDS)]
        return max((offer for offer in offers if offer), key=_expected, default=None)

    def _offer(self, kind: str, weights: Floats) -> Choice | None:
        if kind in self._off:
            return None
        offer = {"refined": self._refinement, "page": self._page, "row": self._row}[kind]
        return offer(weights)

    def _shared(self) -> Choice | None:
        number, value = self.shared.best()
        if number < 0:
            return None
        first, second = int(self._lexicon.first[number]), int(self._lexicon.second[number])
        size, found = math.exp(self.shared.logs[number]), float(self.shared.found[number])
        if second < 0:
            return Choice("word", (first,), found=found, size=size, expected=value)
        return Choice("pair", (first, second), found=found, size=size, expected=value)

    def _refinement(self, weights: Floats) -> Choice | None:
        query, value, found, size = self.refined.best(
            weights, self._reliability.of, self.sizes.spread
        )
        return Choice("refined", query, found=found, size=size, expected=value) if query else None

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
            self.pages.close(query)
            return
        self._asked.add(query)
        self.shared.close(self._lexicon.number(query))
        self.refined.close(query)

    def about(self, choice: Choice) -> Rows:
        """Return the rows that an answer says something about."""
        return self._lexicon.holding(choice.words)

    def learn(self, choice: Choice, lesson: Lesson, presence: Presence, stakes: Stakes) -> None:
        """Learn from an answer, and open what follows from it."""
        query, rows = choice.words, self.about(choice)
        shown = choice.before + lesson.shown
        seen = self._seen(query, rows, lesson, presence, shown)
        line = self._line(query, len(rows))
        if seen and not choice.before:
            self._compare(query, seen)
            self.sizes.note(line, seen)
        if not seen:
            self._reliability.blame(query)
        if "crawled" not in self._off:
            for words in lesson.sample:
                self.crawled.note(words, query)
        size = math.exp(self.sizes.guess(line, seen)) if seen else 0.0
        if seen and not seen.known:
            size = max(size, DOUBLE * shown)
        missed = rows[~np.isin(rows, lesson.rows)]
        left = max(size - choice.before, 1)
        matches = still(self._reliability.of(query), choice.before, size)
        presence.miss(missed, matches * min(1.0, lesson.shown / left))
        if lesson.more:
            self._open(query, missed[stakes.weights[missed] > 0], lesson.more, shown, size)

    def _seen(
        self, query: Query, rows: Rows, lesson: Lesson, presence: Presence, shown: int
    ) -> Seen | None:
        """Return what an answer says of the query's size; None where nothing matched.

        Where only a part was shown and no total is told, the part of the query's rows that was
        among them says how large a part that was.
        """
        if lesson.total > 0 or not lesson.more:
            size = max(lesson.total, shown)
            return Seen(math.log(size), True) if size else None
        hit = np.isin(rows, lesson.rows)
        marked = float(presence.chance[rows[~hit]].sum()) * self._reliability.of(query) + hit.sum()
        hits = float(hit.sum())
        least = lesson.shown * marked / (hits + 1)
        return Seen(math.log(max(shown + 1, least)), False)

    def _open(self, query: Query, rows: Rows, more: str, shown: int, size: float) -> None:
        self.pages.put(query, Page(more, shown, max(size, shown + 1), rows))
        if shown <= self._page_size:
            self.refined.add(query, rows, size)

    def _compare(self, query: Query, seen: Seen) -> None:
        number = self._lexicon.number(query)
        if number >= 0 and seen.known:
            self.crawled.compare(number, math.exp(seen.log))

    def _line(self, query: Query, rows: int) -> Floats:
        """Return what the regression sees of any query."""
        lexicon = self._lexicon
        frequency = lexicon.frequency[list(query)] / lexicon.size
        chance = float(frequency.prod()) * lexicon.size
        if len(query) > 2:
            chance = min(
                len(lexicon.holding([word for word in query if word != left])) * part
                for left, part in zip(query, frequency, strict=True)
            )
        near = lexicon.beside(query) / max(rows, 1)
        pair = np.array(query[:1]), np.array(query[1:2] or (-1,))
        same = lexicon.alike(*pair)[0] if len(query) == 2 else 0.0
        if "near" in self._off:
            near = same = 0.0
        one = np.ones(1)
        columns = lexicon.standing(*(np.array([word]) for word in query))
        size = rows * one, chance * one, len(query) * one
        line: Floats = features(*size, near * one, same * one, columns)[0]
        return line

    def fit(self, weights: Floats, believed: float) -> None:
        """Rate everything by what was learnt; believed: the part of rows that are present."""
        self.sizes.fit()
        logs = self.sizes.predict(self._lines)
        spreads = np.full(len(logs), self.sizes.spread)
        if self.crawled.ratio > 0:
            logs, spreads = self.crawled.sharpen(logs, self.sizes.spread)
        # There are at least as many results as rows that are there.
        logs = np.maximum(logs, np.log(np.maximum(believed * self._lexicon.rows, 1.0)))
        share = share_shown(logs, spreads, self._page_size)
        self.shared.rate(weights, self._reliability.logs, logs, share)
        self.refined.rate(self._reliability.of, self.sizes.spread)
        self._singly.forget()


def _expected(choice: Choice) -> float:
    return choice.expected
