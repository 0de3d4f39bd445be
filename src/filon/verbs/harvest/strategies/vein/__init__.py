"""`vein`: scores every link by what links like it have brought, and follows the best."""

from filon.verbs.harvest.strategies.vein.strategy import DEFAULTS, Vein

__all__ = ["DEFAULTS", "Vein"]
