"""Which rows are in the hidden table at all.

A row that a query should have brought and did not is probably absent: the more so, the more
reliable the query's words are, and the more of its matches were shown. That is the removal of
section 4.2 of the paper with a strength that is learnt: where rows that were missed come back
more often than expected, a miss counts for less. Rows like those that were missed (by their words:
a brand, a venue, a year) are doubted too, by a logistic regression.
"""

import math

import numpy as np
from numpy.typing import NDArray

from filon.verbs.enrich.strategies.prospect.lexicon import Floats, Lexicon

#: The part of rows believed to be present before anything is known, and the rows it counts for.
BELIEVED, COUNTS = 0.8, 4.0
#: Bounds of that part, once it is learnt.
RANGE = (0.03, 0.97)
#: Words in fewer rows say nothing of other rows.
LEAST_ROWS = 3
#: Of the regression: the penalty, and how many steps are made at each fit.
PENALTY, STEPS = 3.0, 5
#: How much a miss can be held to count for.
STRENGTH = (0.2, 1.2)
#: A row of which less of its chance is left counts as missed.
DOUBTED = 0.5


class Presence:
    """The chance of each row to be present, given the queries that missed it.

    lost: log of the chance that a present row would have been missed like that.
    """

    def __init__(self, lexicon: Lexicon, *, likeness: bool, removal: bool) -> None:
        self._likeness, self._removal = likeness, removal
        self._table = lexicon.table(LEAST_ROWS)
        self._weights = np.zeros(self._table.shape[1])
        self.believed = BELIEVED
        self.strength = 1.0
        self._expected = self._returned = 0.0
        self.lost = np.zeros(lexicon.size)
        self._prior = np.full(lexicon.size, BELIEVED)
        self.chance = self._prior.copy()

    def miss(self, rows: NDArray[np.integer], found: float) -> None:
        """Doubt rows that an answer would have brought with that chance, were they present."""
        if self._removal:
            self.lost[rows] += math.log(1 - min(found, 0.97))
            self.chance[rows] = self._posterior(rows)

    def doubted(self, rows: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Tell which rows were missed before."""
        missed: NDArray[np.bool_] = self.lost[rows] < math.log(DOUBTED)
        return missed

    def weigh(self, expected: float, returned: float) -> None:
        """Compare how many doubted rows an answer was expected to bring with how many came."""
        self._expected += expected
        self._returned += returned
        ratio = (self._expected + 2.0) / (self._returned + 2.0)
        self.strength = min(max(ratio, STRENGTH[0]), STRENGTH[1])

    def fit(self, covered: NDArray[np.bool_]) -> None:
        """Learn how many rows are present, and which."""
        tried = np.flatnonzero(covered | (self.lost < 0))
        if len(tried) and self._removal:
            labels = np.where(covered[tried], 1.0, self._posterior(tried))
            weights = np.where(covered[tried], 1.0, 1 - np.exp(self.lost[tried]))
            total = float(weights @ labels) + COUNTS * BELIEVED
            believed = total / (float(weights.sum()) + COUNTS)
            self.believed = min(max(believed, RANGE[0]), RANGE[1])
            if self._likeness:
                self._regress(tried, labels, weights)
        self._prior = _logistic(_odds(self.believed) + self._table @ self._weights)
        self.chance = self._posterior(np.arange(len(self.lost)))

    def _posterior(self, rows: NDArray[np.integer]) -> Floats:
        kept = np.exp(self.strength * self.lost[rows]) * self._prior[rows]
        chance: Floats = kept / (kept + 1 - self._prior[rows])
        return chance

    def _regress(self, rows: NDArray[np.integer], labels: Floats, weights: Floats) -> None:
        """Go some steps towards the weights of words that fit what is known of the rows."""
        table = self._table[rows]
        turned = table.T.tocsr()
        curve = 0.25 * (turned @ weights) + PENALTY
        for _ in range(STEPS):
            guess = _logistic(_odds(self.believed) + table @ self._weights)
            slope = turned @ (weights * (labels - guess)) - PENALTY * self._weights
            # A row's words all move at once: a quarter of a step each keeps them from overshooting.
            self._weights = self._weights + slope / (4 * curve)


def _odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def _logistic(odds: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-odds))
    return chance
