"""Choosing where a record must hold all words of a query.

Words and pairs that rows share, further pages, and queries for single rows compete by the number
of rows that a call is expected to cover. A further page of a query whose first page is not all is
an arm like any other, and costs as much. A query for one row is made of two of its words that are
rare and reliable: two words that no other row holds together match few records, and survive errors
that a query of the whole row does not.
"""

import math
from collections.abc import Container, Sequence, Set
from itertools import combinations

import numpy as np

from filon.verbs.enrich.strategies.lexicon import Floats, Lexicon, Query
from filon.verbs.enrich.strategies.prospect.news import News
from filon.verbs.enrich.strategies.prospect.pages import Page, Pages, still
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
    Trust,
)

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
        self._exhausted = np.zeros(lexicon.size, dtype=bool)  # no query for it is left

    def forget(self) -> None:
        """Something was learnt: choose anew."""
        self._kept.clear()

    def best(
        self, weights: Floats, sizes: Sizes, reliability: Reliability, asked: Container[Query]
    ) -> tuple[int, Query, float]:
        """Return the row that is worth a call most, its query, and the chance to be shown."""
        weights = np.where(self._exhausted, 0.0, weights)
        best: tuple[int, Query, float] = (-1, (), 0.0)
        value = 0.0
        while not value and len(weights) and (top := float(weights.max())) > 0:
            for row in np.flatnonzero(weights >= NEARLY * top)[:ROWS]:
                query, found = self._of(int(row), sizes, reliability, asked)
                if not query:
                    self._exhausted[row] = True
                    weights[row] = 0.0
                elif weights[row] * found > value:
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
        own = self._lexicon.own_of(row)
        words = (own if len(own) else self._lexicon.of(row)).astype(np.int64)
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


#: How many rows weigh as much as what its words say of the reliability of a query.
OF_QUERY = 2.0
#: No query finds more of the rows that are there than that.
SURELY = 0.97


class Miss:
    """A query that was asked: what it says of the rows that hold it and did not come.

    share: of its results, how many were shown. hits: rows that it brought.
    met: rows that hold it and were met elsewhere; kept: of these, in how many records it stood.
    said: what was said of the rows so far.
    """

    def __init__(self) -> None:
        self.share = self.said = 0.0
        self.hits = self.met = self.kept = 0

    def reliable(self, of_words: float) -> float:
        """Return the chance that the record of a row holds the query."""
        told = OF_QUERY + self.hits
        return (told * of_words + self.kept) / (told + self.met)

    def change(self, of_words: float) -> float:
        """Return by how much what it says has changed."""
        says = math.log(1 - min(self.reliable(of_words) * self.share, SURELY))
        change, self.said = says - self.said, says
        return change


KINDS = ("page", "row")
#: The variance of a log size that is estimated from rows, beyond that of chance: ranks cluster.
EXTRA = 0.3
#: That of a total, where a page's rows say something else: what counts is how many of the rows a
#: page shows, and those come first or last as the service ranks.
OF_TOTAL = 1.0


#: Kinds that the others are measured by: they are not trusted more or less as they go.
BASIC = ("word", "pair", "row", "page")


class Conjunctive:
    """Knows the queries, their sizes and pages."""

    def __init__(
        self,
        lexicon: Lexicon,
        reliability: Reliability,
        news: News,
        page_size: int,
        off: Set[str],
    ) -> None:
        self._lexicon, self._reliability, self._news = lexicon, reliability, news
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
        self.pages = Pages(page_size, news, lambda query: self._trusted("page", query))
        # Words that rows share compete as such; those of other columns wait until they are seen.
        self._elsewhere = np.zeros(len(lexicon.words), dtype=bool)
        self._elsewhere[pairs.first[pairs.second < 0]] = True
        self._single = np.where(pairs.second < 0, pairs.first, -1)
        self._singly = Singly(lexicon, page_size)
        self._asked: set[Query] = set()
        self._hits: dict[Query, int] = {}  # of pages that were asked for: hits before
        self._trust = Trust()
        self._misses: dict[Query, Miss] = {}
        self._corrected: dict[Query, None] = {}

    # Choosing.

    def best(self, weights: Floats) -> Choice | None:
        """Return the call that is expected to cover the most rows."""
        best = self._shared()
        if "news" not in self._off:
            best = _better(best, self._seen_word(weights))
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

    def _seen_word(self, weights: Floats) -> Choice | None:
        word, size, value = self._news.best(float(weights.sum()), self._elsewhere)
        value *= self._trust.of.get("seen", 1.0)
        return Choice("seen", (word,), size=size, expected=value) if word >= 0 else None

    def _page(self, weights: Floats) -> Choice | None:
        query, page, value = self.pages.best(weights, self._reliable)
        if not page:
            return None
        found = still(self._reliable(query), page.before, page.size) * self.pages.share(page)
        return Choice("page", query, page.more, page.before, (), found, page.size, value)

    def _row(self, weights: Floats) -> Choice | None:
        row, query, found = self._singly.best(weights, self.sizes, self._reliability, self._asked)
        if not query:
            return None
        value = float(weights[row]) * found * self._trusted("row", query)
        return Choice("row", query, "", 0, (row,), found, 1.0, value)

    # Learning.

    def ask(self, choice: Choice) -> None:
        """Take note that a call is made: it is not offered again."""
        query = choice.words
        self._news.ask(query)
        if choice.kind == "page":
            page = self.pages.close(query)
            self._hits[query] = page.hits if page else 0
            return
        self._asked.add(query)
        if not self._news.foreign(query):
            self.shared.close(self.pairs.number(query))

    def learn(
        self, choice: Choice, lesson: Lesson, presence: Presence, row_values: RowValues
    ) -> None:
        """Learn from an answer, and open what follows from it."""
        if self._news.foreign(choice.words):
            self._open(choice, lesson)
            return
        query, rows = choice.words, self._lexicon.holding(choice.words)
        shown = choice.before + lesson.shown
        hit = np.isin(rows, lesson.rows)
        hits = int(hit.sum()) + self._hits.pop(query, 0)
        missed = rows[~hit]
        seen = self._seen(query, missed, lesson, presence, shown, hits)
        line = self._line(query, len(rows))
        if seen and not choice.before:
            self.sizes.note(line, seen, query)
        if not seen:
            self._reliability.blame(query)
        size = math.exp(self.sizes.guess(line, seen)) if seen else 0.0
        miss = self._misses.setdefault(query, Miss())
        miss.hits += int(hit.sum())
        miss.share = min(1.0, shown / max(size, 1.0)) if size else 1.0
        change = miss.change(self._reliability.of(query))
        presence.shift(missed, change, hint=self._is_hint(query))
        if lesson.more:
            open_rows = missed[row_values.weights[missed] > 0]
            size, total = max(size, shown + 1), max(lesson.total, 0)
            self.pages.put(query, Page(lesson.more, shown, size, open_rows, hits, total))

    def _open(self, choice: Choice, lesson: Lesson) -> None:
        """Open the next page of a query that no row holds."""
        shown = choice.before + lesson.shown
        if lesson.more:
            size = float(max(lesson.total, shown + self._page_size))
            nobody = np.zeros(0, dtype=np.int64)
            self.pages.put(choice.words, Page(lesson.more, shown, size, nobody))

    def compare(self, choice: Choice, came: int) -> bool:
        """Compare what was expected with what came; tell whether much is to be rated anew."""
        query = choice.words
        kind = self._kind(choice.kind, query)
        if kind not in BASIC:
            self._trust.note(kind, choice.expected, came)
        if choice.before:
            self.pages.note(query, choice.expected, came)
        if self._news.foreign(query):
            return False
        return self._reliability.promise(query, choice.expected, came)

    def _kind(self, kind: str, query: Query) -> str:
        """Return the kind of a call: those with words of other columns are trusted apart."""
        hint = not self._news.foreign(query) and self._is_hint(query)
        return f"{kind} of others" if hint else kind

    def _trusted(self, kind: str, query: Query) -> float:
        return self._trust.of.get(self._kind(kind, query), 1.0)

    def meet(self, new: Sequence[int], lesson: Lesson) -> None:
        """Take note of rows that are met: did their records hold the queries that missed them?"""
        kept = dict(zip(lesson.rows, lesson.kept, strict=True))
        for row in new:
            words = sorted(self._lexicon.of(row).tolist())
            for query in [*((word,) for word in words), *combinations(words, 2)]:
                if miss := self._misses.get(query):
                    miss.met += 1
                    miss.kept += set(query) <= set(kept[row])
                    self._corrected[query] = None

    def correct(self, presence: Presence) -> None:
        """Say anew what queries say of rows that they missed, where such rows were met."""
        for query in self._corrected:
            rows = self._lexicon.holding(query)
            miss = self._misses[query]
            change = miss.change(self._reliability.of(query))
            presence.shift(rows, change, hint=self._is_hint(query))
        self._corrected.clear()

    def _is_hint(self, query: Query) -> bool:
        return any(self._lexicon.is_other(word) for word in query)

    def _reliable(self, query: Query) -> float:
        if self._news.foreign(query):
            return 0.0
        of_words = self._reliability.of(query)
        miss = self._misses.get(query)
        return miss.reliable(of_words) if miss else of_words

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
        effects = self.sizes.effects
        if effects:
            words = np.zeros(len(self._lexicon.words))
            words[list(effects)] = list(effects.values())
            two = self.pairs.second >= 0
            logs += words[self.pairs.first]
            logs[two] += words[self.pairs.second[two]]
            logs = np.maximum(logs, 0.0)
        # There are at least as many results as rows that are there.
        logs = np.maximum(logs, self._log_rows + math.log(believed))
        beside = self._news.beside(self._single, np.exp(logs), float(weights.sum()))
        strange = self._reliability.strange
        beside[strange[self.pairs.first] | (strange[self.pairs.second] & (self._single < 0))] = 0.0
        self.shared.rate(self._reliability.logs, logs, self.sizes.spread, beside, self._trusts())
        self.pages.fit(weights, self._reliable)
        self._singly.forget()

    def _trusts(self) -> Floats:
        """Return how far each of the shared queries is trusted."""
        of, other = self._trust.of, self._lexicon.trait >= 2 * self._lexicon.named
        two = self.pairs.second >= 0
        hints = other[self.pairs.first] | (other[self.pairs.second] & two)
        kinds = {("word", 0): 0, ("word", 1): 1, ("pair", 0): 2, ("pair", 1): 3}
        table = np.array(
            [of.get(f"{kind} of others" if hint else kind, 1.0) for kind, hint in kinds]
        )
        trusts: Floats = table[2 * two + hints]
        return trusts


def _better(one: Choice | None, other: Choice | None) -> Choice | None:
    if not one or not other:
        return one or other
    return other if other.expected > one.expected else one
