"""How much a find is worth for a topic: by its words, and those of what led to it."""

from collections.abc import Mapping
from typing import Any

from filon.core import Find
from filon.page.words import words

#: A file that says nothing of the topic may be of it all the same: its site was found for it.
LEAST = 0.3
_TEXTS = ("name", "link_text", "around", "page_title", "headings", "url", "parent")


def worth(find: Find | Mapping[str, Any], topic: str) -> float:
    """Return what a find counts: 1 where all words of the topic are there, less where few are.

    Without a topic every file counts the same.

    >>> find = Find(kind="file", url="http://a.org/food.csv", name="food.csv", link_text="Security")
    >>> worth(find, ""), worth(find, "food security"), worth(find, "whales")
    (1.0, 1.0, 0.3)
    """
    wanted = {_stem(word) for word in words(topic)}
    if not wanted:
        return 1.0
    read = find.get if isinstance(find, Mapping) else lambda name: getattr(find, name)
    there = {_stem(word) for name in _TEXTS for word in words(str(read(name) or ""))}
    return LEAST + (1 - LEAST) * len(wanted & there) / len(wanted)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
