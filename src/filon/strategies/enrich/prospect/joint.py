"""Choosing where one of the words is enough, and records with the most and rarest come first.

A query is then a list of wishes: some rare words each of several rows. A record that has all the
words of its row outranks those that happen to have one or two of any, so one call can bring as
many rows as a page has places. How many rows to put together is learnt: fewer where strangers
crowd the page, more where rows are absent.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from filon.strategies.enrich.prospect.choice import Choice, Lesson
from filon.strategies.enrich.prospect.lexicon import Floats, Lexicon
from filon.strategies.enrich.prospect.presence import Presence
from filon.strategies.enrich.prospect.reliability import Reliability
from filon.strategies.enrich.prospect.stakes import Rows

#: Words and letters of the longest query: addresses of over 2,000 letters are often refused.
MOST_WORDS, MOST_LETTERS = 200, 1600
#: Words a row: fewer do not set it apart, more crowd the page with strangers.
FEWEST, MOST = 4, 12
#: The chance that a present row is found by a joint query, and by one whose page is crowded.
FOUND, CROWDED = 0.9, 0.3
#: A page is crowded where its weakest record has so much of a row's weight.
CROWD = 0.75
#: How the number of rows follows: by what it is divided when crowded, and multiplied when not.
FEWER, MORE = 1.4, 1.1
#: The rows that share a probe when nobody knows whether the service joins words by AND or OR.
PROBED = 4


class Joint:
    """Puts rows together to queries."""

    def __init__(
        self,
        lexicon: Lexicon,
        reliability: Reliability,
        page_size: int,
        takes: Callable[[str], bool],
        *,
        alone: bool,
    ) -> None:
        self._lexicon, self._reliability, self._takes = lexicon, reliability, takes
        self._page_size, self._alone = page_size, alone
        self._load = 1.0  # rows expected on a page, as a part of its places
        self._tries = np.zeros(lexicon.size, dtype=np.int64)
        self._rarity = np.log(1 + lexicon.size / np.maximum(lexicon.frequency, 1))
        self._fit = np.zeros(lexicon.size)
        self.fit()

    def best(self, weights: Floats) -> Choice | None:
        """Return the query for the rows that are most likely there and easiest to tell apart."""
        rows = self._likeliest(weights)
        if not len(rows):
            return None
        wanted = self._load * self._page_size
        sums = np.cumsum(weights[rows] * FOUND)
        count = 1 if self._alone else int(np.searchsorted(sums, wanted)) + 1
        return self._query(rows[: min(count, MOST_WORDS // FEWEST)], weights)

    def probe(self, weights: Floats) -> Choice | None:
        """Return a query that few records can satisfy whole, and many in part."""
        rows = self._likeliest(weights)[: min(PROBED, max(self._page_size, 2))]
        return self._query(rows, weights) if len(rows) else None

    def weight(self, words: Sequence[int]) -> float:
        """Return how much words weigh in a ranking, as far as the table can tell."""
        return float(self._rarity[list(words)].sum())

    def ask(self, choice: Choice) -> None:
        """Take note that rows are asked for: next time with other words."""
        self._tries[list(choice.rows)] += 1

    def about(self, choice: Choice) -> Rows:
        """Return the rows that an answer says something about."""
        return np.array(choice.rows, dtype=np.int64)

    def learn(self, choice: Choice, lesson: Lesson, presence: Presence) -> None:
        """Doubt the rows that did not come, unless others took their places."""
        missed = [row for row in choice.rows if row not in lesson.rows]
        full = lesson.shown >= self._page_size
        asked = frozenset(choice.words)
        own = {row: self._reliable_weight(row, asked) for row in missed}
        crowded = [row for row in missed if full and lesson.weakest > CROWD * own[row]]
        others = [row for row in missed if row not in set(crowded)]
        presence.miss(np.array(crowded, dtype=np.int64), CROWDED)
        presence.miss(np.array(others, dtype=np.int64), FOUND)
        hits = len(choice.rows) - len(missed)
        if len(crowded) > max(hits, 1) / 2 and hits < 0.8 * self._page_size:
            self._load = max(self._load / FEWER, 1 / self._page_size)
        elif full or hits:
            self._load = min(self._load * MORE, 1.0)

    def fit(self) -> None:
        """Find out how well each row can be told apart by its best words."""
        rarity = self._rarity * np.exp(self._reliability.logs)
        for row in range(self._lexicon.size):
            best = np.sort(rarity[self._lexicon.of(row)])
            self._fit[row] = best[-MOST:].sum()

    def _likeliest(self, weights: Floats) -> Rows:
        """Return the rows by their chance, those tried least first."""
        open_rows = np.flatnonzero(weights > 0)
        easy = weights[open_rows] * np.minimum(self._fit[open_rows] / 30.0, 1.0)
        order = np.lexsort((-self._fit[open_rows], -np.round(easy, 2)))
        return open_rows[order]

    def _query(self, rows: Rows, weights: Floats) -> Choice | None:
        while len(rows):
            words = self._words(rows)
            text = self._lexicon.text(words)
            if len(text) <= MOST_LETTERS and self._takes(text):
                value = min(float(weights[rows].sum()) * FOUND, float(self._page_size))
                held = tuple(rows.tolist())
                size = float(self._lexicon.frequency[list(words)].sum())
                return Choice("joint", words, "", 0, held, FOUND, size, value)
            if len(rows) == 1:
                return Choice("joint", words, "", 0, tuple(rows.tolist()), FOUND, 1.0, FOUND)
            rows = rows[: max(1, 3 * len(rows) // 4)]
        return None

    def _words(self, rows: Rows) -> tuple[int, ...]:
        each = min(max(MOST_WORDS // len(rows), FEWEST), MOST)
        chosen: dict[int, None] = {}
        for row in rows.tolist():
            words = self._lexicon.of(row)
            best = -self._rarity[words] * np.exp(self._reliability.logs[words])
            ordered = words[np.argsort(best, kind="stable")]
            # Another try leaves out the rarest words: one of them may be misspelt.
            skipped = min(int(self._tries[row]), max(len(ordered) - each, 0))
            chosen.update(dict.fromkeys(ordered[skipped : skipped + each].tolist()))
        return tuple(chosen)

    def _reliable_weight(self, row: int, asked: frozenset[int]) -> float:
        words = [word for word in self._lexicon.of(row).tolist() if word in asked]
        rates = np.exp(self._reliability.logs[words])
        return float(self._rarity[words] @ rates) if words else math.inf
