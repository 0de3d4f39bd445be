"""Harvest strategies, by the name that the user gives."""

import difflib
from collections.abc import Callable

from filon.core import Strategy, UserError
from filon.strategies.harvest.brief import Brief, Truth
from filon.strategies.harvest.focused import Focused
from filon.strategies.harvest.omniscient import Omniscient
from filon.strategies.harvest.parameters import DEFAULTS
from filon.strategies.harvest.sb import SleepingBandit, SleepingBanditOracle
from filon.strategies.harvest.tpoff import TagPathOffline
from filon.strategies.harvest.uninformed import BreadthFirst, DepthFirst, Random

__all__ = ["DEFAULT", "OPTIONS", "REPLICA_ONLY", "STRATEGIES", "Brief", "Truth", "build"]

STRATEGIES: dict[str, Callable[[Brief], Strategy]] = {
    "sb": SleepingBandit,
    "sb-oracle": SleepingBanditOracle,
    "omniscient": Omniscient,
    "focused": Focused,
    "tp-off": TagPathOffline,
    "bfs": BreadthFirst,
    "dfs": DepthFirst,
    "random": Random,
}
DEFAULT = "sb"
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: dict[str, dict[str, float | str]] = {"sb": DEFAULTS, "sb-oracle": DEFAULTS}
#: These must know the site beforehand.
REPLICA_ONLY = frozenset({"sb-oracle", "omniscient", "tp-off"})


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name."""
    if name not in STRATEGIES:
        near = difflib.get_close_matches(name, STRATEGIES, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UserError(f"There is no strategy {name!r}: {hint}known are {', '.join(STRATEGIES)}.")
    known = OPTIONS.get(name, {})
    for option in brief.options:
        if option not in known:
            offer = f"it has {', '.join(known)}" if known else "it has none"
            raise UserError(f"The strategy {name} has no option {option!r}: {offer}.")
    return STRATEGIES[name](brief)
