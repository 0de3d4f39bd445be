"""By which words a find of a fleet is found: those of the catalog, and their stems.

A worker writes the words beside its find, so that the store compares words and knows no language.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from filon.catalog.words import has_forms, stems, words

#: What is told of a find in words.
FIELDS = ("name", "link_text", "around", "page_title", "headings")
#: Stands before a stem, so that it is not taken for a word.
STEM = "~"
#: Words of one find, at most: what is written about it is a few lines.
MOST = 200


def search_words(row: Mapping[str, Any]) -> str:
    """Return the words of a find and their stems, each once.

    >>> search_words({"name": "household-sizes.csv"})
    'household sizes csv ~household ~size ~siz'
    """
    told = [str(row.get(name) or "") for name in FIELDS]
    found = dict.fromkeys(word for text in (*told, *_profile(row)) for word in words(text))
    kept = list(found)[:MOST]
    ends = dict.fromkeys(f"{STEM}{stem}" for word in kept for stem in _stems(word))
    return " ".join([*kept, *ends])


def parse_words(text: str) -> list[list[str]]:
    """Return for each word of a question what a find may have for it, the word itself first.

    >>> parse_words("Households")
    [['households', '~household', '~households']]
    """
    return [
        [word, *dict.fromkeys(f"{STEM}{stem}" for stem in _stems(word))]
        for word in dict.fromkeys(words(text))
    ]


def _stems(word: str) -> Iterator[str]:
    """Yield what is left of a word without its ending, by the rules of each language."""
    if has_forms(word):
        yield from (stem for stem in stems(word) if len(stem) > 2)


def _profile(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield names of what was seen in the file: of tables and columns."""
    for table in json.loads(row.get("profile") or "{}").get("tables", ()):
        yield table["name"]
        for column in table["columns"]:
            yield column["name"]
            yield column["label"]
