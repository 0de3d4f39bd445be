"""`lode`: follows Linked Data where it pays, and never gives up what it has put off."""

from filon.verbs.follow.strategies.lode.strategy import DEFAULTS, Lode

__all__ = ["DEFAULTS", "Lode"]
