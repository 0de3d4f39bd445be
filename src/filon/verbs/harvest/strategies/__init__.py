"""Harvest strategies, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.plugins import Lazy, Registry
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.options import check_options

__all__ = ["DEFAULT", "KNOWN", "OPTIONS", "REPLICA_ONLY", "STRATEGIES", "Brief", "build"]

STRATEGIES: Lazy[Callable[[Brief], Strategy]] = Lazy(
    {
        "vein": f"{__name__}.vein:Vein",
        "sb": f"{__name__}.sb:SleepingBandit",
        "focused": f"{__name__}.focused:Focused",
        "bfs": f"{__name__}.uninformed:BreadthFirst",
        "dfs": f"{__name__}.uninformed:DepthFirst",
        "random": f"{__name__}.uninformed:Random",
    }
)
DEFAULT = "vein"
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: Lazy[dict[str, float | str]] = Lazy(
    {
        "vein": f"{__name__}.vein:DEFAULTS",
        "sb": f"{__name__}.parameters:DEFAULTS",
    }
)
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
