"""`vein`: scores every link by what links like it have brought, and follows the best."""

from filon.strategies.harvest.vein.strategy import DEFAULTS, Vein

__all__ = ["DEFAULTS", "Vein"]
