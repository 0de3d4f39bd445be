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
from filon.strategies.enrich.prospect.pages import Page, Pages
from filon.strategies.enrich.prospect.presence import Presence
from filon.strategies.enrich.prospect.refined import Refined
from filon.strategies.enrich.prospect.reliability import Reliability
from filon.strategies.enrich.prospect.shared import Shared
from filon.strategies.enrich.prospect.singly import Singly
from filon.strategies.enrich.prospect.sizes import Sizes, features, share_shown
from filon.strategies.enrich.prospect.stakes import Rows, Stakes

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
        words = 1.0 + (lexicon.second >= 0)
        self._lines = features(lexicon.rows, lexicon.chance, words, near, same)
        self.sizes = Sizes()
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
        found = self._reliability.of(query) * self.pages.share(page)
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
        known = lesson.total >= 0 or not lesson.more
        size = lesson.total if lesson.total >= 0 else shown
        line = self._line(query, len(rows))
        if not choice.before:
            self._compare(query, size, known)
            self.sizes.note(line, size if known else shown + 1, not known)
        if not size:
            self._reliability.blame(query)
        if "sample" not in self._off:
            for words in lesson.sample:
                self.crawled.note(words, query)
        if not known:
            guess = math.exp(float(self.sizes.predict(line[None])[0]))
            size = max(int(guess), shown + self._page_size)
        missed = rows[~np.isin(rows, lesson.rows)]
        left = max(size - choice.before, 1)
        presence.miss(missed, self._reliability.of(query) * min(1.0, lesson.shown / left))
        if lesson.more:
            self._open(query, missed[stakes.weights[missed] > 0], lesson.more, shown, size)

    def _open(self, query: Query, rows: Rows, more: str, shown: int, size: int) -> None:
        self.pages.put(query, Page(more, shown, max(size, shown + 1), rows))
        if shown <= self._page_size:
            self.refined.add(query, rows, size)

    def _compare(self, query: Query, size: int, known: bool) -> None:
        number = self._lexicon.number(query)
        if number >= 0 and known and size:
            self.crawled.compare(number, size)

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
        return features(rows * one, chance * one, len(query) * one, near * one, same * one)[0]

    def fit(self, weights: Floats) -> None:
        """Rate everything by what was learnt."""
        self.sizes.fit()
        logs = self.sizes.predict(self._lines)
        spreads = np.full(len(logs), self.sizes.spread)
        if self.crawled.ratio > 0:
            logs, spreads = self.crawled.sharpen(logs, self.sizes.spread)
        share = share_shown(logs, spreads, self._page_size)
        self.shared.rate(weights, self._reliability.logs, logs, share)
        self.refined.rate(self._reliability.of, self.sizes.spread)
        self._singly.forget()


def _expected(choice: Choice) -> float:
    return choice.expected
