"""Which columns of tables that are put below each other are one: by their names alone.

A column that goes into the wrong one is a mistake that nobody sees in a million rows, so that names
that are only alike (`population_male`, `population_female`) stay apart.
"""

import re
from collections.abc import Callable, Hashable, Sequence

from filon.catalog.words import fold
from filon.profile.values import distinct

#: What only parts words; signs such as % or < say something.
_BREAK = re.compile(r"[\s_\-‐-―.,;:!?·()\[\]{}'\"’‘“”/\\|]+")
#: A shorter word with an s behind it is another word.
_SHORTEST = 3


def aligned(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return for each column the name of a known one that is the same, or else a name of its own.

    Equal names come first, then those that differ in case, accents, punctuation and spaces, then
    those of which one has a word in the plural.

    >>> aligned(["Units", "année", "GNP"], ["Annee", "Unit", "GDP"])
    ['Unit', 'Annee', 'GNP']
    """
    found: dict[int, str] = {}
    for key, is_same in _PASSES:
        free: dict[Hashable, list[str]] = {}
        taken = set(found.values())
        for name in known:
            if name not in taken:
                free.setdefault(key(name), []).append(name)
        for place, name in enumerate(names):
            others = free.get(key(name), [])
            best = next((one for one in others if is_same(name, one)), None)
            if place not in found and best is not None:
                found[place] = best
                others.remove(best)
    own = [place for place in range(len(names)) if place not in found]
    new = distinct([*known, *(names[place] for place in own)])[len(known) :]
    found.update(zip(own, new, strict=True))
    return [found[place] for place in range(len(names))]


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


def _words(name: str) -> list[str]:
    return [word for word in _BREAK.split(fold(name)) if word]


def _beginnings(name: str) -> Hashable:
    return tuple(word[:_SHORTEST] for word in _words(name))


#: What is the same of names that may be one, and whether they are: the surest first.
_PASSES: tuple[tuple[Callable[[str], Hashable], Callable[[str, str], bool]], ...] = (
    (str, str.__eq__),
    (spelling, lambda name, _: bool(_words(name))),
    (_beginnings, is_plural),
)
