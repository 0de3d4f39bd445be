"""What may be asked, what an answer teaches, and what each row is worth now.

Choices and lessons are plain data that the run's state is made of.

A row is worth its chance to be present, and nothing once it is covered.

Rows that a query in flight will probably cover are worth less until its answer is in, so that
several queries in flight do not go for the same rows.

Which words can be relied on is told by how often they stand in the record of their row too. Each
matched record is looked through for the words of its row, those of the query aside. Columns that
the service does not index, codes, other spellings: their words are rarely found there. A word is
judged by its column, and by itself where it was met often.

Which rows are in the hidden table at all: a row that a query should have brought and did not is
probably absent: the more so, the more reliable the query's words are, and the more of its matches
were shown. That is the removal of section 4.2 of the paper with a strength that is learnt: where
rows that were missed come back more often than expected, a miss counts for less. Rows like those
that were missed (by their words: a brand, a venue, a year) are doubted too, by a logistic
regression.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from filon.learn.dense import dot, times
from filon.verbs.enrich.strategies.lexicon import Floats, Lexicon, Query
from filon.verbs.enrich.strategies.prospect.news import Tidings


class Choice(NamedTuple):
    """A call that may be made: the first page of a query's results, or a further one.

    kind: "word", "pair", "page", "row", "seen", "joint" or "alone".
    page, before: what to ask the service for, and how many results came on pages before it.
    rows: those that a query for single rows is about; else it is about all that hold its words.
    found: the chance that a row it is about is on the page, if it is present.
    size: how many results the query is expected to have.
    expected: how many rows the call is expected to cover.
    """

    kind: str
    words: Query
    page: str = ""
    before: int = 0
    rows: tuple[int, ...] = ()
    found: float = 0.0
    size: float = 0.0
    expected: float = 0.0

    @property
    def by_rows(self) -> bool:
        """Whether it was made where one of the words is enough."""
        return self.kind in ("joint", "alone")

    def pack(self) -> list[Any]:
        """Return plain data."""
        return [list(part) if isinstance(part, tuple) else part for part in self]

    @classmethod
    def unpack(cls, data: list[Any]) -> "Choice":
        """Return the choice that was packed."""
        kind, words, page, before, rows, found, size, expected = data
        return cls(kind, tuple(words), page, before, tuple(rows), found, size, expected)


class Lesson(NamedTuple):
    """What an answer teaches.

    total: how many records match, where the service says so; else -1.
    shown: how many were on the page. more: what to ask for the next page.
    rows: those that its records match. kept: for each, its words that the record holds too.
    weakest: the least weight, in words of the query, that a record on the page had.
    met: words of columns that nobody named which a record holds, for the first time.
    tidings: what is new in its records.
    """

    total: int
    shown: int
    more: str
    rows: list[int]
    kept: list[list[int]]
    weakest: float
    met: Sequence[int] = ()
    tidings: Tidings = Tidings()

    @classmethod
    def unpack(cls, data: list[Any]) -> "Lesson":
        """Return the lesson that was kept; older ones have less."""
        first, rest = data[:7], data[7:]
        return cls(*first, *(Tidings(*part) for part in rest))


#: How often a word is in the record before anything is known: plain words, and those with digits.
PLAIN, DIGITS = 0.85, 0.6
#: And words of columns that were not named.
OTHERS = 0.3
#: How many words of its column, or matches of its own, weigh as much as what was believed before.
OF_COLUMN, OF_WORD = 3.0, 3.0
#: What a promise of a word counts for when the next one is made.
LATELY = 0.9
#: Nothing is wholly reliable, or never.
LEAST, MOST = 0.02, 0.97
#: What keeps a word from being asked for.
NEVER = 1e-12
#: What is assumed of every word where nothing is to be learnt.
FIXED = 0.95


class Reliability:
    """Counts words found and missed in matched records, by column and by word.

    strange: words of columns that nobody named, as long as no record was seen to hold them: the
        service need not hear them.
    """

    def __init__(self, lexicon: Lexicon, *, columns: bool, words: bool) -> None:
        self._lexicon = lexicon
        self._by_column, self._by_word = columns, words
        self._traits = np.zeros((2, 2 * len(lexicon.columns)))
        self._words = np.zeros((2, len(lexicon.words)))
        self._promises = np.zeros((2, len(lexicon.words)))
        self._believed = np.ones(len(lexicon.words))
        self.strange: NDArray[np.bool_] = np.logical_not(lexicon.named_words)
        self.logs = np.log(self._rates())

    def note(
        self, rows: Sequence[int], kept: Sequence[Sequence[int]], asked: Sequence[int]
    ) -> None:
        """Take note of matched records: which words of its row each holds, but those asked for."""
        seen = [word for row in rows for word in self._lexicon.of(row).tolist()]
        found = [word for some in kept for word in some]
        for line, words in enumerate((found, seen)):
            here = np.array([word for word in words if word not in asked], dtype=np.int64)
            np.add.at(self._words[line], here, 1)
            np.add.at(self._traits[line], self._lexicon.trait[here], 1)

    def meet(self, words: Sequence[int]) -> None:
        """Take note of words that the service has: they may be asked for from the next fit on."""
        self.strange[list(words)] = False

    def promise(self, query: Sequence[int], expected: float, came: int) -> bool:
        """Compare what was expected of a query with words of other columns with what came.

        Such a word may stand in the records of some rows and not in those of others: when the
        former are covered it is of no more use. Tell whether much less is to be expected now.
        """
        words = [word for word in query if self._lexicon.is_other(word)]
        if not words:
            return False
        self._promises[:, words] *= LATELY
        self._promises[0, words] += came
        self._promises[1, words] += expected
        return bool((self._kept()[words] < 0.5 * self._believed[words]).any())

    def _kept(self) -> Floats:
        """Return the part of what words promised lately that they kept."""
        kept: Floats = np.minimum((self._promises[0] + 1) / (self._promises[1] + 1), 1.0)
        return kept

    def blame(self, query: Sequence[int]) -> None:
        """Take note of a query that matched nothing at all: one of its words is to blame."""
        self._words[1, list(query)] += 1 / len(query)

    def fit(self) -> None:
        """Bring the rates up to date."""
        self._believed = self._kept()
        self.logs = np.log(self._rates())

    def of(self, query: Sequence[int]) -> float:
        """Return the chance that the record of a row holds all words of a query."""
        return float(np.exp(self.logs[list(query)].sum()))

    @property
    def columns(self) -> dict[str, float]:
        """How often words of each column were found, in percent, where there were any."""
        found, seen = self._traits.reshape(2, -1, 2).sum(axis=2)
        names = enumerate(self._lexicon.columns)
        return {name: round(100 * found[at] / seen[at]) for at, name in names if seen[at]}

    def _rates(self) -> Floats:
        if not self._by_column:
            return np.where(self.strange, NEVER, FIXED)
        prior = np.tile([PLAIN, DIGITS], len(self._lexicon.columns))
        prior[2 * self._lexicon.named :] = OTHERS
        by_trait = (self._traits[0] + OF_COLUMN * prior) / (self._traits[1] + OF_COLUMN)
        rate = by_trait[self._lexicon.trait]
        if self._by_word:
            rate = (self._words[0] + OF_WORD * rate) / (self._words[1] + OF_WORD)
        rate = np.clip(rate, LEAST, MOST) * self._believed
        rates: Floats = np.where(self.strange, NEVER, rate)
        return rates


#: How fast trust follows what came, its bounds, and what is expected of a call to begin with.
PACE, TRUSTED, EXPECTED = 0.05, (0.1, 1.5), 1.0


class Trust:
    """How far what is expected of each kind of calls comes true.

    of: a factor for each kind; what is expected is multiplied by it.
    """

    def __init__(self) -> None:
        self.of: dict[str, float] = {}
        self._usual: dict[str, float] = {}

    def note(self, kind: str, expected: float, came: int) -> None:
        """Compare what was expected of a call with what came."""
        usual = LATELY * self._usual.get(kind, EXPECTED) + (1 - LATELY) * expected
        self._usual[kind] = usual
        off = min(max((came - expected) / max(usual, SMALL_CALL), -1.0), 5.0)
        trust = self.of.get(kind, 1.0) * math.exp(PACE * off)
        self.of[kind] = min(max(trust, TRUSTED[0]), TRUSTED[1])


#: Less is not expected of a usual call.
SMALL_CALL = 0.05
#: The part of rows believed to be present before anything is known, and the rows it counts for.
BELIEVED, COUNTS = 0.8, 4.0
#: Bounds of that part, once it is learnt.
RANGE = (0.03, 0.97)
#: Words in fewer rows say nothing of other rows.
LEAST_ROWS = 3
#: Of the regression: the penalty, and how many steps are made at each fit.
PENALTY, STEPS = 3.0, 5
#: To what degree a likeness may be believed, and how much what it foretold counts for that: rows
#: that are found or missed together are no witnesses each of its own.
DEGREES, TRUST = (0.5, 1.0), 0.3
#: How much a miss can be held to count for.
STRENGTH = (0.2, 1.2)
#: Words of columns that nobody named say no more than that against a row, all together: a date
#: that is missing in one person's record is missing in those of most.
HINTED = math.log(0.3)
#: A row of which less of its chance is left counts as missed.
DOUBTED = 0.5


class Presence:
    """The chance of each row to be present, given the queries that missed it.

    lost: log of the chance that a present row would have been missed like that.
    """

    def __init__(self, lexicon: Lexicon, *, likeness: bool, removal: bool) -> None:
        self._removal = removal
        tables = [lexicon.table(LEAST_ROWS)] if likeness else []
        if likeness and lexicon.named < len(lexicon.columns):
            named = lexicon.trait[lexicon.frequency >= LEAST_ROWS] // 2 < lexicon.named
            tables.insert(0, tables[0][:, np.flatnonzero(named)].tocsr())
        self._likenesses = [Likeness(table) for table in tables]
        self._scores = np.zeros(1 + len(DEGREES) * len(tables))
        self.believed = BELIEVED
        self.strength = 1.0
        self._expected = self._returned = 0.0
        self.lost = np.zeros(lexicon.size)
        self._hinted = np.zeros(lexicon.size)
        self._told = np.zeros(lexicon.size, dtype=bool)
        self._prior = np.full(lexicon.size, BELIEVED)
        self.chance = self._prior.copy()

    def miss(self, rows: NDArray[np.integer], found: float) -> None:
        """Doubt rows that an answer would have brought with that chance, were they present."""
        self.shift(rows, math.log(1 - min(found, 0.97)))

    def shift(self, rows: NDArray[np.integer], by: float, *, hint: bool = False) -> None:
        """Change the log of the chance that rows were missed although they are present.

        hint: they were missed by words of columns that nobody named.
        """
        if self._removal:
            before = np.maximum(self._hinted[rows], HINTED)
            (self._hinted if hint else self.lost)[rows] += by
            self.lost[rows] += np.maximum(self._hinted[rows], HINTED) - before
            self.chance[rows] = self._posterior(rows)

    def doubted(self, rows: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Tell which rows were missed before."""
        missed: NDArray[np.bool_] = self.lost[rows] < math.log(DOUBTED)
        return missed

    def weigh(self, expected: float, returned: float) -> None:
        """Compare how many doubted rows an answer was expected to bring with how many came."""
        self._expected += expected
        self._returned += returned
        ratio = (self._expected + 2.0) / (self._returned + 2.0)
        self.strength = min(max(ratio, STRENGTH[0]), STRENGTH[1])

    def fit(self, covered: NDArray[np.bool_]) -> None:
        """Learn how many rows are present, and which."""
        tried = np.flatnonzero(covered | (self.lost < 0))
        if len(tried) and self._removal:
            self._compare(tried[~self._told[tried]], covered)
            labels = np.where(covered[tried], 1.0, self._posterior(tried))
            weights = np.where(covered[tried], 1.0, 1 - np.exp(self.lost[tried]))
            total = dot(weights, labels) + COUNTS * BELIEVED
            believed = total / (float(weights.sum()) + COUNTS)
            self.believed = min(max(believed, RANGE[0]), RANGE[1])
            for likeness in self._likenesses:
                likeness.learn(tried, labels, weights, _odds(self.believed))
        chances = self._chances(np.arange(len(self.lost)))
        trust = np.exp(self._scores - self._scores.max())
        self._prior = np.asarray(times(chances.T, trust) / trust.sum())
        self.chance = self._posterior(np.arange(len(self.lost)))

    def _chances(self, rows: NDArray[np.integer]) -> Floats:
        """Return the chance of rows before they were looked for, by each way to tell it."""
        odds = _odds(self.believed)
        alike = [each.odds[rows] for each in self._likenesses]
        lines = [degree * one for one in alike for degree in DEGREES]
        chances: Floats = _logistic(odds + np.array([np.zeros(len(rows)), *lines]))
        return chances

    def _compare(self, rows: NDArray[np.integer], covered: NDArray[np.bool_]) -> None:
        """See how well each way foretold what is known now of rows that were not looked for."""
        self._told[rows] = True
        chances = self._chances(rows)
        came = covered[rows]
        missed = 1 - chances * (1 - np.exp(self.lost[rows]))
        self._scores += TRUST * np.log(np.where(came, chances, missed)).sum(axis=1)

    def _posterior(self, rows: NDArray[np.integer]) -> Floats:
        kept = np.exp(self.strength * self.lost[rows]) * self._prior[rows]
        chance: Floats = kept / (kept + 1 - self._prior[rows])
        return chance


class Likeness:
    """A logistic regression over words: rows like those that were missed are doubted too.

    odds: what it adds to the log odds of each row.
    """

    def __init__(self, table: "sparse.csr_matrix[np.float64]") -> None:
        self._table = table
        self._weights = np.zeros(table.shape[1])
        self.odds = np.zeros(table.shape[0])

    def learn(
        self, rows: NDArray[np.integer], labels: Floats, weights: Floats, believed: float
    ) -> None:
        """Go some steps towards the weights of words that fit what is known of the rows."""
        table = self._table[rows]
        turned = table.T.tocsr()
        curve = 0.25 * (turned @ weights) + PENALTY
        for _ in range(STEPS):
            guess = _logistic(believed + table @ self._weights)
            gradient = turned @ (weights * (labels - guess)) - PENALTY * self._weights
            # A row's words all move at once: a quarter of a step each keeps them from overshooting.
            self._weights = self._weights + gradient / (4 * curve)
        self.odds = self._table @ self._weights


def _odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def _logistic(odds: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-odds))
    return chance


#: Changes of less than that wait until they add up.
SMALL = 0.005
#: Where more rows changed than this part, sums over them are made anew.
MANY = 0.1
Rows = NDArray[np.integer]


class Sums(Protocol):
    """Somebody who keeps sums of weights."""

    def shift(self, rows: Rows, changes: Floats) -> None:
        """Hear that some weights changed."""

    def recount(self, weights: Floats) -> None:
        """Hear that many did."""


class RowValues:
    """The weight of each row; tells those who keep sums of them about changes."""

    def __init__(self, chance: Floats) -> None:
        self.weights = chance.copy()
        self.sums: Sums | None = None
        self._left = np.ones(len(chance))  # what calls in flight leave of each row
        self._held: dict[int, tuple[Rows, float]] = {}

    def hold(self, number: int, rows: Rows, found: float) -> Rows:
        """Discount rows that a call in flight will find with that chance."""
        self._held[number] = rows, found
        self._left[rows] *= 1 - found
        return rows

    def release(self, number: int) -> Rows:
        """Its answer is in: return the rows that were discounted."""
        rows, _ = self._held.pop(number, (np.zeros(0, dtype=np.int64), 0.0))
        self._left[rows] = 1.0
        for others, found in self._held.values():
            self._left[others[np.isin(others, rows)]] *= 1 - found
        return rows

    def update(self, rows: Rows, chance: Floats, covered: NDArray[np.bool_]) -> None:
        """Weigh some rows anew."""
        new = np.where(covered[rows], 0.0, chance[rows] * self._left[rows])
        changes = new - self.weights[rows]
        large = np.abs(changes) > SMALL
        self.weights[rows[large]] = new[large]
        if self.sums:
            self.sums.shift(rows[large], changes[large])

    def renew(self, chance: Floats, covered: NDArray[np.bool_]) -> None:
        """Weigh all rows anew."""
        new = np.where(covered, 0.0, chance * self._left)
        changes = new - self.weights
        large = np.flatnonzero(np.abs(changes) > SMALL)
        if self.sums and len(large) <= MANY * len(new):
            self.weights[large] = new[large]
            self.sums.shift(large, changes[large])
            return
        self.weights = new
        if self.sums:
            self.sums.recount(new)
