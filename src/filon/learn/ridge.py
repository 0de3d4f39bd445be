"""Least squares with a quadratic penalty over a few dozen features out of many.

Solved in the dual by conjugate gradients from the last solution, so that refitting a window of
recent examples after a few new ones costs few passes over it, and there is no learning rate.
"""

from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from filon.learn.dense import dot, times
from filon.learn.sparse import Entries, Single

#: Row of feature numbers; 0 fills up short rows and weighs nothing.
Rows = NDArray[np.uint16]
Vector = NDArray[np.float64]
#: A solution is good enough when the error that is left is this part of the labels.
TOLERANCE = 0.001
#: Of at most so many rows, all products of two are kept: a round then takes one of them a pair, and
#: next to no time to begin with.
FEW_ROWS = 256


class Design(Protocol):
    """Rows of a regression, with the features that its columns stand for."""

    @property
    def features(self) -> NDArray[np.intp] | slice:
        """The features that occur."""
        ...

    def squared(self, dual: Single) -> Single:
        """Return the products of each row with the sum of all rows, by a weight each."""
        ...

    def summed(self, dual: Single) -> Single:
        """Return the sum of all rows, by a weight each: a number for each feature that occurs."""
        ...

    def only(self, rows: NDArray[np.intp]) -> "Design":
        """Return the design of some of the rows."""
        ...


class SparseDesign(NamedTuple):
    """Rows by their entries."""

    entries: Entries
    features: NDArray[np.intp] | slice

    def squared(self, dual: Single) -> Single:
        """Return the products of each row with the sum of all rows, by a weight each."""
        return self.entries.times(self.entries.summed(dual))

    def summed(self, dual: Single) -> Single:
        """Return the sum of all rows, by a weight each."""
        return self.entries.summed(dual)

    def only(self, rows: NDArray[np.intp]) -> "SparseDesign":
        """Return the design of some of the rows."""
        return SparseDesign(self.entries.only(rows), self.features)


class FewRows(NamedTuple):
    """Rows by their products with each other, and by their entries.

    at: which of the rows count, if not all.
    """

    products: Single
    entries: Entries
    features: NDArray[np.intp]
    at: NDArray[np.intp] | None = None

    def squared(self, dual: Single) -> Single:
        """Return the products of each row with the sum of all rows, by a weight each."""
        found: Single = times(self.products, dual)
        return found

    def summed(self, dual: Single) -> Single:
        """Return the sum of all rows, by a weight each."""
        weights = dual
        if self.at is not None:
            weights = np.zeros(self.entries.size, dtype=np.float32)
            weights[self.at] = dual
        columns, data, ends, _ = self.entries
        shares = np.repeat(weights, ends[1:] - ends[:-1]) * data
        return np.bincount(columns, shares, len(self.features)).astype(np.float32)

    def only(self, rows: NDArray[np.intp]) -> "FewRows":
        """Return the design of some of the rows."""
        return self._replace(products=self.products[rows[:, None], rows], at=rows)


def design(rows: Rows, values: Single) -> SparseDesign:
    """Return the design of rows of feature numbers, with a column for each that there is.

    values: what a row has at each feature that it lists.
    """
    filled = rows != 0
    ends = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum(filled.sum(axis=1), out=ends[1:])
    columns = rows[filled].astype(np.int32)
    return SparseDesign(Entries(columns, values[columns], ends, len(values)), slice(None))


class GrowingDesign:
    """The design of rows that come one after the other, with a column for each feature that occurs.

    values: what a row has at each feature that it lists.
    """

    def __init__(self, values: Single) -> None:
        self._values = values
        # Most features are in no row: without them, a pass over the matrix stays in the cache.
        self._column = np.full(len(values), -1, dtype=np.int32)  # by feature
        self._features = np.zeros(0, dtype=np.intp)
        nothing, start = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)
        self._entries = Entries(nothing, np.zeros(0, dtype=np.float32), start, 0)
        self._products = np.zeros((0, 0), dtype=np.float32)

    def __len__(self) -> int:
        return self._entries.size

    def add(self, rows: Rows) -> None:
        """Add rows of feature numbers."""
        before = len(self)
        filled = rows != 0
        numbers = rows[filled]
        fresh = np.sort(numbers[self._column[numbers] < 0])
        if len(fresh):
            is_last = np.ones(len(fresh), dtype=bool)
            np.not_equal(fresh[1:], fresh[:-1], out=is_last[:-1])
            fresh = fresh[is_last]  # each once
            count = len(self._features)
            self._column[fresh] = np.arange(count, count + len(fresh), dtype=np.int32)
            self._features = np.concatenate([self._features, fresh])
        columns, data, ends, _ = self._entries
        self._entries = Entries(
            np.concatenate([columns, self._column[numbers]]),
            np.concatenate([data, self._values[numbers]]),
            np.concatenate([ends, ends[-1] + filled.sum(axis=1).cumsum(dtype=np.int32)]),
            len(self._features),
        )
        if before < len(self) <= FEW_ROWS:
            self._multiply(before)

    def _multiply(self, before: int) -> None:
        """Work out the products of later rows with all that came before each."""
        columns, data, ends, width = self._entries
        count = len(self)
        first = ends[before]
        later = np.zeros((width, count - before), dtype=np.float32)
        of = np.repeat(np.arange(count - before), ends[before + 1 :] - ends[before:-1])
        np.add.at(later, (columns[first:], of), data[first:])
        products = self._entries.times_each(later)
        room = len(self._products)
        if count > room:
            # By the number of rows alone: after a resume, products are summed up in the same way.
            wider = 1 << (count - 1).bit_length()
            known, self._products = self._products, np.zeros((wider, wider), dtype=np.float32)
            self._products[:room, :room] = known
        self._products[:before, before:count] = products[:before]
        self._products[before:count, :before] = products[:before].T
        # The product of two later rows is that which the earlier of them has with the other, be
        # they added at once or not: rounding depends on it.
        within = products[before:]
        self._products[before:count, before:count] = np.where(_below(len(within)), within.T, within)

    def design(self) -> Design:
        """Return the design of all rows so far."""
        count = len(self)
        if count <= FEW_ROWS:
            return FewRows(self._products[:count, :count], self._entries, self._features)
        return SparseDesign(self._entries, self._features)


@lru_cache(maxsize=64)
def _below(size: int) -> NDArray[np.bool_]:
    """Return what is below the diagonal of a square."""
    return np.tri(size, k=-1, dtype=np.bool_)


def sums(rows: Rows, table: Single) -> Single:
    """Return for each row the sum of what a table has in the rows of the features that it lists.

    table: a row a feature, the first one, of what fills up short rows, all zeros. It is read twice
    as fast with four columns as with three.

    >>> table = np.array([[0, 0], [1, 10], [2, 20], [3, 30]], dtype=np.float32)
    >>> sums(np.array([[1, 3, 0], [2, 0, 0]], dtype=np.uint16), table).tolist()
    [[4.0, 40.0], [2.0, 20.0]]
    """
    if len(rows) == table.shape[1] == 1:  # the numbers of one lone sum add up in another order
        return sums(np.repeat(rows, 2, axis=0), table)[:1]
    # One feature of all rows after the other: then all sums grow side by side.
    total: Single = np.add.reduce(table.take(np.ascontiguousarray(rows.T), axis=0), axis=0)
    return total


class Ridge:
    """Weights w that minimise |Xw - y|^2 + penalty |w|^2.

    size: how many features there are. A row of X has 1 at the features that it lists.

    The dual solution is (K + penalty I)^-1 y, with K = [[2, 1], [1, 2]] here: [3/8, -1/8]; the
    prediction is K times that:

    >>> model = Ridge(size=8, penalty=1.0)
    >>> rows = np.array([[1, 2], [1, 3]], dtype=np.uint16)
    >>> rows_of = design(rows, np.ones(8, dtype=np.float32))
    >>> dual = model.fit(rows_of, np.array([1.0, 0.0]), np.zeros(2), rounds=10)
    >>> rows_of.entries.times(model.weights).round(3).tolist()
    [0.625, 0.125]

    Reference: A. E. Hoerl and R. W. Kennard, "Ridge Regression: Biased Estimation for Nonorthogonal
    Problems", Technometrics 12(1), 1970; M. R. Hestenes and E. Stiefel, "Methods of Conjugate
    Gradients for Solving Linear Systems", Journal of Research of the National Bureau of Standards
    49(6), 1952.
    """

    def __init__(self, size: int, penalty: float) -> None:
        self.penalty = penalty
        self.weights = np.zeros(size, dtype=np.float32)
        # Those that have a weight.
        self.features: NDArray[np.intp] | slice = np.zeros(0, dtype=np.intp)

    def fit(self, rows: Design, labels: Vector, dual: Vector, rounds: int) -> Vector:
        """Go some rounds towards the best weights, from a dual solution; return the new one.

        dual: one number a row, zeros to begin with.
        """
        penalty = self.penalty
        found = dual.astype(np.float32)
        residual = labels.astype(np.float32)
        if found.any():
            residual -= rows.squared(found) + penalty * found
        direction, square = residual.copy(), dot(residual, residual)
        enough = TOLERANCE**2 * dot(labels, labels)
        for _ in range(rounds):
            if square <= enough:
                break
            applied = rows.squared(direction) + penalty * direction
            step = square / dot(direction, applied)
            found += step * direction
            residual -= step * applied
            last, square = square, dot(residual, residual)
            direction = residual + square / last * direction
        self.weights[self.features] = 0.0
        self.weights[rows.features] = rows.summed(found)
        self.features = rows.features
        return found.astype(np.float64)

    def state(self) -> dict[str, Any]:
        """Return plain data: the weights that are not zero."""
        # By hand: most weights are zero.
        places = np.flatnonzero(self.weights)
        return {"version": 1, "at": places.astype(np.int32), "weights": self.weights[places]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.weights = np.zeros_like(self.weights)
        self.weights[state["at"]] = state["weights"]
        self.features = np.array(state["at"], dtype=np.intp)
