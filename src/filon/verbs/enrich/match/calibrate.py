"""Scores made honest where the model is too shy: by decoys, as in the search of spectra.

Different rows of the table are no matches, so how often a row's best *other row* passes a
threshold says how often a record that is not the row would. Where few columns are compared the
model's imagined pairs keep its probabilities low; there the decoys show that it may say more.
It is never made to say less: a table of variants of the same things has decoys that are too good.
Nor more than it needs to: a service shows what is nearest of a table that may be much larger than
the user's, so its wrong records are better than the decoys.
"""

from dataclasses import replace

import numpy as np

from filon.verbs.enrich.match.blocking import Ints
from filon.verbs.enrich.match.candidates import Candidates
from filon.verbs.enrich.match.scorer import Scorer, logistic
from filon.verbs.enrich.match.similarity import Floats
from filon.verbs.enrich.match.threshold import LEAST, choose

#: Log odds that are added at most, and the steps in which that is tried.
MOST, STEP = 3.0, 0.25
#: Log odds below which nothing matches.
HOPELESS = -3.0
#: A model is shy if it has to leave out more of its probable matches than the rest to take those
#: that are right so often.
SURE, TAKEN = 0.95, 0.9


def calibrated(scorer: Scorer, pairs: Candidates) -> Scorer:
    """Return the scorer with as much more confidence as the decoys allow."""
    table = pairs.table
    rows = len(table.lens.rows)
    best = _best(scorer.logits(pairs.similarities), pairs.rows, rows)
    decoys = _best(scorer.logits(table.decoys), table.decoy_rows, max(1, table.decoys_of))
    # Every record is a chance to be wrong, and the decoys had only as many as there are rows.
    chances = len(pairs.pool) / max(1, rows)
    raised = 0.0
    while (
        raised < MOST
        and _shy(logistic(best + raised))
        and _allowed(best, decoys, raised + STEP, chances)
    ):
        raised += STEP
    return replace(scorer, bias=scorer.bias + raised)


def _allowed(best: Floats, decoys: Floats, raised: float, chances: float) -> bool:
    """Whether the rows that would pass are wrong no oftener than they would then claim."""
    passing = best[best >= -raised]
    if not len(passing):
        return False
    hopeless = np.mean(best < HOPELESS) / max(float(np.mean(decoys < HOPELESS)), 1e-9)
    absent = min(1.0, float(hopeless))
    # One more than were seen: that none was seen among a few rows proves nothing.
    wrong = (1 + np.sum(decoys >= -raised)) / len(decoys) * chances * absent
    claimed = 1 - logistic(passing + raised).mean()
    return bool(wrong * len(best) / len(passing) <= claimed)


def _shy(probabilities: Floats) -> bool:
    """Whether too few of the rows that are more probable than not may pass."""
    probable = probabilities[probabilities >= LEAST]
    passing = np.sum(probable >= choose(probable, SURE))
    return bool(passing <= TAKEN * len(probable))


def _best(logits: Floats, rows: Ints, size: int) -> Floats:
    best = np.full(size, -np.inf)
    np.maximum.at(best, rows, logits)
    return best
