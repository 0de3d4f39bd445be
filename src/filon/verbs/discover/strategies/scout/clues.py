"""What is known of a page before it is asked for: words of its address, title, snippet, anchor."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from urllib.parse import urlsplit

import mmh3

from filon.learn.rank.vectors import tokens
from filon.verbs.discover.strategies.dsdd import shipped

#: The table of weights: a run meets tens of thousands of different clues.
SIZE = 1 << 18
#: Clues beyond these are not looked at: one page must not cost more than another.
MOST_WORDS = 60
_PIECE = re.compile(r"[a-z]+|\d+")


def address_words(url: str) -> list[str]:
    """Return the words of an address, numbers as "#".

    >>> address_words("http://data.example.org/dataset/12?q=x")
    ['data', 'example', 'org', 'dataset', '#', 'x']
    """
    parts = urlsplit(url.lower())
    where = f"{parts.netloc.removeprefix('www.')} {parts.path} {parts.query.partition('=')[2]}"
    return ["#" if word.isdigit() else word for word in _PIECE.findall(where)][:MOST_WORDS]


def clues(url: str, text: str, operator: str) -> list[int]:
    """Return what speaks for or against a page, as numbers of weights."""
    parts = urlsplit(url.lower())
    names, path = parts.netloc.removeprefix("www.").split("."), parts.path.strip("/")
    told = [
        "bias",
        f"operator {operator}",
        f"first {names[0]}",
        f"top {names[-1]}",
        f"depth {min(5, path.count('/') + bool(path))}",
        f"last {_shape(path.rpartition('/')[2])}",
        f"asks {bool(parts.query)}",
        *(f"in path {word}" for word in dict.fromkeys(_PIECE.findall(path)) if not word.isdigit()),
        *(f"in name {word}" for word in dict.fromkeys(_PIECE.findall(".".join(names[:-1])))),
        *(f"says {word}" for word in dict.fromkeys(tokens(text)[:MOST_WORDS])),
    ]
    return numbers(told[: 2 * MOST_WORDS])


def numbers(told: Iterable[str]) -> list[int]:
    """Return the numbers of named clues."""
    return [mmh3.hash(one, signed=False) % SIZE for one in told]


def _shape(name: str) -> str:
    """Return what a file name looks like: its numbers are its own business."""
    return re.sub(r"\d+", "#", name)[:30]


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
