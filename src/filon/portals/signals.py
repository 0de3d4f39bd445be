"""What gives portal software away: signals.toml has the patterns, here is what they mean.

Paths are matched against the addresses of the page and of its own links, never of other sites':
who links to a portal is none.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Protocol, runtime_checkable

#: A pattern, and how much it tells: 3 names the software, 2 is typical, 1 a hint.
Rule = tuple[re.Pattern[str], int]
#: What stands in patterns for what they often begin with: "powered by", with a few tags after it,
#: and the tag of a generator.
_SHORT = {
    "{by}": r"powered\s+by:?\s*(?:<[^<>]{0,200}>\s*){0,4}(?:the\s+)?",
    "{generator}": r"<meta[^<>]{0,80}generator[^<>]{0,80}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """The signals of one software.

    path: the part before a match is the portal's root.
    cookie: names. header: "name: value".
    """

    host: tuple[Rule, ...] = ()
    path: tuple[Rule, ...] = ()
    header: tuple[Rule, ...] = ()
    cookie: tuple[Rule, ...] = ()
    body: tuple[Rule, ...] = ()


@runtime_checkable
class Recognisable(Protocol):
    """A portal that an installed package adds, and what gives it away."""

    @property
    def signals(self) -> Signals:
        """Its signals; patterns are searched for as they are compiled."""


@cache
def known_signals() -> dict[str, Signals]:
    """Return the signals of each software that is known.

    >>> [weight for _, weight in known_signals()["ckan"].host]
    [2, 2]
    """
    text = (files("filon.portals") / "signals.toml").read_text("utf-8")
    return {
        software: Signals(**{where: tuple(map(_rule, rules)) for where, rules in places.items()})
        for software, places in tomllib.loads(text).items()
    }


def _rule(pair: tuple[str, int]) -> Rule:
    pattern, weight = pair
    for short, long in _SHORT.items():
        pattern = pattern.replace(short, long)
    return re.compile(pattern, re.IGNORECASE), weight
