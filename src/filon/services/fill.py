"""Puts words in the places of `{names}`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

_NAME = re.compile(r"\{([a-z_][a-z0-9_]*)\}", re.I)
T = TypeVar("T")


def fill(text: str, words: Mapping[str, str], code: Callable[[str], str] = str) -> str:
    """Replace the names that are known; others stay.

    code: what is done to a word before it stands in the text.

    >>> fill("{url}/search?q={keywords}", {"url": "http://a.org"})
    'http://a.org/search?q={keywords}'
    """
    return _NAME.sub(lambda hit: code(words[hit[1]]) if hit[1] in words else hit[0], text)


def fill_all(thing: T, words: Mapping[str, str]) -> T:
    """Do the same with all text in a value, however deep; names of keys stay."""
    filled: Any = thing
    if isinstance(thing, str):
        filled = fill(thing, words)
    elif isinstance(thing, Mapping):
        filled = {name: fill_all(inner, words) for name, inner in thing.items()}
    elif isinstance(thing, (tuple, list)):
        filled = type(thing)(fill_all(inner, words) for inner in thing)
    elif is_dataclass(thing) and not isinstance(thing, type):
        inner = {f.name: fill_all(getattr(thing, f.name), words) for f in fields(thing)}
        filled = replace(thing, **inner)
    final: T = filled
    return final


def names(text: str) -> list[str]:
    """Return the names that a text has places for, in order.

    >>> names("{url}/{table}?q={keywords}")
    ['url', 'table', 'keywords']
    """
    return _NAME.findall(text)
