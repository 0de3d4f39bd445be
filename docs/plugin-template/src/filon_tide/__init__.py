"""Plugins for Filon: a strategy, an export, a source, a search service, a portal and a verb."""
