"""All words that a person reads on a page, from one file: words.toml, a table an area.

A text with a number has two forms, `one` and `other`, chosen by the value `n`. Whole numbers are
written with their thousands apart. What is put into a text is text: pages escape the result.
"""

import re
import tomllib
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from filon.run.text import count

#: How the keys of sentences of the program begin; the rest is the sentence in English.
_SAID = "said."
#: What is longer quotes something, and is told as it is: to look for its words takes long.
_LONGEST = 1000


def t(key: str, **values: object) -> str:
    """Return the text of a key, as "home.title", with values put in.

    >>> t("runs.number", n=1), t("runs.number", n=1200)
    ('1 run', '1,200 runs')
    """
    text = catalogue()[key]
    if isinstance(text, dict):
        text = text["one" if values["n"] == 1 else "other"]
    if not values:
        return text
    return text.format_map({name: _shown(value) for name, value in values.items()})


def said(sentence: str) -> str:
    """Return what the program says of a mistake as the file has it: in English as it stands there.

    A sentence is known by its English words, and what is between them is put in again.
    """
    for key, text in catalogue().items() if len(sentence) <= _LONGEST else ():
        english = key.removeprefix(_SAID)
        if english in (key, text) or isinstance(text, dict):
            continue  # which is all of them, as long as nobody has translated them
        if match := re.fullmatch(_pattern(english), sentence, re.DOTALL):
            return text.format(*map(said, match.groups()))
    return sentence


def _pattern(text: str) -> str:
    """Return the pattern of a text in which {0}, {1} … stand for something."""
    parts = Formatter().parse(text)
    return "".join(re.escape(words) + ("" if name is None else "(.*)") for words, name, *_ in parts)


@cache
def catalogue() -> dict[str, str | dict[str, str]]:
    """Return all texts by their keys."""
    file = resources.files("filon.serve") / "words.toml"
    return dict(_flat("", tomllib.loads(file.read_text("utf-8"))))


def _flat(prefix: str, table: dict[str, Any]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in table.items():
        if isinstance(value, dict) and value.keys() != {"one", "other"}:
            found += _flat(f"{prefix}{name}.", value)
        else:
            found.append((f"{prefix}{name}", value))
    return found


def _shown(value: object) -> object:
    return count(value) if isinstance(value, int) and not isinstance(value, bool) else value
