"""Which scorer fits a table: the usual one, or where that breaks down, one that expects nothing."""

import numpy as np

from filon.verbs.enrich.match.anchored import anchored
from filon.verbs.enrich.match.calibrate import PRECISION, SCARCE, calibrated, demand
from filon.verbs.enrich.match.candidates import Candidates
from filon.verbs.enrich.match.scorer import Scorer, logistic

#: The usual scorer has broken down where it finds less than this part of the matches that each
#: row's best record shows,
PART = 0.5
#: and where these are so many at least: fewer may be chance. Where matches are scarce, only what
#: is nearly equal is to be trusted.
ENOUGH = 10.0


def fitted(pairs: Candidates) -> tuple[Candidates, Scorer]:
    """Return the scorer for these pairs, without labels, and the pairs as it compares them."""
    usual = calibrated(pairs.scorer(), pairs)
    found, other = _found(usual, pairs), anchored(pairs)
    enough = max(ENOUGH, SCARCE * pairs.possible)
    if found >= max(enough, PART * other.expected):
        return pairs, usual
    # As each is as right as it says, the one that finds more is the best one.
    worded = [pairs.by_words(near=near) for near in (False, True)]
    fits = [(pairs, other), *((each, anchored(each)) for each in worded)]
    chosen, best = max(fits, key=lambda fit: fit[1].expected)
    if best.expected < enough or found >= PART * best.expected:
        return pairs, usual
    return chosen, best.scorer


def _found(scorer: Scorer, pairs: Candidates) -> int:
    """How many rows have a record that is sure enough to fill them."""
    best = np.zeros(len(pairs.table.comparison.rows))
    np.maximum.at(best, pairs.rows, logistic(scorer.logits(pairs.similarities)))
    return int(np.sum(best >= demand(best, PRECISION, pairs.possible)))
