"""Choosing where one of the words is enough, and records with the most and rarest come first.

A query is then a list of wishes: some rare words each of several rows. A record that has all the
words of its row outranks those that happen to have one or two of any, so one call can bring as
many rows as a page has places. How many rows to put together is learnt: fewer where strangers
crowd the page, more where rows are absent.

A row that no such query has found may still be there, under words that it shares with many. In the
end rows are asked for alone, by all their words, as long as that pays.
"""

import bisect
import math
from collections.abc import Callable, Sequence

import numpy as np

from filon.learn.dense import dot
from filon.verbs.enrich.strategies.lexicon import Floats, Lexicon, Query
from filon.verbs.enrich.strategies.prospect.value import Choice, Lesson, Presence, Reliability, Rows

#: Words and letters of the longest query: addresses of over 2,000 letters are often refused.
MOST_WORDS, MOST_LETTERS = 200, 1600
#: Words a row: fewer do not set it apart, more crowd the page with strangers.
FEWEST, MOST = 4, 8
#: The chance that a present row is found by a joint query, and by one whose page is crowded.
FOUND, CROWDED = 0.9, 0.3
#: A page is crowded where its weakest record has so much of a row's weight.
CROWD = 0.75
#: How the number of rows follows: by what it is divided when crowded, and multiplied when not.
FEWER, MORE = 1.4, 1.1
#: A page is not crowded where so much of what was expected came: the others are rather absent.
SHORT = 0.5
#: What was learnt of rows asked for alone counts for so much when the next one is.
LATELY = 0.95
#: It no longer pays to ask so where that brings less a call.
PAYS = 0.05
#: A row that is asked for again counts for so many places at least: it needs the room.
AGAIN = 0.5
#: The rows that share a probe when nobody knows whether the service joins words by AND or OR.
PROBED = 4
#: A row whose reliable words weigh so much is told apart easily.
EASY = 30.0
#: How many rows are looked at for a query, and how many of them must be left after an answer.
NEAR, AHEAD = 4000, 500


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
        self._loads: dict[Query, float] = {}  # of queries in flight: the load they were made with
        self._given_up = np.zeros(lexicon.size, dtype=bool)
        self._asked_alone = np.zeros(lexicon.size, dtype=bool)
        self._came = self._went = 0.0  # rows and calls, of those asked for alone lately
        self._rarity = np.log(1 + lexicon.size / np.maximum(lexicon.frequency, 1))
        self._room = _room(lexicon.words, takes)
        self._near = np.zeros(0, dtype=np.int64)  # the rows to choose from, until there are few
        self._bound = math.inf  # all others are worth less
        self.fit()

    def best(self, weights: Floats) -> Choice | None:
        """Return the query that is expected to bring most."""
        together = self._together(weights)
        pays = (self._came + 1) / (self._went + 2)
        if self._alone or pays < PAYS or (together and together.expected >= pays):
            return together
        return self._single(weights, pays) or together

    def _together(self, weights: Floats) -> Choice | None:
        """Return the query for the rows that are most likely there and easiest to tell apart."""
        rows = self._likeliest(weights, self._most_rows)
        if not len(rows):
            return None
        places = weights[rows] * FOUND
        sums = np.cumsum(np.where(self._tries[rows] > 0, np.maximum(places, AGAIN), places))
        wanted = int(np.searchsorted(sums, self._load * self._page_size)) + 1
        return self._query(rows[: 1 if self._alone else wanted], weights)

    def _single(self, weights: Floats, expected: float) -> Choice | None:
        """Return the query for the likeliest of the rows that were not asked for alone yet."""
        left = np.where(self._asked_alone, 0.0, weights)
        row = int(np.argmax(left))
        if left[row] <= 0:
            return None
        words = tuple(self._by_rarity(row).tolist()[:MOST_WORDS])
        size = float(self._lexicon.frequency[list(words)].sum())
        return Choice("alone", words, "", 0, (row,), FOUND, size, expected)

    def probe(self, weights: Floats) -> Choice | None:
        """Return a query that few records can satisfy whole, and many in part."""
        rows = self._likeliest(weights, min(PROBED, max(self._page_size, 2)))
        return self._query(rows, weights) if len(rows) else None

    @property
    def _most_rows(self) -> int:
        return max(self._room // FEWEST, 1)

    def weight(self, words: Sequence[int]) -> float:
        """Return how much words weigh in a ranking, as far as the table can tell."""
        return float(self._rarity[list(words)].sum())

    def ask(self, choice: Choice) -> None:
        """Take note that rows are asked for: next time with other words."""
        if choice.kind == "alone":
            self._asked_alone[list(choice.rows)] = True
            return
        self._tries[list(choice.rows)] += 1
        self._loads[choice.words] = self._load

    def give_up(self, choice: Choice) -> None:
        """Take note that a query is in flight already, or not taken: there is no other left."""
        self._given_up[list(choice.rows)] = True

    def learn(self, choice: Choice, lesson: Lesson, presence: Presence) -> None:
        """Doubt the rows that did not come, unless others took their places."""
        missed = [row for row in choice.rows if row not in lesson.rows]
        if choice.kind == "alone":
            self._came = LATELY * self._came + (not missed)
            self._went = LATELY * self._went + 1
            return
        full = lesson.shown >= self._page_size
        asked = frozenset(choice.words)
        own = {row: self._reliable_weight(row, asked) for row in missed}
        crowded = [row for row in missed if full and lesson.weakest > CROWD * own[row]]
        others = [row for row in missed if row not in set(crowded)]
        presence.miss(np.array(crowded, dtype=np.int64), CROWDED)
        presence.miss(np.array(others, dtype=np.int64), FOUND)
        hits = len(choice.rows) - len(missed)
        # The load of now may differ from the one that the answer says something about.
        load = self._loads.pop(choice.words, self._load)
        few = hits < min(SHORT * choice.expected, 0.8 * self._page_size)
        if len(crowded) > max(hits, 1) / 2 and few:
            self._load = min(self._load, max(load / FEWER, 1 / self._page_size))
        elif full or hits:
            more = min(MORE * min(self._load, load), 1.0)
            self._load = max(self._load, more)

    def fit(self) -> None:
        """Find out how well each row can be told apart by its words."""
        held = self._lexicon.held
        worth = (self._rarity * np.exp(self._reliability.logs))[held.values]
        sums = np.concatenate([np.zeros(1), np.cumsum(worth)])
        # More words than a query takes of a row do not help.
        own = self._lexicon.own
        part = np.minimum(1.0, MOST / np.maximum(own, 1))
        self._fit = (sums[held.starts[:-1] + own] - sums[held.starts[:-1]]) * part
        self._bound = math.inf

    def prepare(self, weights: Floats) -> None:
        """Choose the rows to choose from, where few are left: not while somebody waits."""
        ready = self._worth(self._near, weights) >= self._bound
        if int(ready.sum()) < AHEAD:
            self._gather(weights)

    def _gather(self, weights: Floats) -> None:
        open_rows = np.flatnonzero((weights > 0) & ~self._given_up)
        worth = self._worth(open_rows, weights)
        self._bound = -math.inf
        if len(open_rows) > NEAR:
            best = np.argpartition(-worth, NEAR)
            self._bound = float(worth[best[NEAR]])
            open_rows = np.sort(open_rows[best[:NEAR]])
        self._near = open_rows

    def _worth(self, rows: Rows, weights: Floats) -> Floats:
        """Rate rows by their chance; of those that are alike, by how well they are told apart."""
        weights = np.where(self._given_up[rows], 0.0, weights[rows])
        easy = weights * np.minimum(self._fit[rows] / EASY, 1.0)
        worth: Floats = np.round(easy, 2) + 1e-6 * self._fit[rows]
        return worth

    def _likeliest(self, weights: Floats, most: int) -> Rows:
        """Return the best rows, the best first."""
        worth = self._worth(self._near, weights)
        if int((worth >= self._bound).sum()) < most:
            self._gather(weights)
            worth = self._worth(self._near, weights)
        best = np.argsort(-worth, kind="stable")[:most]
        rows = self._near[best]
        return rows[(weights[rows] > 0) & ~self._given_up[rows]]

    def _query(self, rows: Rows, weights: Floats) -> Choice | None:
        each = min(max(self._room // len(rows), FEWEST), MOST)
        lists = [self._words(row, each) for row in rows.tolist()]
        while len(lists) > 1 and not self._fits(lists):
            lists.pop()
        words = tuple(dict.fromkeys(word for some in lists for word in some))
        rows = rows[: len(lists)]
        value = min(float(weights[rows].sum()) * FOUND, float(self._page_size))
        size = float(self._lexicon.frequency[list(words)].sum())
        return Choice("joint", words, "", 0, tuple(rows.tolist()), FOUND, size, value)

    def _fits(self, lists: list[list[int]]) -> bool:
        words = dict.fromkeys(word for some in lists for word in some)
        text = self._lexicon.text(list(words))
        return len(text) <= MOST_LETTERS and self._takes(text)

    def _words(self, row: int, most: int) -> list[int]:
        ordered = self._by_rarity(row)
        # Another try leaves out the rarest words: one of them may be misspelt.
        skipped = min(int(self._tries[row]), max(len(ordered) - most, 0))
        chosen: list[int] = ordered[skipped : skipped + most].tolist()
        return chosen

    def _by_rarity(self, row: int) -> Rows:
        """Return the words of a row, those that tell it apart best first."""
        words = self._lexicon.own_of(row)
        best = -self._rarity[words] * np.exp(self._reliability.logs[words])
        ordered: Rows = words[np.argsort(best, kind="stable")]
        return ordered

    def _reliable_weight(self, row: int, asked: frozenset[int]) -> float:
        words = [word for word in self._lexicon.own_of(row).tolist() if word in asked]
        rates = np.exp(self._reliability.logs[words])
        return dot(self._rarity[words], rates) if words else math.inf


def _room(words: Sequence[str], takes: Callable[[str], bool]) -> int:
    """Return how many usual words a query can have."""
    some = words[:: max(1, len(words) // MOST_WORDS)][:MOST_WORDS]

    def refused(count: int) -> bool:
        text = " ".join(some[:count])
        return len(text) > MOST_LETTERS or not takes(text)

    if not some or not refused(len(some)):
        return MOST_WORDS
    return max(bisect.bisect_left(range(1, len(some)), True, key=refused), 1)
