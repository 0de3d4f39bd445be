"""Matching: which record of a source each row of a table is, without labels or with a few."""

from filon.verbs.enrich.match.align import Alignment, Pairing, align
from filon.verbs.enrich.match.matcher import Labels, Match, Matches, Prefilter

__all__ = ["Alignment", "Labels", "Match", "Matches", "Pairing", "Prefilter", "align"]
