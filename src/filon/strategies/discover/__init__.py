"""Strategies that discover sites and dataset repositories, by the name that the user gives."""

import difflib

from filon.core import Strategy, UserError
from filon.strategies.discover.brief import Brief, Limits, Searcher
from filon.strategies.discover.disco import DEFAULTS as DISCO
from filon.strategies.discover.disco import Disco
from filon.strategies.discover.dsdd import DEFAULTS as DSDD
from filon.strategies.discover.dsdd import Dsdd
from filon.strategies.discover.scout import DEFAULTS as SCOUT
from filon.strategies.discover.scout import Scout

__all__ = ["DEFAULT", "OPTIONS", "STRATEGIES", "Brief", "Limits", "Searcher", "build"]

#: What is used if nothing else is asked for.
DEFAULT = "scout"
STRATEGIES: dict[str, type[Scout] | type[Dsdd] | type[Disco]] = {
    "scout": Scout,
    "dsdd": Dsdd,
    "disco": Disco,
}
#: The parameters that a strategy takes, with their defaults.
OPTIONS: dict[str, dict[str, float | str]] = {"scout": SCOUT, "dsdd": DSDD, "disco": DISCO}


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name."""
    if name not in STRATEGIES:
        near = difflib.get_close_matches(name, STRATEGIES, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UserError(f"There is no strategy {name!r}: {hint}known are {', '.join(STRATEGIES)}.")
    known = OPTIONS[name]
    for option in brief.options:
        if option not in known:
            raise UserError(
                f"The strategy {name} has no option {option!r}: it has {', '.join(known)}."
            )
    return STRATEGIES[name](brief)
