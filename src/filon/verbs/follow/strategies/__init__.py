"""Strategies that follow Linked Data, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.plugins import Lazy, Strategies
from filon.verbs.follow.strategies.brief import Brief, Candidate, Scope

__all__ = [
    "DEFAULT",
    "KNOWN",
    "OPTIONS",
    "STRATEGIES",
    "Brief",
    "Candidate",
    "Scope",
    "build",
]

STRATEGIES: Lazy[Callable[[Brief], Strategy]] = Lazy(
    {
        "lode": f"{__name__}.lode:Lode",
        "ldcoc": f"{__name__}.ldcoc:Ldcoc",
        "bfs": f"{__name__}.bfs:BreadthFirst",
        "heuristic": f"{__name__}.heuristic:Heuristic",
    }
)
DEFAULT = "lode"
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: Lazy[dict[str, float | str]] = Lazy(
    {
        "lode": f"{__name__}.lode:DEFAULTS",
        "ldcoc": f"{__name__}.ldcoc:DEFAULTS",
    }
)
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Strategies[Brief] = Strategies("follow", STRATEGIES, OPTIONS)
build = KNOWN.build
