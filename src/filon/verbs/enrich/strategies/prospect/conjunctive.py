"""Choosing where a record must hold all words of a query.

Words and pairs that rows share, further pages, and queries for single rows compete by the number
of rows that a call is expected to cover.
"""

import math
from collections.abc import Set

import numpy as np

from filon.verbs.enrich.strategies.prospect.choice import Choice, Lesson
from filon.verbs.enrich.strategies.prospect.lexicon import Floats, Lexicon, Query
from filon.verbs.enrich.strategies.prospect.pages import Page, Pages, still
from filon.verbs.enrich.strategies.prospect.pairs import Pairs
from filon.verbs.enrich.strategies.prospect.presence import Presence
from filon.verbs.enrich.strategies.prospect.reliability import Reliability
from filon.verbs.enrich.strategies.prospect.shared import Shared
from filon.verbs.enrich.strategies.prospect.singly import Singly
from filon.verbs.enrich.strategies.prospect.sizes import Seen, Sizes, features
from filon.verbs.enrich.strategies.prospect.stakes import Rows, Stakes

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
        told = features(
            pairs.rows, pairs.chance, words, near * pairs.near, near * pairs.same, columns
        )
        self._lines = told.astype(np.float32)  # a table of millions
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

    def learn(self, choice: Choice, lesson: Lesson, presence: Presence, stakes: Stakes) -> None:
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
            open_rows = missed[stakes.weights[missed] > 0]
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
