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

_CLASSES = {"lode": "Lode", "ldcoc": "Ldcoc", "bfs": "BreadthFirst", "heuristic": "Heuristic"}
STRATEGIES: Lazy[Callable[[Brief], Strategy]] = Lazy(
    {name: f"{__name__}.{name}:{made}" for name, made in _CLASSES.items()}
)
DEFAULT = "lode"
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: Lazy[dict[str, float | str]] = Lazy(
    {name: f"{__name__}.{name}:DEFAULTS" for name in ("lode", "ldcoc")}
)
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Strategies[Brief] = Strategies("follow", STRATEGIES, OPTIONS)
build = KNOWN.build
