"""Words as the catalog knows them: without accents and case, names in their parts, word forms.

The index holds each word as it is written; forms of a word are looked for when it is asked for.
So no file needs a language, and an ending that is one in French does no harm in English.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

import snowballstemmer
from rapidfuzz.distance import Prefix

#: Whose endings are known (the stemmers of Snowball: Porter, 2001).
LANGUAGES = ("english", "french", "german", "spanish")
#: Of a shorter word there are no forms.
SHORTEST = 4
#: A number with points or hyphens in it, as of a chapter or an indicator, and a word.
_TOKEN = re.compile(r"\d+(?:[.\-]\d+){2,}|[^\W_]+")
#: Where a word begins within a name: gdpGrowth, GDPGrowth, gdp2020, 2020gdp.
_PARTS = re.compile(
    r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d])(?=\d{2})"
    r"|(?<=\d{2})(?=[^\W\d]{2})"
)
#: Scripts that put no space between words: each two signs are one.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]+")
_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "þ": "th"})
_LONGEST = 40
#: The longest ending that is taken off.
_ENDING = 5


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Return a word without case and accents.

    >>> fold("Région"), fold("STRASSE") == fold("Straße"), fold("łódź")
    ('region', True, 'lodz')
    """
    word = word.casefold()
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).translate(
        _LETTERS
    )


def words(text: str) -> Iterator[str]:
    """Yield the words of a text, folded; a name in its parts, too.

    >>> list(words("Taux de chômage, 8-1-1"))
    ['taux', 'de', 'chomage', '8.1.1']
    >>> list(words("gdpGrowth_2020"))
    ['gdpgrowth', 'gdp', 'growth', '2020']
    """
    for token in _TOKEN.findall(text):
        if not token.isascii() and (run := _UNSPACED.search(token)):
            yield from _unspaced(token, run)
            continue
        if token[0].isdigit():
            token = token.replace("-", ".")
        yield fold(token[:_LONGEST])
        parts = _PARTS.split(token) if len(token) > 4 else ()
        if len(parts) > 1:
            yield from (fold(part) for part in parts if len(part) > 1)


def _unspaced(token: str, run: re.Match[str]) -> Iterator[str]:
    signs = run[0]
    pairs = (signs[place : place + 2] for place in range(max(1, len(signs) - 1)))
    yield from pairs
    for rest in (token[: run.start()], token[run.end() :]):
        yield from words(rest)


@cache
def _stemmers() -> list[Any]:
    return [snowballstemmer.stemmer(language) for language in LANGUAGES]


@lru_cache(maxsize=1 << 14)
def stems(word: str) -> tuple[str, ...]:
    """Return what is left of a folded word without its ending, in each language."""
    return tuple(stemmer.stemWord(word) for stemmer in _stemmers())


def has_forms(word: str) -> bool:
    """Say whether a folded word may have other endings: it is long enough and no code."""
    return len(word) >= SHORTEST and word.isascii() and word.isalpha()


def beginning(word: str) -> str:
    """Return what all forms of a folded word begin with.

    >>> beginning("households"), beginning("cattle"), beginning("city")
    ('househ', 'catt', 'cit')
    """
    return word[: max(3, min(len(word) - 2, 6))] if len(word) > SHORTEST else word[:3]


def forms(word: str, others: Iterable[str]) -> list[str]:
    """Return which of some words are forms of a folded word: by the endings of one language.

    >>> forms("regions", ["region", "regional", "regiones", "regime"])
    ['region', 'regional', 'regiones']
    """
    mine = stems(word)
    return [
        other
        for other in others
        if other != word
        and _may_be_form(word, other)
        and any(one == two for one, two in zip(mine, stems(other), strict=True))
    ]


def _may_be_form(word: str, other: str) -> bool:
    """Say whether two words differ in no more than an ending: stemming takes its time."""
    same = Prefix.similarity(word, other)
    return max(len(word), len(other)) - same <= min(_ENDING, same) and has_forms(other)
