"""scout: the default strategy of discovery; docs/scout.md explains it."""

from filon.strategies.discover.scout.options import DEFAULTS, MODES
from filon.strategies.discover.scout.strategy import Scout

__all__ = ["DEFAULTS", "MODES", "Scout"]
