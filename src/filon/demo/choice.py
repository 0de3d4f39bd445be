"""Choices that look random and never change: a hash of a name takes the place of a generator.

No state, so a page can be made alone, in any order and process, and is always the same.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
SEED = "filon demo 1"


def draw(bound: int, *name: object) -> int:
    """Return a number from 0 to bound - 1 that belongs to the name.

    >>> draw(6, "a", 1) == draw(6, "a", 1)
    True
    """
    text = "\x1f".join([SEED, *map(str, name)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % bound


def pick(choices: Sequence[T], *name: object) -> T:
    """Return the choice that belongs to the name."""
    return choices[draw(len(choices), *name)]


def shuffled(choices: Sequence[T], *name: object) -> list[T]:
    """Return the choices in the order that belongs to the name."""
    order = sorted(range(len(choices)), key=lambda i: (draw(1 << 40, *name, i), i))
    return [choices[i] for i in order]


def token(*name: object) -> str:
    """Return 16 hexadecimal digits that belong to the name."""
    return f"{draw(1 << 62, 'token', *name):016x}"
