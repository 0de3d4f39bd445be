"""Strategies that follow Linked Data, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.strategies.follow.bfs import BreadthFirst
from filon.strategies.follow.brief import Brief, Lead, Scope, Truth

__all__ = ["DEFAULT", "STRATEGIES", "Brief", "Lead", "Scope", "Truth"]

STRATEGIES: dict[str, Callable[[Brief], Strategy]] = {"bfs": BreadthFirst}
DEFAULT = "lode"
