"""Least squares with a quadratic penalty over a few dozen features out of many.

Solved in the dual by conjugate gradients from the last solution, so that refitting a window of
recent examples after a few new ones costs few passes over it, and there is no learning rate.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

#: Row of feature numbers; 0 fills up short rows and weighs nothing.
Rows = NDArray[np.uint16]
Vector = NDArray[np.float64]
#: A sparse matrix of scipy, whose types are not known.
Matrix = Any
#: A solution is good enough when the error that is left is this part of the labels.
TOLERANCE = 0.001


#: So few rows are summed up without making a matrix of them.
FEW = 16


class Design(NamedTuple):
    """Rows as a sparse matrix, with the features that its columns stand for."""

    matrix: Matrix
    features: NDArray[np.intp] | slice


def design(rows: Rows, values: NDArray[np.float32]) -> Design:
    """Return the design of rows of feature numbers, with a column for each that there is.

    values: what a row has at each feature that it lists.
    """
    filled = rows != 0
    ends = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum(filled.sum(axis=1), out=ends[1:])
    columns = rows[filled].astype(np.int32)
    shape = (len(rows), len(values))
    whole = sparse.csr_matrix((values[columns], columns, ends), shape=shape, copy=False)
    return Design(whole, slice(None))


class GrowingDesign:
    """The design of rows that come one after the other, with a column for each feature that occurs.

    values: what a row has at each feature that it lists.
    """

    def __init__(self, values: NDArray[np.float32]) -> None:
        self._values = values
        # Most features are in no row: without them, a pass over the matrix stays in the cache.
        self._column = np.full(len(values), -1, dtype=np.int32)  # by feature
        self._features = np.zeros(0, dtype=np.intp)
        self._ends = np.zeros(1, dtype=np.int32)
        self._columns = np.zeros(0, dtype=np.int32)
        self._data = np.zeros(0, dtype=np.float32)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, rows: Rows) -> None:
        """Add rows of feature numbers."""
        filled = rows != 0
        numbers = rows[filled]
        is_fresh = np.zeros(len(self._column), dtype=bool)
        is_fresh[numbers[self._column[numbers] < 0]] = True
        fresh = np.flatnonzero(is_fresh)
        if len(fresh):
            count = len(self._features)
            self._column[fresh] = np.arange(count, count + len(fresh), dtype=np.int32)
            self._features = np.concatenate([self._features, fresh])
        ends = self._ends[-1] + np.cumsum(filled.sum(axis=1), dtype=np.int32)
        self._ends = np.concatenate([self._ends, ends])
        self._columns = np.concatenate([self._columns, self._column[numbers]])
        self._data = np.concatenate([self._data, self._values[numbers]])

    def design(self) -> Design:
        """Return the design of all rows so far."""
        parts, shape = (self._data, self._columns, self._ends), (len(self), len(self._features))
        return Design(sparse.csr_matrix(parts, shape=shape, copy=False), self._features)


def sums(rows: Rows, table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return for each row the sum of what a table has in the rows of the features that it lists.

    table: a row a feature, the first one, of what fills up short rows, all zeros.

    >>> table = np.array([[0, 0], [1, 10], [2, 20], [3, 30]], dtype=np.float32)
    >>> sums(np.array([[1, 3, 0], [2, 0, 0]], dtype=np.uint16), table).tolist()
    [[4.0, 40.0], [2.0, 20.0]]
    """
    if len(rows) <= FEW and table.shape[1] > 1:  # numbers of one column add up in another order
        few: NDArray[np.float32] = table.take(rows, axis=0).sum(axis=1)
        return few
    columns = rows.ravel().astype(np.int32)
    ends = np.arange(0, len(columns) + 1, rows.shape[1], dtype=np.int32)
    ones = np.ones(len(columns), dtype=np.float32)
    listed = sparse.csr_matrix((ones, columns, ends), shape=(len(rows), len(table)), copy=False)
    many: NDArray[np.float32] = listed @ table
    return many


class Ridge:
    """Weights w that minimise |Xw - y|^2 + penalty |w|^2.

    size: how many features there are. A row of X has 1 at the features that it lists.

    The dual solution is (K + penalty I)^-1 y, with K = [[2, 1], [1, 2]] here: [3/8, -1/8]; the
    prediction is K times that:

    >>> model = Ridge(size=8, penalty=1.0)
    >>> rows = np.array([[1, 2], [1, 3]], dtype=np.uint16)
    >>> rows_of = design(rows, np.ones(8, dtype=np.float32))
    >>> dual = model.fit(rows_of, np.array([1.0, 0.0]), np.zeros(2), rounds=10)
    >>> (rows_of.matrix @ model.weights[rows_of.features]).round(3).tolist()
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
        forth, across = rows.matrix, rows.matrix.T
        penalty = np.float32(self.penalty)
        dual = dual.astype(np.float32)
        residual = labels.astype(np.float32)
        if dual.any():
            residual -= forth @ (across @ dual) + penalty * dual
        direction, square = residual.copy(), float(residual @ residual)
        enough = TOLERANCE**2 * float(labels @ labels)
        for _ in range(rounds):
            if square <= enough:
                break
            applied = forth @ (across @ direction) + penalty * direction
            step = np.float32(square / float(direction @ applied))
            dual += step * direction
            residual -= step * applied
            last, square = square, float(residual @ residual)
            direction = residual + np.float32(square / last) * direction
        self.weights[self.features] = 0.0
        self.weights[rows.features] = across @ dual
        self.features = rows.features
        return dual.astype(np.float64)

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
