"""Harvest strategies, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.plugins import Lazy, Strategies
from filon.verbs.harvest.strategies.brief import Brief

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
KNOWN: Strategies[Brief] = Strategies("harvest", STRATEGIES, OPTIONS)
build = KNOWN.build
