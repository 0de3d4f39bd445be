"""How many records a query matches, learnt from the answers so far.

log |q(H)| is regressed on what the table says of the query: how many rows hold it, how many would
by chance, whether its words stand side by side or in one column. The weights begin at what is
usual and move as answers come in. Where a service reports no totals, a full first page says "at
least k": such an answer is filled in by its expectation.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from filon.strategies.enrich.prospect.lexicon import Floats

#: What is usual, found on samples of the ACL's papers and on DBLP against Scholar: a constant, log
#: rows, log rows by chance, one word, three words or more, side by side, in one column.
USUAL = np.array([1.8, 1.3, 0.2, 0.8, 0.0, 0.6, 0.2])
#: How sure: the constant depends on the size of the hidden table, about which nothing is known.
SURE = np.array([0.15, 20.0, 40.0, 4.0, 4.0, 8.0, 8.0])
SURE_OF_COLUMN = 10.0
#: The spread of log |q(H)| to begin with, and how many answers that counts for.
SPREAD, SPREAD_COUNTS = 1.0, 6.0
FILLED = 0.6  # the spread round a size that had to be filled in
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


def share_shown(log_size: Floats, spread: Floats, shown: int) -> Floats:
    """Return E[min(1, shown / N)] for log-normal N: the part of its matches that a page shows.

    >>> share_shown(np.log(np.array([5.0, 10.0, 100.0])), np.full(3, 0.01), 10).round(2).tolist()
    [1.0, 1.0, 0.1]
    """
    gap = math.log(shown) - log_size
    above = np.exp(np.minimum(gap + spread * spread / 2, 50.0)) * ndtr(-gap / spread - spread)
    share: Floats = np.minimum(ndtr(gap / spread) + above, 1.0)
    return share


class Seen(NamedTuple):
    """What an answer said of a query's size.

    log: of the size; where it is not known, of the least it can be.
    known: whether it is.
    """

    log: float
    known: bool


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

    def predict(self, lines: Floats) -> Floats:
        """Return the expected log |q(H)| of queries; at least one record is expected."""
        logs: Floats = np.maximum(lines @ self.weights, 0.0)
        return logs

    def guess(self, line: Floats, seen: Seen) -> float:
        """Return the expected log size of a query that was asked."""
        return float(self._fill(line[None], np.array([seen]))[0])

    def fit(self) -> None:
        """Learn from all answers so far."""
        if not self._lines:
            return
        lines, seen = np.array(self._lines), np.array(self._seen, dtype=np.float64)
        for _ in range(ROUNDS):
            filled = self._fill(lines, seen)
            precision = 1 / self.spread**2
            left = precision * lines.T @ lines + np.diag(self._sure)
            right = precision * lines.T @ filled + self._sure * self._usual
            self.weights = np.linalg.solve(left, right)
            off = filled - lines @ self.weights
            # What was filled in varies less than what it stands for.
            doubt = SPREAD_COUNTS * SPREAD**2 + float((1 - seen[:, 1]).sum()) * FILLED**2
            square = (doubt + float(off @ off)) / (SPREAD_COUNTS + len(lines))
            self.spread = math.sqrt(square)

    def _fill(self, lines: Floats, seen: Floats) -> Floats:
        """Put the mean of what lies above into the place of "at least"."""
        logs, known = seen.T
        expected = lines @ self.weights
        gap = (logs - expected) / self.spread
        density = np.exp(-gap * gap / 2) / math.sqrt(2 * math.pi)
        mean = expected + self.spread * np.maximum(density / np.maximum(ndtr(-gap), 1e-9), gap)
        filled: Floats = np.where(known > 0, logs, mean)
        return filled
