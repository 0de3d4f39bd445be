"""Harvest strategies, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.plugins import Registry
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.focused import Focused
from filon.verbs.harvest.strategies.parameters import DEFAULTS
from filon.verbs.harvest.strategies.sb import SleepingBandit
from filon.verbs.harvest.strategies.uninformed import BreadthFirst, DepthFirst, Random
from filon.verbs.harvest.strategies.vein import DEFAULTS as VEIN
from filon.verbs.harvest.strategies.vein import Vein
from filon.verbs.options import check_options

__all__ = ["DEFAULT", "KNOWN", "OPTIONS", "REPLICA_ONLY", "STRATEGIES", "Brief", "build"]

STRATEGIES: dict[str, Callable[[Brief], Strategy]] = {
    "vein": Vein,
    "sb": SleepingBandit,
    "focused": Focused,
    "bfs": BreadthFirst,
    "dfs": DepthFirst,
    "random": Random,
}
DEFAULT = "vein"
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: dict[str, dict[str, float | str]] = {"vein": VEIN, "sb": DEFAULTS}
#: Names that only `filon compare` knows: these must know the site beforehand.
REPLICA_ONLY = frozenset({"sb-oracle", "omniscient", "clairvoyant", "tp-off"})
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Registry[Callable[[Brief], Strategy]] = Registry("strategy", "filon.strategies", STRATEGIES)


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name; the options of one that is not ours are its own affair."""
    make = KNOWN.find(name)
    if name in STRATEGIES:
        check_options(name, OPTIONS.get(name, {}), brief.options)
    return make(brief)
