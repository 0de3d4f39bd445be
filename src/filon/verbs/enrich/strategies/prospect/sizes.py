"""How many records a query matches, learnt from the answers so far.

log |q(H)| is regressed on what the table says of the query: how many rows hold it, how many would
by chance, whether its words stand side by side or in one column. The weights begin at what is
usual and move as answers come in. Where a service reports no totals, a full page says "at least
k", and the part of the query's rows that was on it says how large a part of the whole it was: such
an answer is filled in by its expectation, given both and the regression (expectation-maximisation).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from filon.verbs.enrich.strategies.prospect.lexicon import Floats

#: What is usual, found on samples of the ACL's papers and on DBLP against Scholar: a constant, log
#: rows, log rows by chance, one word, three words or more, side by side, in one column.
USUAL = np.array([1.8, 1.3, 0.2, 0.8, 0.0, 0.6, 0.2])
#: How sure: the constant depends on the size of the hidden table, about which nothing is known.
SURE = np.array([0.15, 20.0, 40.0, 4.0, 4.0, 8.0, 8.0])
SURE_OF_COLUMN = 10.0
#: The spread of log |q(H)| to begin with, and how many answers that counts for.
SPREAD, SPREAD_COUNTS = 1.0, 6.0
ROUNDS = 3  # of filling in and fitting
FIRST_SPREAD = 1.5  # before the first answer


def features(
    rows: Floats, chance: Floats, words: Floats, near: Floats, same: Floats, columns: Floats
) -> Floats:
    """Return what the regression sees of queries, a line each.

    columns: the part of a query's words that stands in each column.
    """
    one = np.ones_like(rows)
    logs = np.log(np.maximum(rows, 1.0)), np.log(np.maximum(chance, 1e-9))
    return np.column_stack([one, *logs, words == 1, words > 2, near, same, columns])


def share_shown(log_size: Floats, spread: float, shown: int) -> Floats:
    """Return E[min(1, shown / N)] for log-normal N: the part of its matches that a page shows.

    >>> share_shown(np.log(np.array([5.0, 10.0, 100.0])), 0.01, 10).round(2).tolist()
    [1.0, 1.0, 0.1]
    """
    gap = math.log(shown) - log_size
    above = np.exp(np.minimum(gap + spread * spread / 2, 50.0)) * ndtr(-gap / spread - spread)
    share: Floats = np.minimum(ndtr(gap / spread) + above, 1.0)
    return share


class Seen(NamedTuple):
    """What an answer said of a query's size.

    log: of the size, as it was told or estimated from the answer.
    doubt: the variance of that: 0 where it was told, infinite where the answer says nothing.
    least: log of the least that it can be.
    """

    log: float
    doubt: float = 0.0
    least: float = 0.0


class Sizes:
    """A regression with weights that begin at what is usual."""

    def __init__(self, columns: int) -> None:
        self._usual = np.concatenate([USUAL, np.zeros(columns)])
        self._sure = np.concatenate([SURE, np.full(columns, SURE_OF_COLUMN)])
        self.weights = self._usual.copy()
        self.spread = FIRST_SPREAD
        self._lines: list[Floats] = []
        self._seen: list[Seen] = []

    def note(self, line: Floats, seen: Seen) -> None:
        """Take note of an answer."""
        self._lines.append(line)
        self._seen.append(seen)

    def predict(self, lines: NDArray[np.floating]) -> Floats:
        """Return the expected log |q(H)| of queries; at least one record is expected."""
        logs: Floats = np.maximum(lines @ self.weights.astype(lines.dtype), 0.0).astype(np.float64)
        return logs

    def guess(self, line: Floats, seen: Seen) -> float:
        """Return the expected log size of a query that was asked."""
        return float(self._fill(line[None], np.array([seen]))[0][0])

    def fit(self) -> None:
        """Learn from all answers so far."""
        if not self._lines:
            return
        lines, seen = np.array(self._lines), np.array(self._seen)
        for _ in range(ROUNDS):
            filled, doubt = self._fill(lines, seen)
            precision = 1 / self.spread**2
            left = precision * lines.T @ lines + np.diag(self._sure)
            right = precision * lines.T @ filled + self._sure * self._usual
            self.weights = np.linalg.solve(left, right)
            off = filled - lines @ self.weights
            # What was filled in varies less than what it stands for.
            square = SPREAD_COUNTS * SPREAD**2 + float(doubt.sum()) + float(off @ off)
            self.spread = math.sqrt(square / (SPREAD_COUNTS + len(lines)))

    def _fill(self, lines: Floats, seen: Floats) -> tuple[Floats, Floats]:
        """Return the mean and the variance of each log size, given the regression and the answer.

        What the regression says and what the answer says are weighed by their variances; then
        what lies below the least is cut off.
        """
        logs, doubt, least = seen.T
        told = doubt == 0
        trust = np.where(told, 1.0, self.spread**2 / (self.spread**2 + doubt))
        expected = lines @ self.weights
        mean = np.where(trust > 0, trust * logs + (1 - trust) * expected, expected)
        spread = self.spread * np.sqrt(1 - trust) + 1e-9
        gap = (least - mean) / spread
        density = np.exp(-gap * gap / 2) / math.sqrt(2 * math.pi)
        hazard = np.maximum(density / np.maximum(ndtr(-gap), 1e-9), gap)
        above = np.clip(1 - hazard * (hazard - gap), 0.05, 1.0)
        filled: Floats = np.where(told, logs, mean + spread * hazard)
        return filled, np.where(told, 0.0, spread * spread * above)
