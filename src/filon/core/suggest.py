"""What may have been meant by a name that is not known: "did you mean …?", asked in one way."""

from collections.abc import Iterable
from difflib import get_close_matches

from filon.core.errors import UserError

#: How alike two names are at least, of 1: with two letters swapped in a word of four it is 0.75,
#: for a half of a word 0.67. Below that the guesses are other words.
_ALIKE = 0.6
#: Names that a complaint tells.
MOST_TOLD = 50


def nearest(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return the known names that are most like this one, the likest first.

    >>> nearest("xls", ["csv", "xlsx", "xml"], 2)
    ['xlsx', 'xml']
    """
    return get_close_matches(name, list(known), most, _ALIKE)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a complaint about a name that is not known.

    >>> did_you_mean("bsf", ["bfs", "vein"]), did_you_mean("xyz", ["bfs", "vein"])
    ('did you mean bfs?', 'known are bfs, vein.')
    """
    names = list(known)
    for near in nearest(name, names):
        return f"did you mean {near}?"
    if not names:
        return "it has none."
    more = f" and {len(names) - MOST_TOLD:,} more" if len(names) > MOST_TOLD else ""
    return f"known are {', '.join(names[:MOST_TOLD])}{more}."


def unknown(what: str, name: str, known: Iterable[str]) -> UserError:
    """Return the complaint that there is no such thing, with the nearest that there is."""
    return UserError(f"There is no {what} {name!r}: {did_you_mean(name, known)}")
