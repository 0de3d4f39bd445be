"""The query pool (section 3.1): words and pairs of words that rows share, and a query a row.

The paper mines frequent itemsets of any length. Here they end at two words: longer ones add
less than a point of coverage, and pairs fall out of one sparse product. Nothing is stored per
pair and row: which rows satisfy a query is read off inverted lists, which queries a row satisfies
off the sorted keys of its pairs.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from filon.page.words import keywords
from filon.verbs.enrich.strategies.lexicon import (
    BLOCK,
    WIDEST,
    Ints,
    Lists,
    Longs,
    common,
    frequent_pairs,
    invert,
    places_of,
    read,
    starts_of,
    undominated,
)

#: More pairs than that are not kept: the rarest go. 100k papers with all fields have 2 million.
MOST_PAIRS = 4_000_000


@lru_cache(maxsize=256)
def _pairs_of(number: int) -> tuple[Longs, Longs]:
    """Return each pair of so many places, the first one first."""
    return np.triu_indices(number, 1)


class Pool:
    """Queries by number: single words first, then pairs, then whole rows.

    frequency: |q(D)| of each query: how many rows hold all its words; 0 for a query that is
        dominated by a whole row and should not be asked.
    own: the query of each row that is made of all its words; -1 for a row without words. Equal
        rows share one, and a row of one or two words may share that of others.
    t: how frequent words and pairs are at least; higher than asked for where there were too many.

    >>> pool = Pool.of(["Thai House", "Thai Noodle House", "Noodle Bar House"])
    >>> [pool.text(query) for query in range(len(pool))]
    ['house', 'thai house', 'house noodle', 'thai noodle house', 'noodle bar house']
    >>> pool.rows(2).tolist(), pool.forward(1).tolist()
    ([1, 2], [0, 1, 2, 3])
    """

    def __init__(self, words: list[str], held: Lists, t: int, most_pairs: int) -> None:
        self.words = words
        self._held = held
        self._inverted = invert(held, len(words))
        self._id = {word: number for number, word in enumerate(words)}
        self._keys, counts, self.t = frequent_pairs(held, self._inverted, t, most_pairs)
        singles = undominated(self._inverted, self._keys, counts, t)
        self._singles = singles
        self._single = np.full(len(words), -1, dtype=np.int64)
        self._single[singles] = np.arange(len(singles))
        self._rows, self.own = self._own_queries()
        own = _own_frequency(held, self._inverted, self._rows)
        shared = np.concatenate([self._inverted.lengths[singles], counts])
        self.frequency: Ints = np.concatenate([shared, own]).astype(np.int32)
        self._by_rarest = self._index_own()
        self._drop_dominated_by_rows()

    @classmethod
    def of(cls, documents: Sequence[str], *, t: int = 2, most_pairs: int = MOST_PAIRS) -> "Pool":
        """Return the pool of a table, given the text of each row."""
        words, held, _ = read(documents)
        return cls(words, held, max(t, 1), most_pairs)

    def __len__(self) -> int:
        return len(self.frequency)

    def word_ids(self, query: int) -> Ints:
        """Return the words of a query by number, those of a row in its order."""
        if query < len(self._singles):
            return self._singles[query : query + 1]
        place = query - len(self._singles)
        if place < len(self._keys):
            key = int(self._keys[place])
            return np.array(divmod(key, len(self.words)), dtype=np.int32)
        return self._held.of(int(self._rows[place - len(self._keys)]))

    def text(self, query: int) -> str:
        """Return the keywords of a query."""
        return " ".join(self.words[word] for word in self.word_ids(query))

    def rows(self, query: int) -> Ints:
        """Return q(D): the rows that hold all words of a query."""
        lists = sorted((self._inverted.of(int(word)) for word in self.word_ids(query)), key=len)
        found = lists[0]
        for other in lists[1:]:
            if len(found) < 2 and query >= self._first_own:
                break  # the row itself
            found = common(found, other)
        return found

    def forward(self, row: int) -> Longs:
        """Return F(d): the queries that a row satisfies, in ascending order."""
        return self._satisfied(self._held.of(row))

    def satisfied(self, document: str) -> Longs:
        """Return the queries that a text from elsewhere satisfies, in ascending order."""
        known = [self._id[word] for word in keywords(document) if word in self._id]
        return self._satisfied(np.array(known, dtype=np.int32))

    def frequency_in(self, documents: Sequence[str]) -> Ints:
        """Return how many of other documents satisfy each query: |q(Hs)|."""
        counts = np.zeros(len(self), dtype=np.int32)
        for document in documents:
            counts[self.satisfied(document)] += 1
        return counts

    @property
    def _first_own(self) -> int:
        return len(self._singles) + len(self._keys)

    def _satisfied(self, words: Ints) -> Longs:
        ordered = np.sort(words).astype(np.int64)
        return np.concatenate([self._satisfied_shared(ordered), self._whole(ordered)])

    def _satisfied_shared(self, ordered: Longs) -> Longs:
        singles = self._single[ordered]
        keys = ordered[:, None] * len(self.words) + ordered
        wanted = keys[_pairs_of(len(ordered))]
        places = np.searchsorted(self._keys, wanted)
        places[places == len(self._keys)] = 0
        hit = self._keys[places] == wanted if len(self._keys) else np.zeros(0, dtype=bool)
        pairs = np.sort(places[hit]) + len(self._singles)
        return np.concatenate([singles[singles >= 0], pairs])

    def _whole(self, words: Longs) -> Longs:
        """Return the queries of whole rows whose words are all among these."""
        near = np.concatenate([self._by_rarest.of(int(word)) for word in words] or [_NONE])
        if not len(near):
            return near.astype(np.int64)
        rows = self._rows[near]
        starts, ends = self._held.starts[rows], self._held.starts[rows + 1]
        among = np.zeros(len(self.words), dtype=bool)
        among[words] = True
        fits = [among[self._held.values[a:b]].all() for a, b in zip(starts, ends, strict=True)]
        return np.sort(near[np.array(fits, dtype=bool)]).astype(np.int64) + self._first_own

    def _own_queries(self) -> tuple[Longs, Longs]:
        """Return the rows whose query is a new one, and the query of every row."""
        seen: dict[bytes, int] = {}
        rows: list[int] = []
        own = np.full(len(self._held.starts) - 1, -1, dtype=np.int64)
        for row in np.flatnonzero(self._held.lengths):
            words = np.sort(self._held.of(int(row)))
            query = self._shared(words)
            if query < 0:
                query = seen.setdefault(words.tobytes(), self._first_own + len(rows))
                if query == self._first_own + len(rows):
                    rows.append(int(row))
            own[row] = query
        return np.array(rows, dtype=np.int64), own

    def _shared(self, words: Ints) -> int:
        """Return the single word or pair that these words are; -1 where there is none."""
        if len(words) == 1:
            return int(self._single[words[0]])
        if len(words) != 2:
            return -1
        key = int(words[0]) * len(self.words) + int(words[1])
        place = int(np.searchsorted(self._keys, key))
        there = place < len(self._keys) and self._keys[place] == key
        return len(self._singles) + place if there else -1

    def _index_own(self) -> Lists:
        """Return, for each word, the queries of whole rows in which it is the rarest."""
        rarest = _rarest(self._held, self._inverted, self._rows)
        order = np.argsort(rarest, kind="stable")
        counts = np.bincount(rarest, minlength=len(self.words))
        return Lists(starts_of(counts), order.astype(np.int32))

    def _drop_dominated_by_rows(self) -> None:
        """Set the frequency of what a whole row dominates to nothing: it is never worth a call."""
        for place in np.flatnonzero(self.frequency[self._first_own :] >= self.t):
            inside = self.forward(int(self._rows[place]))
            inside = inside[inside < self._first_own]
            equal = self.frequency[inside] == self.frequency[self._first_own + place]
            self.frequency[inside[equal]] = 0


_NONE = np.zeros(0, dtype=np.int32)


def _rarest(held: Lists, inverted: Lists, rows: Longs) -> Longs:
    """Return the word of each row that the fewest rows hold."""
    if not len(rows):
        return np.zeros(0, dtype=np.int64)
    lengths = held.lengths[rows]
    places = places_of(held.starts[rows], lengths)
    words = held.values[places].astype(np.int64)
    group = np.repeat(np.arange(len(rows)), lengths)
    order = np.lexsort((words, inverted.lengths[words], group))
    return words[order][starts_of(lengths)[:-1]]


def _own_frequency(held: Lists, inverted: Lists, rows: Longs) -> Ints:
    """Return how many rows hold all words of each of these rows."""
    counts = np.ones(len(rows), dtype=np.int32)
    rarest = _rarest(held, inverted, rows)
    ordered = np.sort(_membership(held, inverted))
    unsure = np.flatnonzero(inverted.lengths[rarest] > 1)
    effort = np.cumsum(inverted.lengths[rarest[unsure]]) // BLOCK
    for block in np.unique(effort):
        some = unsure[effort == block]
        counts[some] = _containing(held, inverted, rows[some], rarest[some], ordered)
    return counts


def _membership(held: Lists, inverted: Lists) -> Longs:
    rows = np.repeat(np.arange(len(held.starts) - 1, dtype=np.int64), held.lengths)
    return rows * (len(inverted.starts) - 1) + held.values


def _containing(
    held: Lists, inverted: Lists, rows: Longs, rarest: Longs, membership: Longs
) -> Ints:
    """Go through the rows' words one by one and keep the candidates that hold them all."""
    lengths = inverted.lengths[rarest]
    asker = np.repeat(np.arange(len(rows)), lengths)
    other = inverted.values[places_of(inverted.starts[rarest], lengths)].astype(np.int64)
    sizes = held.lengths
    big_enough = sizes[other] >= sizes[rows[asker]]
    asker, other = asker[big_enough], other[big_enough]
    counts = np.zeros(len(rows), dtype=np.int32)
    for place in range(WIDEST + 1):
        ended = sizes[rows[asker]] == place
        counts += np.bincount(asker[ended], minlength=len(rows)).astype(np.int32)
        asker, other = asker[~ended], other[~ended]
        if not len(asker):
            break
        word = held.values[held.starts[rows[asker]] + place]
        key = other * (len(inverted.starts) - 1) + word
        found = membership[np.searchsorted(membership, key) % len(membership)] == key
        asker, other = asker[found], other[found]
    return counts
