"""Filon gets data out of the web under a budget, and learns as it goes."""

__version__ = "0.1.0"
