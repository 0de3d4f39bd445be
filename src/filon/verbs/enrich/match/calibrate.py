"""How probable a match must be for its row to be filled, and scores made honest.

Where the model is too shy, it is raised by decoys, as in the search of spectra. Different rows of
the table are no matches, so how often a row's best *other row* passes a threshold says how often a
record that is not the row would. Where few columns are compared the model's imagined pairs keep its
probabilities low; there the decoys show that it may say more. It is never made to say less: a table
of variants of the same things has decoys that are too good. Nor more than it needs to: a service
shows what is nearest of a table that may be much larger than the user's, so its wrong records are
better than the decoys.
"""

from dataclasses import replace

import numpy as np

from filon.verbs.enrich.match.candidates import Candidates
from filon.verbs.enrich.match.scorer import Scorer, logistic
from filon.verbs.enrich.match.similarity import Floats, Ints

#: The precision that is aimed at by default.
PRECISION = 0.95
#: A match must at least be more probable than not.
LEAST = 0.5
#: Where fewer matches than this part of the rows are probable, nearly all chances to be wrong are
#: left and few to be right: probabilities are too high there, and each must do for itself.
SCARCE = 0.1


def demand(best: Floats, precision: float, possible: int) -> float:
    """Return the threshold; where matches are scarce, each must be as sure as all should be.

    possible: how many rows could have a match, at most: as many as there are rows, or records.

    >>> best = np.array([0.99, 0.99, 0.98, 0.9])
    >>> demand(best, 0.95, 10), demand(best, 0.95, 1000)
    (0.5, 0.95)
    """
    scarce = int(np.sum(best >= LEAST)) < SCARCE * possible
    return max(choose(best, precision), min(precision, 1.0) if scarce else 0.0)


def choose(best: Floats, precision: float) -> float:
    """Return the lowest threshold at which the rows above it are right as often as asked.

    best: the probability of the best record of each row. As the probabilities are calibrated,
    their mean above a threshold is the precision to expect there.

    >>> choose(np.array([0.99, 0.98, 0.9, 0.6, 0.1]), 0.95)
    0.9
    """
    falling = np.sort(best[best >= LEAST])[::-1]
    if not len(falling):
        return LEAST
    expected = np.cumsum(falling) / np.arange(1, len(falling) + 1)
    enough = np.flatnonzero(expected >= precision)
    if not len(enough):
        return float(min(precision, 1.0))
    # Where all rows that are more probable than not may pass, so may one that comes later.
    return LEAST if enough[-1] == len(falling) - 1 else float(falling[enough[-1]])


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
    rows = len(table.comparison.rows)
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
