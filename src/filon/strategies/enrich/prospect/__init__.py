"""`prospect`: enrichment that learns as it goes. See docs/prospect.md."""

from filon.strategies.enrich.prospect.strategy import DEFAULTS, Prospect

__all__ = ["DEFAULTS", "Prospect"]
