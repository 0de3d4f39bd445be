"""Strategies that follow Linked Data, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.suggest import unknown
from filon.verbs.follow.strategies.bfs import BreadthFirst
from filon.verbs.follow.strategies.brief import Brief, Lead, Scope, Truth
from filon.verbs.follow.strategies.heuristic import Heuristic
from filon.verbs.follow.strategies.ldcoc import DEFAULTS as LDCOC
from filon.verbs.follow.strategies.ldcoc import Ldcoc
from filon.verbs.follow.strategies.lode import DEFAULTS as LODE
from filon.verbs.follow.strategies.lode import Lode
from filon.verbs.follow.strategies.offline import offline_knn, offline_nb, offline_svm
from filon.verbs.follow.strategies.options import check
from filon.verbs.follow.strategies.oracle import Oracle

__all__ = [
    "DEFAULT",
    "OPTIONS",
    "REPLICA_ONLY",
    "STRATEGIES",
    "Brief",
    "Lead",
    "Scope",
    "Truth",
    "build",
]

STRATEGIES: dict[str, Callable[[Brief], Strategy]] = {
    "lode": Lode,
    "ldcoc": Ldcoc,
    "bfs": BreadthFirst,
    "heuristic": Heuristic,
    "offline-svm": offline_svm,
    "offline-knn": offline_knn,
    "offline-nb": offline_nb,
    "oracle": Oracle,
}
DEFAULT = "lode"
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: dict[str, dict[str, float | str]] = {"lode": LODE, "ldcoc": LDCOC}
#: These must know the web beforehand, or have been taught on one.
REPLICA_ONLY = frozenset({"oracle", "offline-svm", "offline-knn", "offline-nb"})


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name."""
    if name not in STRATEGIES:
        raise unknown("strategy", name, STRATEGIES)
    check(name, OPTIONS.get(name, {}), brief.options)
    return STRATEGIES[name](brief)
