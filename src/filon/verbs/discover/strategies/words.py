"""The words of pages, and which of them are those of data portals, as learnt beforehand."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from typing import Any

from filon.learn.rank.vectors import tokens
from filon.verbs.discover.strategies.page import Page

#: A shorter one is a piece of something; a page that says less of itself is taken as a whole.
SHORTEST_WORD, FEWEST_WORDS = 3, 3


def meta_words(page: Page) -> list[str]:
    """Return the words that a page says of itself; of all its words where it says too little."""
    found = _long(tokens(page.meta))
    return found if len(found) >= FEWEST_WORDS else _long(tokens(page.text))


def all_words(page: Page) -> list[str]:
    """Return the words of a page that are made of letters."""
    return words_of(page.words)


def words_of(text: str) -> list[str]:
    """Return the words of a text that are made of letters and tell something."""
    return [word for word in _long(tokens(text)) if word.isalpha()]


def frequent(
    pages: Iterable[Page], words: Callable[[Page], list[str]], used: Iterable[str], most: int
) -> list[str]:
    """Return the words that pages have most often, without those used; equals by the alphabet."""
    counts = Counter(word for page in pages for word in words(page))
    for word in used:
        counts.pop(word, None)
    return [word for word, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:most]]


def _long(found: Iterable[str]) -> list[str]:
    return [word for word in found if len(word) >= SHORTEST_WORD and not word.isdigit()]


@cache
def shipped() -> dict[str, Any]:
    """Return what was learnt of portals beforehand, and the words that all of them have."""
    file = resources.files("filon.verbs.discover.strategies") / "portals.json"
    return dict(json.loads(file.read_text(encoding="utf-8")))


@cache
def _portal_words() -> dict[str, tuple[float, float]]:
    """Return the words of portals with their rarity and weight, as learnt beforehand."""
    told = shipped()
    return {
        word: (idf, weight)
        for word, idf, weight in zip(told["words"], told["idf"], told["weights"], strict=True)
    }


def portal_score(words: list[str]) -> float:
    """Return how much some words are those of a portal; above 0 is yes.

    It is what `LinearModel.scores` returns, for one text and without matrices.
    """
    counts, known = Counter(words), _portal_words()
    most = max(counts.values(), default=1)
    length = total = 0.0
    for word, count in counts.items():
        if word in known:
            idf, weight = known[word]
            value = (0.5 + 0.5 * count / most) * idf
            length += value * value
            total += value * weight
    intercept = float(shipped()["intercept"])
    return intercept + (total / math.sqrt(length) if length else 0.0)
