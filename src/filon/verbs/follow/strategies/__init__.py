"""Strategies that follow Linked Data, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.plugins import Registry
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
    "KNOWN",
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
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Registry[Callable[[Brief], Strategy]] = Registry("strategy", "filon.strategies", STRATEGIES)


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name; the options of one that is not ours are its own affair."""
    make = KNOWN.find(name)
    if name in STRATEGIES:
        check(name, OPTIONS.get(name, {}), brief.options)
    return make(brief)
