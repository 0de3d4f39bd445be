"""scout: the default strategy of discovery; docs/scout.md explains it."""

from filon.verbs.discover.strategies.scout.options import DEFAULTS, MODES
from filon.verbs.discover.strategies.scout.strategy import Scout

__all__ = ["DEFAULTS", "MODES", "Scout"]
