"""Which columns of two tables are one: the rule of `union`, and of what `similar` advises to unite.

By their names, where both say something: a column that goes into the wrong one is a mistake that
nobody sees in a million rows, so that names that are only alike (`population_male`,
`population_female`) stay apart, whatever their values. A name that says nothing (`column 3`, `X12`,
`GEO`) gives way to the values: where they are those of one column of the other, and of no other.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from filon.catalog.words import fold
from filon.profile.columns import SKETCH
from filon.profile.values import distinct

#: Columns of a union that say where a row is from: no other is called so.
FILE, SOURCE = "filon_file", "filon_source"
#: What only parts words; signs such as % or < say something.
_BREAK = re.compile(r"[\s_\-‐-―.,;:!?·()\[\]{}'\"’‘“”/\\|]+")
#: A shorter word with an s behind it is another word.
_SHORTEST = 3
#: Words that say no more than that it is a column.
_SILENT = frozenset(
    ("column", "columna", "colonne", "coluna", "spalte", "field", "feld", "variable", "unnamed")
)
#: Words in capitals up to this length are codes.
_LONGEST_CODE = 3
_LETTERS = re.compile(r"[^\W\d_]+")
#: Columns are the same by values where so many of the one with fewer are in the other; where it
#: has few, so many of those of both, as some come together by chance.
SAME_OF_MANY, SAME_OF_FEW, MANY = 0.3, 0.5, 10
#: Pairs of columns that are compared by values: with more, two tables of ten thousand nameless
#: columns would take an hour.
MOST_PAIRS = 100_000


@dataclass(frozen=True)
class Described:
    """A column as it is compared: its name, and what a profile tells of its values, if any does."""

    name: str
    kind: str = ""
    sketch: bytes = b""
    distinct: int = 0
    filled: int = 0

    @cached_property
    def speaks(self) -> bool:
        """Whether its name tells what is in it."""
        return speaks(self.name)

    @property
    def is_sample(self) -> bool:
        """Whether it may have more values elsewhere: hardly any comes again here."""
        return 2 * self.distinct >= self.filled

    @cached_property
    def values(self) -> frozenset[int]:
        """The hashes of its values, or the least of them."""
        return frozenset(np.frombuffer(self.sketch, "<u4").tolist())


def described(columns: Sequence[Mapping[str, Any] | sqlite3.Row]) -> list[Described]:
    """Return the columns of a table of the catalog as they are compared, with names of a union."""
    names = distinct([FILE, SOURCE, *(column["name"] for column in columns)])[2:]
    facts = ("kind", "sketch", "distinct", "filled")
    return [
        Described(name, *(column[fact] for fact in facts))
        for name, column in zip(names, columns, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Matched:
    """Which columns of two tables are one, by their places: by their names, or by their values."""

    by_name: dict[int, int]
    by_values: dict[int, int]

    @property
    def both(self) -> dict[int, int]:
        """All that are one."""
        return self.by_name | self.by_values


def matched(columns: Sequence[Described], others: Sequence[Described]) -> Matched:
    """Return which columns of two tables are one, each at most once."""
    by_name = _named([one.name for one in columns], [one.name for one in others])
    taken = set(by_name.values())
    left = [place for place in range(len(columns)) if place not in by_name]
    right = [place for place in range(len(others)) if place not in taken]
    return Matched(by_name, _valued(columns, others, left, right))


def aligned(columns: Sequence[Described], known: Sequence[Described]) -> list[str]:
    """Return for each column the name of a known one that is the same, or else a name of its own.

    >>> names = [Described(name) for name in ("Units", "année", "GNP")]
    >>> aligned(names, [Described(name) for name in ("Annee", "Unit", "GDP")])
    ['Unit', 'Annee', 'GNP']
    """
    found = {one: known[two].name for one, two in matched(columns, known).both.items()}
    own = [place for place in range(len(columns)) if place not in found]
    names = [one.name for one in known]
    new = distinct([*names, *(columns[place].name for place in own)])[len(names) :]
    found.update(zip(own, new, strict=True))
    return [found[place] for place in range(len(columns))]


def _named(names: Sequence[str], others: Sequence[str]) -> dict[int, int]:
    """Return the places of names that are the same.

    Equal names come first, then those that differ in case, accents, punctuation and spaces, then
    those of which one has a word in the plural.
    """
    found: dict[int, int] = {}
    for key, is_same in _PASSES:
        taken = set(found.values())
        if len(taken) == min(len(names), len(others)):
            break
        free: dict[Hashable, list[int]] = {}
        for place, name in enumerate(others):
            if place not in taken:
                free.setdefault(key(name), []).append(place)
        for place, name in enumerate(names):
            if place in found:
                continue
            near = free.get(key(name), [])
            best = next((one for one in near if is_same(name, others[one])), None)
            if best is not None:
                found[place] = best
                near.remove(best)
    return found


def _valued(
    columns: Sequence[Described],
    others: Sequence[Described],
    left: Sequence[int],
    right: Sequence[int],
) -> dict[int, int]:
    """Return the places of columns left over that are one by their values.

    The likest are taken first; of those that are as like to one as to another, none is.
    """
    pairs: dict[float, list[tuple[int, int]]] = {}
    if len(left) * len(right) > MOST_PAIRS:
        return {}
    for one in left:
        for two in right:
            if likeness := same_values(columns[one], others[two]):
                pairs.setdefault(likeness, []).append((one, two))
    found: dict[int, int] = {}
    tied: tuple[set[int], set[int]] = set(), set()
    for likeness in sorted(pairs, reverse=True):
        used = {*found.values()} | tied[1]
        free = [
            pair
            for pair in pairs[likeness]
            if pair[0] not in found and pair[0] not in tied[0] and pair[1] not in used
        ]
        ones, twos = (Counter(pair[side] for pair in free) for side in (0, 1))
        for one, two in free:
            if ones[one] == twos[two] == 1:
                found[one] = two
            else:
                tied[0].add(one)
                tied[1].add(two)
    found.update(_empty(columns, others, left, right))
    return found


def _empty(
    columns: Sequence[Described],
    others: Sequence[Described],
    left: Sequence[int],
    right: Sequence[int],
) -> Iterator[tuple[int, int]]:
    """Yield places of columns that hold nothing, where a name says as little: nothing is lost."""
    free = [two for two in right if others[two].kind == "empty"]
    for one in left:
        if columns[one].kind == "empty":
            near = (two for two in free if not (columns[one].speaks and others[two].speaks))
            if (two := next(near, None)) is not None:
                free.remove(two)
                yield one, two


def same_values(one: Described, other: Described) -> float:
    """Return how many of the values of two columns are in both, where they are the same by these.

    0 where they are not, or where both names say something.
    """
    if one.kind != other.kind or not one.sketch or not other.sketch:
        return 0.0
    if one.speaks and other.speaks:
        return 0.0
    fewer, more = sorted((one, other), key=lambda column: column.distinct)
    if 2 * fewer.distinct < more.distinct and not fewer.is_sample:
        return 0.0  # it has come to the end of its values, and the other goes on
    mine, theirs = one.values, other.values
    if SKETCH in (len(mine), len(theirs)):  # both know all up to the lesser end
        end = min(max(mine), max(theirs))
        mine = frozenset(hash for hash in mine if hash <= end)
        theirs = frozenset(hash for hash in theirs if hash <= end)
    both, all_of_them = len(mine & theirs), len(mine | theirs)
    least = min(len(mine), len(theirs))
    enough = SAME_OF_MANY * least if least >= MANY else SAME_OF_FEW * all_of_them
    return both / all_of_them if both and both >= enough else 0.0


@lru_cache(maxsize=1 << 16)
def speaks(name: str) -> bool:
    """Say whether a name of a column tells what is in it: it has a word that is no code.

    >>> speaks("Age"), speaks("人口"), speaks("v_on"), speaks("GEO"), speaks("Unnamed: 3")
    (True, True, False, False, False)
    """
    return any(
        (not word.isascii() and word.lower() == word.upper())  # a script without capitals
        or (len(word) >= _SHORTEST and not (word.isupper() and len(word) <= _LONGEST_CODE))
        for word in _LETTERS.findall(name)
        if word.lower() not in _SILENT
    )


@lru_cache(maxsize=1 << 16)
def spelling(name: str) -> str:
    """Return a name without case, accents, punctuation and spaces.

    >>> spelling("Unité_de mesure"), spelling("Age 1-5") == spelling("age 15"), spelling("Rate (%)")
    ('unitedemesure', False, 'rate%')
    """
    return re.sub(r"(?<!\d) | (?!\d)", "", " ".join(_words(name)))


def is_plural(name: str, other: str) -> bool:
    """Say whether two names differ in nothing but the plural of words, in either.

    >>> is_plural("Unit measures", "unit measure"), is_plural("Countries", "country")
    (True, True)
    >>> is_plural("Rate in 1990", "Rate in 1990s"), is_plural("male", "female")
    (False, False)
    """
    pairs = list(zip(_words(name), _words(other), strict=False))
    return len(pairs) == len(_words(name)) == len(_words(other)) > 0 and all(
        one == another or _many(one, another) or _many(another, one) for one, another in pairs
    )


def _many(word: str, plural: str) -> bool:
    if len(word) < _SHORTEST or not word.isalpha():
        return False
    ending = [f"{word[:-1]}ies"] if word.endswith("y") else []
    return plural in (f"{word}s", f"{word}es", *ending)


@lru_cache(maxsize=1 << 16)
def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in _BREAK.split(fold(name)) if word)


@lru_cache(maxsize=1 << 16)
def _beginnings(name: str) -> Hashable:
    return tuple(word[:_SHORTEST] for word in _words(name))


#: What is the same of names that may be one, and whether they are: the surest first.
_PASSES: tuple[tuple[Callable[[str], Hashable], Callable[[str, str], bool]], ...] = (
    (str, str.__eq__),
    (spelling, lambda name, _: bool(_words(name))),
    (_beginnings, is_plural),
)
