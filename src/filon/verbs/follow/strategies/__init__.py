"""Strategies that follow Linked Data, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.suggest import unknown
from filon.verbs.follow.strategies.bfs import BreadthFirst
from filon.verbs.follow.strategies.brief import Brief, Lead, Scope
from filon.verbs.follow.strategies.heuristic import Heuristic
from filon.verbs.follow.strategies.ldcoc import DEFAULTS as LDCOC
from filon.verbs.follow.strategies.ldcoc import Ldcoc
from filon.verbs.follow.strategies.lode import DEFAULTS as LODE
from filon.verbs.follow.strategies.lode import Lode
from filon.verbs.follow.strategies.options import check

__all__ = [
    "DEFAULT",
    "OPTIONS",
    "STRATEGIES",
    "Brief",
    "Lead",
    "Scope",
    "build",
]

STRATEGIES: dict[str, Callable[[Brief], Strategy]] = {
    "lode": Lode,
    "ldcoc": Ldcoc,
    "bfs": BreadthFirst,
    "heuristic": Heuristic,
}
DEFAULT = "lode"
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: dict[str, dict[str, float | str]] = {"lode": LODE, "ldcoc": LDCOC}


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name."""
    if name not in STRATEGIES:
        raise unknown("strategy", name, STRATEGIES)
    check(name, OPTIONS.get(name, {}), brief.options)
    return STRATEGIES[name](brief)
