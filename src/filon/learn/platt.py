"""Chances put right by what came of them: a line through the log-odds (Platt scaling)."""

import numpy as np
from numpy.typing import NDArray

from filon.core.state import Stateful, version
from filon.learn.dense import products, solve_two, times

#: What came of so many is remembered, the last ones.
MOST = 2_000
#: The line that changes nothing is believed as if by so many of a told log-odds of 1; no line goes
#: farther from it. Who tells more than a chance of 0.95 is not heard with more.
TRUST = 10.0
MOST_SHIFT, MOST_SLOPE = 2.0, 1.5
_ROUNDS = 4
_DOUBT = 0.05


class Platt(Stateful):
    """Learns shift and slope of the log-odds of chances that somebody else tells.

    Whoever says 0.8 is right in half of the cases, and with 0.2 in 2 of 40:

    >>> line = Platt()
    >>> for number in range(200):
    ...     line.note(0.8, hit=number % 2 == 0)
    ...     line.note(0.2, hit=number % 20 == 0)
    >>> line.fit()
    >>> [round(float(one), 2) for one in line(np.array([0.2, 0.5, 0.8]))]
    [0.08, 0.24, 0.53]

    Reference: J. Platt, "Probabilistic Outputs for Support Vector Machines", 1999, section 2.1;
    the prior is ours.
    """

    STATE = (version(1), "_told", "_hits", "_shift", "_slope")

    def __init__(self) -> None:
        self._told: list[float] = []
        self._hits: list[bool] = []
        self._shift, self._slope = 0.0, 1.0

    def __call__(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return chances put right."""
        told = _logit(chances)
        beyond = _logit(chances, 1e-4) - told
        return _sigmoid(self._shift + self._slope * told + beyond)

    def note(self, chance: float, *, hit: bool) -> None:
        """Take note of what came of a chance, as it was told."""
        self._told.append(chance)
        self._hits.append(hit)
        if len(self._told) > 2 * MOST:
            del self._told[:MOST], self._hits[:MOST]

    def fit(self) -> None:
        """Draw the line anew, by Newton's method from where it is."""
        told, hits = _logit(np.array(self._told[-MOST:])), np.array(self._hits[-MOST:], dtype=float)
        columns = np.stack([np.ones_like(told), told])
        line, prior = np.array([self._shift, self._slope]), np.array([0.0, 1.0])
        for _ in range(_ROUNDS):
            chance = _sigmoid(line[0] + line[1] * told)
            slope = times(columns, chance - hits) + TRUST * (line - prior)
            bend = products(columns * (chance * (1.0 - chance)), columns) + TRUST * np.eye(2)
            line = line - solve_two(bend, slope)
        if np.isfinite(line).all():
            self._shift = float(np.clip(line[0], -MOST_SHIFT, MOST_SHIFT))
            self._slope = float(np.clip(line[1], 0.0, MOST_SLOPE))


def _logit(chances: NDArray[np.float64], doubt: float = _DOUBT) -> NDArray[np.float64]:
    sure = np.clip(chances, doubt, 1.0 - doubt)
    return np.asarray(np.log(sure / (1.0 - sure)))


def _sigmoid(margins: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(margins, -30.0, 30.0))))
