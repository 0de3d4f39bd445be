"""How many records a query matches, learnt from the answers so far.

log |q(H)| is regressed on what the table says of the query: how many rows hold it, how many would
by chance, whether its words stand side by side or in one column. The weights begin at what is
usual and move as answers come in. Where a service reports no totals, a full first page says "at
least k": such an answer is filled in by its expectation.
"""

import math
from typing import Any

import numpy as np
from scipy.special import ndtr

from filon.strategies.enrich.prospect.lexicon import Floats

#: What is usual, found on samples of the ACL's papers and on DBLP against Scholar: a constant, log
#: rows, log rows by chance, one word, three words or more, side by side, in one column.
USUAL = np.array([1.8, 1.3, 0.2, 0.0, 0.0, 0.6, 0.2])
#: How sure: the constant depends on the size of the hidden table, about which nothing is known.
SURE = np.array([0.15, 20.0, 40.0, 4.0, 4.0, 8.0, 8.0])
#: The spread of log |q(H)| to begin with, and how many answers that counts for.
SPREAD, SPREAD_COUNTS = 1.0, 6.0
ROUNDS = 3  # of filling in and fitting
FIRST_SPREAD = 1.5  # before the first answer


def features(rows: Floats, chance: Floats, words: Floats, near: Floats, same: Floats) -> Floats:
    """Return what the regression sees of queries, a line each."""
    one = np.ones_like(rows)
    logs = np.log(np.maximum(rows, 1.0)), np.log(np.maximum(chance, 1e-9))
    return np.column_stack([one, *logs, words == 1, words > 2, near, same])


def share_shown(log_size: Floats, spread: Floats, shown: int) -> Floats:
    """Return E[min(1, shown / N)] for log-normal N: the part of its matches that a page shows.

    >>> share_shown(np.log(np.array([5.0, 10.0, 100.0])), np.full(3, 0.01), 10).round(2).tolist()
    [1.0, 1.0, 0.1]
    """
    gap = math.log(shown) - log_size
    above = np.exp(np.minimum(gap + spread * spread / 2, 50.0)) * ndtr(-gap / spread - spread)
    share: Floats = np.minimum(ndtr(gap / spread) + above, 1.0)
    return share


class Sizes:
    """A regression with weights that begin at what is usual."""

    def __init__(self) -> None:
        self.weights = USUAL.copy()
        self.spread = FIRST_SPREAD
        self._lines: list[Floats] = []
        self._logs: list[float] = []
        self._open: list[bool] = []

    def note(self, line: Floats, size: int, at_least: bool) -> None:
        """Take note of an answer: so many records, or at least so many."""
        if size > 0:
            self._lines.append(line)
            self._logs.append(math.log(size))
            self._open.append(at_least)

    def predict(self, lines: Floats) -> Floats:
        """Return the expected log |q(H)| of queries; at least one record is expected."""
        logs: Floats = np.maximum(lines @ self.weights, 0.0)
        return logs

    def fit(self) -> None:
        """Learn from all answers so far."""
        if not self._lines:
            return
        lines, logs, more = np.array(self._lines), np.array(self._logs), np.array(self._open)
        for _ in range(ROUNDS):
            filled = self._fill(lines, logs, more)
            precision = 1 / self.spread**2
            left = precision * lines.T @ lines + np.diag(SURE)
            self.weights = np.linalg.solve(left, precision * lines.T @ filled + SURE * USUAL)
            off = filled - lines @ self.weights
            doubt = SPREAD_COUNTS * SPREAD**2 + 0.5 * more.sum() * self.spread**2
            square = (doubt + float(off @ off)) / (SPREAD_COUNTS + len(logs))
            self.spread = math.sqrt(square)

    def _fill(self, lines: Floats, logs: Floats, more: Any) -> Floats:
        """Put the mean of what lies above into the place of "at least"."""
        expected = lines @ self.weights
        gap = (logs - expected) / self.spread
        density = np.exp(-gap * gap / 2) / math.sqrt(2 * math.pi)
        mean = np.maximum(density / np.maximum(ndtr(-gap), 1e-9), gap)
        filled: Floats = np.where(more, expected + self.spread * mean, logs)
        return filled
