"""How probable a match must be for its row to be filled."""

import numpy as np

from filon.verbs.enrich.match.similarity import Floats

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
