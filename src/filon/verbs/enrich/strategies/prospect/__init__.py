"""`prospect`: enrichment that learns as it goes. See docs/prospect.md."""

from filon.verbs.enrich.strategies.prospect.strategy import DEFAULTS, Prospect

__all__ = ["DEFAULTS", "Prospect"]
