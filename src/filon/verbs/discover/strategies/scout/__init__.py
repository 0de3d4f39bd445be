"""scout: the default strategy of discovery; docs/scout.md explains it."""

from filon.verbs.discover.strategies.scout.strategy import DEFAULTS, MODES, Scout

__all__ = ["DEFAULTS", "MODES", "Scout"]
