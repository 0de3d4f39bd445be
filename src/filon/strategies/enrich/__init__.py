"""Enrichment strategies, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.strategies.enrich.brief import Brief, Matcher, Sample, Truth

__all__ = ["DEFAULT", "STRATEGIES", "Brief", "Matcher", "Sample", "Truth"]

STRATEGIES: dict[str, Callable[[Brief], Strategy]] = {}
DEFAULT = "prospect"
