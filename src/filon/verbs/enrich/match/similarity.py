"""How alike two values of a kind are, from 0 to 1; not a number where one of them is missing.

The table and the records are normalised so that they can be laid beside each other.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache, partial
from typing import Self

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, JaroWinkler

from filon.core.service import Record
from filon.verbs.enrich.match.align import Alignment
from filon.verbs.enrich.match.cosine import Cosine
from filon.verbs.enrich.match.identifiers import is_whole
from filon.verbs.enrich.match.kinds import Person, Text, Value, normalise

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
#: Two family names alike enough to be one name with a slip of the pen.
SAME_NAME = 0.9


class Rarity:
    """How much a word says: the rarer in the table, the more.

    Weights are whole numbers, so that sums do not depend on the order of a set.
    """

    def __init__(self, texts: Sequence[Text]) -> None:
        counts: dict[str, int] = {}
        for text in texts:
            for word in frozenset(text.words):
                counts[word] = counts.get(word, 0) + 1
        self._size = 1 + len(texts)
        self._weights = {word: self._weigh(count) for word, count in counts.items()}
        self._unseen = self._weigh(0)
        #: What is needed of a whole text, which is compared many times.
        self.whole = lru_cache(maxsize=1 << 16)(self._whole)

    def _weigh(self, count: int) -> int:
        return int(256 * math.log(1 + self._size / (1 + count)))

    def of(self, words: frozenset[str]) -> int:
        """Return what words weigh together."""
        weights, unseen = self._weights, self._unseen
        return sum([weights.get(word, unseen) for word in words])

    def _whole(self, text: Text) -> tuple[frozenset[str], int, str]:
        """Return the words of a text, what they weigh together, and the words in sorted order."""
        held = text.words
        words = frozenset(held)
        return words, self.of(words), " ".join(sorted(held))


def text_similarity(a: Text, b: Text, rarity: Rarity) -> float:
    """Half the weight of the words that are shared, half the letters in their order.

    Rare words tell one title from the next; letters forgive slips and words run together.
    """
    if a.line == b.line:
        return 1.0
    (ours, whole, sorted_a), (theirs, other, sorted_b) = rarity.whole(a), rarity.whole(b)
    shared = rarity.of(ours & theirs)
    dice = 2 * shared / (whole + other)
    inside = shared / min(whole, other)
    letters = max(
        Indel.normalized_similarity(a.line, b.line),
        Indel.normalized_similarity(sorted_a, sorted_b),
    )
    return 0.35 * dice + 0.15 * inside + 0.5 * letters


def names_similarity(a: tuple[Person, ...], b: tuple[Person, ...]) -> float:
    """The part of the people that both lists name.

    Lists are cut short more often than they are wrong, so the shorter list counts more.
    """
    left = list(b)
    shared = 0.0
    for person in a:
        best, found = 0.0, -1
        for at, other in enumerate(left):
            alike = _same_person(person, other)
            if alike > best:
                best, found = alike, at
        if found >= 0:
            shared += best
            del left[found]
    return 0.6 * shared / min(len(a), len(b)) + 0.4 * shared / max(len(a), len(b))


def _same_person(a: Person, b: Person) -> float:
    if a.family != b.family:
        close = JaroWinkler.similarity(a.family, b.family, score_cutoff=SAME_NAME)
        if close == 0.0:
            # Family and given name the other way round, as far as initials tell.
            return 0.0
        family = 0.85
    else:
        family = 1.0
    if a.initials and b.initials and a.initials[0] != b.initials[0]:
        return 0.4 * family if set(a.initials) & set(b.initials) else 0.2 * family
    return family


def number_similarity(a: float, b: float) -> float:
    """1 where equal, about a half where they differ by a seventh."""
    if a == b:
        return 1.0
    return math.exp(-5 * abs(a - b) / max(abs(a), abs(b)))


def date_similarity(a: tuple[int, int, int], b: tuple[int, int, int]) -> float:
    """Equal as far as both say; a year off is usual where something came out twice."""
    if a[0] != b[0]:
        return (0.0, 0.6, 0.35, 0.2)[abs(a[0] - b[0])] if abs(a[0] - b[0]) < 4 else 0.0
    if 0 in (a[1], b[1]) or a[1] == b[1]:
        return 1.0 if 0 in (a[2], b[2]) or a[2] == b[2] else 0.9
    # The day and the month the other way round are the same date.
    return 1.0 if a[1] == b[2] and a[2] == b[1] else 0.8


def code_similarity(a: str, b: str) -> float:
    """Codes are equal or not; one within the other, and slips, count for something.

    Not so of identifiers: another ISBN is another book, and nearly all of its digits are the same.
    """
    if a == b:
        return 1.0
    ours, theirs = a.split(" "), b.split(" ")
    if set(ours) & set(theirs):
        return 1.0
    if all(map(is_whole, ours)) and all(map(is_whole, theirs)):
        return 0.0
    short, long = sorted((a, b), key=len)
    if len(short) >= 4 and short in long:
        return 0.75 + 0.2 * len(short) / len(long)
    return 0.7 * float(Indel.normalized_similarity(a, b)) ** 2


_PLAIN: Mapping[str, Callable[..., float]] = {
    "names": names_similarity,
    "number": number_similarity,
    "date": date_similarity,
    "code": code_similarity,
}


def similarities(
    kind: str, pairs: Sequence[tuple[Value | None, Value | None]], rarity: Rarity
) -> Floats:
    """Return how alike the values of each pair are; not a number where one is missing."""
    if kind == "text":
        return _each(partial(text_similarity, rarity=rarity), pairs)
    return _each(_PLAIN[kind], pairs)


def _each(
    alike: Callable[..., float], pairs: Sequence[tuple[Value | None, Value | None]]
) -> Floats:
    found = (math.nan if a is None or b is None else alike(a, b) for a, b in pairs)
    return np.fromiter(found, dtype=np.float64, count=len(pairs))


#: The values of a row or a record, one for each pairing of the alignment.
Values = tuple[Value | None, ...]


#: How alike a code and a text that holds it are: nearly as good as two equal codes.
ELSEWHERE = 0.9
#: Characters of a cell that are compared: what tells a thing from others stands at its start, and
#: a whole book in a cell must not take hours.
LOOK_AT = 5000
#: Codes shorter than this stand in texts by chance.
LONG = 4


class Comparison:
    """Compares rows of a table with records, pairing by pairing.

    rows: the table's values; equal rows are held once, `spots` says where each stands.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]], alignment: Alignment) -> None:
        self.pairings = alignment.pairings
        cells = zip(*(columns[pairing.column] for pairing in self.pairings), strict=True)
        self.spots: dict[Values, list[int]] = {}
        for row, texts in enumerate(cells):
            self.spots.setdefault(self._values(texts), []).append(row)
        self.rows = list(self.spots)
        firsts = np.fromiter((rows[0] for rows in self.spots.values()), np.int64, len(self.rows))
        self._number = np.zeros(int(firsts.max(initial=-1)) + 1, dtype=np.int32)
        self._number[firsts] = np.arange(len(firsts))
        self._rarities = [self._rarity(at) for at in range(len(self.pairings))]
        self._cosines: Mapping[int, Cosine] = {}

    def values(self, record: Record) -> Values:
        """Return the values of a record."""
        return self._values(tuple(record.fields.get(pair.field, "") for pair in self.pairings))

    def by_words(self, at: Iterable[int], values: Sequence[Values], near: bool) -> Self:
        """Return one that compares the texts of some pairings by their rare words alone.

        values: the rows and records by which it is known which words are rare.
        near: whether words that are spelt nearly alike count.
        """
        made = copy(self)
        made._cosines = {
            each: Cosine((text for held in values if isinstance(text := held[each], Text)), near)
            for each in at
        }
        return made

    def equal(self, values: Values) -> int | None:
        """Return the row of which a record says the very same; None where there is none."""
        if all(value is None for value in values):
            return None
        found = self.spots.get(values)
        return int(self._number[found[0]]) if found else None

    def compare(self, ours: Sequence[Values], theirs: Sequence[Values]) -> Floats:
        """Return a line for each pair of values, with a similarity for each pairing."""
        table = np.empty((len(ours), len(self.pairings)))
        for at, pairing in enumerate(self.pairings):
            pairs = [(a[at], b[at]) for a, b in zip(ours, theirs, strict=True)]
            if at in self._cosines:
                table[:, at] = _each(self._cosines[at].similarity, pairs)
            else:
                table[:, at] = similarities(pairing.kind, pairs, self._rarities[at])
            if pairing.kind == "code":
                self._look_elsewhere(table[:, at], at, ours, theirs)
        return table

    def _look_elsewhere(
        self, found: Floats, at: int, ours: Sequence[Values], theirs: Sequence[Values]
    ) -> None:
        """A code that one side lacks, or has another of, often stands in the other's text."""
        for pair in np.flatnonzero(~(found >= ELSEWHERE)).tolist():
            a, b = ours[pair], theirs[pair]
            if _within(a[at], b) or _within(b[at], a):
                found[pair] = ELSEWHERE

    def words(self, values: Values) -> frozenset[str]:
        """Return the words of a row or a record."""
        found: set[str] = set()
        for value in values:
            if isinstance(value, Text):
                found.update(value.words)
            elif isinstance(value, str):
                found.update(value.split(" "))
            elif isinstance(value, tuple) and value and not isinstance(value[0], int):
                found.update(person.family for person in value)
        return frozenset(found)

    def keys(self, values: Values) -> frozenset[str]:
        """Return by what a row or a record can be found: its words, its numbers and its years.

        Among namesakes only a number or a year tells who is who.
        """
        found = set(self.words(values))
        for at, value in enumerate(values):
            if isinstance(value, float):
                found.add(f"{at}={value:g}")
            elif isinstance(value, tuple) and value and isinstance(value[0], int):
                found.add(f"{at}={value[0]}")
        return frozenset(found)

    def _values(self, texts: tuple[str, ...]) -> Values:
        return tuple(
            normalise(pairing.kind, text[:LOOK_AT])
            for pairing, text in zip(self.pairings, texts, strict=True)
        )

    def _rarity(self, at: int) -> Rarity:
        held = (row[at] for row in self.rows)
        return Rarity([value for value in held if isinstance(value, Text)])


def _within(code: Value | None, values: Values) -> bool:
    if not isinstance(code, str) or len(code) < LONG:
        return False
    return any(isinstance(value, Text) and code in value.line.replace(" ", "") for value in values)
