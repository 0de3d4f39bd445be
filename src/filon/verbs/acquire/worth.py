"""How much a find is worth for a topic: by its words, and those of what led to it.

The words of the topic are few, and files of a site on it often have none of them. Discovery has
read what sites on the topic speak of: a file that has one of their words is taken to be on it. That
tells the files of a site that is all about the topic from those of a site on everything.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from filon.core import Find
from filon.page.formats import FORMATS
from filon.page.url import host, split
from filon.page.words import words

#: A file that says nothing of the topic may be of it all the same: its site was found for it.
LEAST = 0.05
#: A sign of the topic that is so weak counts half of a file on it, and half of a sign nearly all.
HALF = 0.1
#: Words that begin with the same so many letters are taken for forms of one.
STEM = 6
#: Words that stand in addresses and names of files whatever they are about.
_COMMON = frozenset(FORMATS) | frozenset(
    re.findall(
        r"\w+",
        "www html htm php aspx data dataset datasets file files download downloads index readme "
        "raw main master blob tree src media",
    )
)
#: What speaks of a file alone, and what speaks of others beside it. In a long text some word that
#: was learnt stands by chance: there only the user's own count.
_NARROW, _WIDE = ("name", "link_text"), ("around", "page_title", "headings")
_ADDRESSES = ("url", "parent")


@dataclass(frozen=True, slots=True)
class Signs:
    """What a find says, whatever the other words are that tell the topic.

    said: the share of the words of the topic that it has; None: there is no topic. words: those
        that speak of it alone, by their beginnings.
    """

    said: float | None
    words: frozenset[str]

    def worth(self, telling: Mapping[str, float] | None = None) -> float:
        """Return what the find counts, by other words that tell the topic: see `worth`."""
        if self.said is None:
            return 1.0
        told = max((telling.get(word, 0.0) for word in self.words), default=0.0) if telling else 0.0
        sign = max(self.said, told)
        counts = (sign + sign * HALF) / (sign + HALF)
        return LEAST + (1 - LEAST) * counts


def signs(find: Find | Mapping[str, Any], topic: str) -> Signs:
    """Return what a find, or its row in a ledger, says of a topic."""
    wanted = {_stem(word) for word in words(topic)}
    if not wanted:
        return Signs(None, frozenset())
    read = find.get if isinstance(find, Mapping) else lambda name: getattr(find, name)
    narrow = [str(read(name) or "") for name in _NARROW]
    narrow += [_told_by(str(read(name) or "")) for name in _ADDRESSES]
    there = _stems(narrow)
    said = len(wanted & (there | _stems(str(read(name) or "") for name in _WIDE))) / len(wanted)
    return Signs(said, frozenset(there))


def worth(
    find: Find | Mapping[str, Any], topic: str, telling: Mapping[str, float] | None = None
) -> float:
    """Return what a find counts: 1 where all words of the topic are there, less where few are.

    Without a topic every file counts the same.

    telling: other words that tell the topic, by their `beginnings`: how much each says, up to 1.

    >>> find = Find(kind="file", url="http://a.org/food.csv", name="food.csv", link_text="Security")
    >>> worth(find, ""), worth(find, "food security"), worth(find, "whales")
    (1.0, 1.0, 0.05)
    >>> worth(find, "hunger", {"food": 0.5})
    0.9208333333333334
    """
    return signs(find, topic).worth(telling)


def _stems(texts: Iterable[str]) -> set[str]:
    return {_stem(word) for word in words(" ".join(texts)) if word not in _COMMON}


def promised(rows: Sequence[Mapping[str, Any]], sure: Mapping[str, float]) -> list[float]:
    """Return what each site of a ranked list promises, against the best of those on it.

    sure: how sure it is of some, by address, that they are on the topic; else the score tells.

    >>> rows = [{"url": "a", "score": 0.9}, {"url": "b", "score": 0.8}]
    >>> promised(rows, {"a": 0.4}), promised(rows, {"a": 0.4, "b": 0.5})
    ([0.5, 1.0], [0.8, 1.0])
    """
    told = [sure.get(str(row["url"]), float(row["score"])) for row in rows]
    listed = [one for one, row in zip(told, rows, strict=True) if not row.get("apart")]
    best = max(listed, default=0.0)
    return [min(1.0, one / best) if best > 0 else 1.0 for one in told]


def _told_by(url: str) -> str:
    """Return what an address says: the name of its host without what it ends with, and the path."""
    parts = split(url) if url else None
    return f"{host(url).rpartition('.')[0]} {unquote(parts.path)}" if parts else ""


def beginnings(telling: Mapping[str, float]) -> dict[str, float]:
    """Return words as `worth` knows them; of equals what says most.

    >>> beginnings({"prices": 0.5, "price": 0.8, "economics": 1.0})
    {'price': 0.8, 'econom': 1.0}
    """
    known: dict[str, float] = {}
    for word, says in telling.items():
        known[_stem(word)] = max(says, known.get(_stem(word), 0.0))
    return known


def _stem(word: str) -> str:
    short = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return short[:STEM]
