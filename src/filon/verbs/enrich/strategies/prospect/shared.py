"""Queries of one or two words that several rows share, and what each is worth now.

Which of them a row holds is listed row by row, so that a row that is covered can be taken off its
queries without a look at the others.

How many records a query matches is learnt from the answers so far: log |q(H)| is regressed on what
the table says of the query: how many rows hold it, how many would by chance, whether its words
stand side by side or in one column. The weights begin at what is usual and move as answers come in.
Where a service reports no totals, a full page says "at least k", and the part of the query's rows
that was on it says how large a part of the whole it was: such an answer is filled in by its
expectation, given both and the regression (expectation-maximisation).

A query is worth the rows that hold it, each by its chance to be present and not yet covered,
times the reliability of its words, times the part of its matches that a page shows. All queries
are rated at every fit; in between, only those of the rows that changed.

What part a page shows takes long to compute, and of a million queries few can be the best: the
others are rated by what they are worth at most.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtr

from filon.learn.dense import dot, products, times
from filon.verbs.enrich.strategies.lexicon import (
    Floats,
    Ints,
    Lexicon,
    Lists,
    Query,
    frequent_pairs,
    places_of,
    undominated,
)

#: More pairs than that are not kept: each costs a few dozen bytes, and the rarest matter least.
MOST_PAIRS = 1_000_000
LEAST_ROWS = 2
#: Words of rows that are paired at a time, against memory.
PAIRS_AT_ONCE = 2_000_000


class Pairs:
    """Shared queries by number: single words first, then pairs.

    first, second: the words of each; second is -1 where it has one word.
    rows: how many rows hold each. near: in what part of them its words stand side by side.
    same: whether its words are of one column.
    chance: how many rows it had if its words fell together by chance.
    forward: the queries of each row.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = max(len(lexicon.words), 1)
        found = frequent_pairs(lexicon.held, lexicon.inverted, LEAST_ROWS, MOST_PAIRS)
        self._keys, counts, least = found
        singles = undominated(lexicon.inverted, self._keys, counts, LEAST_ROWS)
        self._single = np.full(len(lexicon.words), -1, dtype=np.int64)
        self._single[singles] = np.arange(len(singles))
        first, second = np.divmod(self._keys, self._words)
        none = np.full(len(singles), -1, dtype=np.int64)
        self.first, self.second = np.concatenate([singles, first]), np.concatenate([none, second])
        shared = np.concatenate([lexicon.frequency[singles], counts])
        self.rows: Floats = shared.astype(np.float64)
        beside = lexicon.beside(self.first, np.maximum(self.second, 0))
        self.near: Floats = np.where(self.second < 0, 0.0, np.minimum(beside / self.rows, 1.0))
        self.same = lexicon.alike(self.first, self.second)
        self.chance = self._by_chance(lexicon)
        self.forward = self._forward(lexicon, least)

    def __len__(self) -> int:
        return len(self.first)

    def number(self, query: Query) -> int:
        """Return the number of a shared query; -1 where it is none."""
        if len(query) == 1:
            return int(self._single[query[0]])
        key = min(query) * self._words + max(query)
        place = int(np.searchsorted(self._keys, key))
        there = len(query) == 2 and place < len(self._keys) and self._keys[place] == key
        return len(self.first) - len(self._keys) + place if there else -1

    def _by_chance(self, lexicon: Lexicon) -> Floats:
        first = lexicon.frequency[self.first].astype(np.float64)
        second = lexicon.frequency[np.maximum(self.second, 0)] / max(lexicon.size, 1)
        both: Floats = np.where(self.second < 0, first, first * second)
        return both

    def _forward(self, lexicon: Lexicon, least: int) -> Lists:
        """List the shared queries of every row."""
        rows = np.repeat(np.arange(lexicon.size, dtype=np.int32), lexicon.held.lengths)
        words = lexicon.held.values
        frequent = lexicon.frequency[words] >= min(least, LEAST_ROWS)
        rows, words = rows[frequent], words[frequent]
        order = np.lexsort((words, rows))
        rows, words = rows[order], words[order]
        parts = list(self._held(rows, words))
        held = np.concatenate([np.zeros(0, dtype=np.int32), *(row for row, _ in parts)])
        queries = np.concatenate([np.zeros(0, dtype=np.int32), *(some for _, some in parts)])
        shape = (lexicon.size, len(self.first))
        table = sparse.csr_matrix((np.ones(len(held), dtype=np.int8), (held, queries)), shape)
        return Lists(table.indptr.astype(np.int64), table.indices.astype(np.int32))

    def _held(self, rows: Ints, words: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Yield rows and the queries that they hold; words: of each row, in ascending order."""
        single = self._single[words]
        yield rows[single >= 0], single[single >= 0].astype(np.int32)
        if not len(self._keys):
            return
        singles = len(self.first) - len(self._keys)
        starts = np.arange(len(words))
        for ahead in range(1, len(words)):
            starts = starts[starts < len(words) - ahead]
            starts = starts[rows[starts] == rows[starts + ahead]]
            if not len(starts):
                return
            for some in np.array_split(starts, len(starts) // PAIRS_AT_ONCE + 1):
                keys = words[some].astype(np.int64) * self._words + words[some + ahead]
                places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
                hit = self._keys[places] == keys
                yield rows[some[hit]], (places[hit] + singles).astype(np.int32)


#: What is usual, found on samples of the ACL's papers and on DBLP against Scholar: a constant, log
#: rows, log rows by chance, one word, three words or more, side by side, in one column.
USUAL = np.array([1.8, 1.3, 0.2, 0.8, 0.0, 0.6, 0.2])
#: How sure: the constant depends on the size of the hidden table, about which nothing is known.
SURE = np.array([0.15, 20.0, 40.0, 4.0, 4.0, 8.0, 8.0])
SURE_OF_COLUMN = 10.0
#: The spread of log |q(H)| to begin with, and how many answers that counts for.
SPREAD, SPREAD_COUNTS = 1.0, 6.0
#: How many queries with a word weigh as much as none of them.
OF_WORD = 3.0
ROUNDS = 3  # of filling in and fitting
FIRST_SPREAD = 1.5  # before the first answer


def features(
    rows: Floats, chance: Floats, words: Floats, near: Floats, same: Floats, columns: Floats
) -> Floats:
    """Return what the regression sees of queries, a line each.

    columns: the part of a query's words that stands in each column.
    """
    one = np.ones_like(rows)
    logs = np.log(np.maximum(rows, 1.0)), np.log(np.maximum(chance, 1e-9))
    return np.column_stack([one, *logs, words == 1, words > 2, near, same, columns])


def share_shown(log_size: Floats, spread: float, shown: int) -> Floats:
    """Return E[min(1, shown / N)] for log-normal N: the part of its matches that a page shows.

    >>> share_shown(np.log(np.array([5.0, 10.0, 100.0])), 0.01, 10).round(2).tolist()
    [1.0, 1.0, 0.1]
    """
    gap = math.log(shown) - log_size
    above = np.exp(np.minimum(gap + spread * spread / 2, 50.0)) * ndtr(-gap / spread - spread)
    share: Floats = np.minimum(ndtr(gap / spread) + above, 1.0)
    return share


class Seen(NamedTuple):
    """What an answer said of a query's size.

    log: of the size, as it was told or estimated from the answer.
    doubt: the variance of that: 0 where it was told, infinite where the answer says nothing.
    least: log of the least that it can be.
    """

    log: float
    doubt: float = 0.0
    least: float = 0.0


class Sizes:
    """A regression with weights that begin at what is usual.

    effects: of words that were asked for: by how much the log sizes of their queries are off.
    """

    def __init__(self, columns: int) -> None:
        self._usual = np.concatenate([USUAL, np.zeros(columns)])
        self._sure = np.concatenate([SURE, np.full(columns, SURE_OF_COLUMN)])
        self.weights = self._usual.copy()
        self.spread = FIRST_SPREAD
        self._lines: list[Floats] = []
        self._seen: list[Seen] = []
        self._queries: list[Query] = []
        self.effects: dict[int, float] = {}

    def note(self, line: Floats, seen: Seen, query: Query = ()) -> None:
        """Take note of an answer."""
        self._queries.append(query)
        self._lines.append(line)
        self._seen.append(seen)

    def predict(self, lines: NDArray[np.floating]) -> Floats:
        """Return the expected log |q(H)| of queries; at least one record is expected."""
        logs: Floats = np.maximum(times(lines, self.weights.astype(lines.dtype)), 0.0).astype(
            np.float64
        )
        return logs

    def guess(self, line: Floats, seen: Seen) -> float:
        """Return the expected log size of a query that was asked."""
        return float(self._fill(line[None], np.array([seen]))[0][0])

    def fit(self) -> None:
        """Learn from all answers so far."""
        if not self._lines:
            return
        lines, seen = np.array(self._lines), np.array(self._seen)
        for _ in range(ROUNDS):
            filled, doubt = self._fill(lines, seen)
            precision = 1 / self.spread**2
            left = precision * products(lines.T, lines.T) + np.diag(self._sure)
            right = precision * times(lines.T, filled) + self._sure * self._usual
            self.weights = np.linalg.solve(left, right)
            off = filled - times(lines, self.weights)
            # What was filled in varies less than what it stands for.
            square = SPREAD_COUNTS * SPREAD**2 + float(doubt.sum()) + dot(off, off)
            self.spread = math.sqrt(square / (SPREAD_COUNTS + len(lines)))
        self._blame_words(off)

    def _blame_words(self, off: Floats) -> None:
        """Learn of each word how far the sizes of its queries are off."""
        sums: dict[int, float] = {}
        counts: dict[int, float] = {}
        for query, far in zip(self._queries, off.tolist(), strict=True):
            for word in query:
                sums[word] = sums.get(word, 0.0) + far / len(query)
                counts[word] = counts.get(word, 0.0) + 1
        self.effects = {word: sums[word] / (counts[word] + OF_WORD) for word in sums}

    def _fill(self, lines: Floats, seen: Floats) -> tuple[Floats, Floats]:
        """Return the mean and the variance of each log size, given the regression and the answer.

        What the regression says and what the answer says are weighed by their variances; then
        what lies below the least is cut off.
        """
        logs, doubt, least = seen.T
        known = doubt == 0
        trust = np.where(known, 1.0, self.spread**2 / (self.spread**2 + doubt))
        expected = times(lines, self.weights)
        mean = np.where(trust > 0, trust * logs + (1 - trust) * expected, expected)
        spread = self.spread * np.sqrt(1 - trust) + 1e-9
        gap = (least - mean) / spread
        density = np.exp(-gap * gap / 2) / math.sqrt(2 * math.pi)
        hazard = np.maximum(density / np.maximum(ndtr(-gap), 1e-9), gap)
        above = np.clip(1 - hazard * (hazard - gap), 0.05, 1.0)
        filled: Floats = np.where(known, logs, mean + spread * hazard)
        return filled, np.where(known, 0.0, spread * spread * above)


#: Queries of so much of the best one's value are rated exactly too: one of them may be next.
NEXT = 0.5
#: Rows whose weights are added up at a time: what is written to and read again stays near.
ROWS_AT_ONCE = 4096
#: What rounding leaves of a query without rows.
NOTHING = 1e-9
#: A little more than one, so that rounding makes no bound too low.
ABOVE = 1 + 1e-9


class Shared:
    """The value of each shared query.

    logs: the expected log size of each.
    """

    def __init__(self, pairs: Pairs, page_size: int) -> None:
        self._pairs, self._page_size = pairs, page_size
        size = len(pairs)
        self._singles = int((pairs.second < 0).sum())
        self._closed = np.zeros(size, dtype=bool)
        self._mass = np.zeros(size)
        self._values = np.zeros(size)
        self.logs = np.zeros(size)
        self._found = np.zeros(size)  # at most, until it is known
        self._known = np.zeros(size, dtype=bool)
        self._reliable, self._spread = np.zeros(0), 1.0
        self._beside, self._trust = np.zeros(size), np.ones(size)

    def rate(
        self,
        reliable: Floats,
        logs: Floats,
        spread: float,
        beside: Floats | float = 0.0,
        trust: Floats | float = 1.0,
    ) -> None:
        """Rate all queries anew; reliable: log of each word's reliability.

        beside: what each brings beside the rows that hold it. trust: how far that is believed.
        """
        pairs = self._pairs
        self._trust = trust * np.ones(len(pairs))
        self._beside = beside * self._trust
        self._reliable, self.logs, self._spread = reliable, logs, spread
        # E[min(1, k / N)] is at most 1, and at most E[k / N].
        most = np.minimum(math.log(self._page_size) + spread * spread / 2 - logs, 0.0)
        most += reliable[pairs.first]
        most[self._singles :] += reliable[pairs.second[self._singles :]]
        self._found = np.exp(most, out=most)
        self._found *= ABOVE * self._trust
        self._known[:] = False
        self._values = self._mass * self._found + self._beside
        self._values[self._closed] = -1.0
        _, best = self.best()
        self._rate_exactly(NEXT * best)  # not while somebody waits

    def found(self, number: int) -> float:
        """Return the chance that a present row of the best query is on its first page."""
        return float(self._found[number])

    def recount(self, weights: Floats) -> None:
        """Add up the weights of all rows anew; worth nothing new before it is rated."""
        forward, lengths = self._pairs.forward, self._pairs.forward.lengths
        self._mass = np.zeros(len(self._mass))
        for start in range(0, len(weights), ROWS_AT_ONCE):
            end = min(start + ROWS_AT_ONCE, len(weights))
            numbers = forward.values[forward.starts[start] : forward.starts[end]]
            spread = np.repeat(weights[start:end], lengths[start:end])
            np.add.at(self._mass, numbers, spread)

    def shift(self, rows: NDArray[np.integer], changes: Floats) -> None:
        """Let the weights of rows change."""
        if not len(rows):
            return
        forward = self._pairs.forward
        starts = forward.starts[rows]
        lengths = forward.starts[rows + 1] - starts
        numbers = forward.values[places_of(starts, lengths)]
        np.add.at(self._mass, numbers, np.repeat(changes, lengths))
        values = self._mass[numbers] * self._found[numbers] + self._beside[numbers]
        self._values[numbers] = np.where(self._closed[numbers], -1.0, values)

    def close(self, number: int) -> None:
        """Do not offer a query any more."""
        if number >= 0:
            self._closed[number] = True
            self._values[number] = -1.0

    def best(self) -> tuple[int, float]:
        """Return the query of the largest value, and the value; -1 where there is none."""
        while len(self._values):
            number = int(self._values.argmax())
            value = float(self._values[number])
            if value < NOTHING:
                break
            if self._known[number]:
                return number, value
            self._rate_exactly(NEXT * value)
        return -1, 0.0

    def _rate_exactly(self, least: float) -> None:
        """Find out what queries are worth that may be worth so much."""
        some = np.flatnonzero((self._values >= max(least, NOTHING)) & ~self._known)
        first, second = self._pairs.first[some], self._pairs.second[some]
        both = self._reliable[first]
        two = second >= 0
        both[two] += self._reliable[second[two]]
        share = share_shown(self.logs[some], self._spread, self._page_size)
        self._found[some] = np.exp(both) * share * self._trust[some]
        self._values[some] = self._mass[some] * self._found[some] + self._beside[some]
        self._known[some] = True
