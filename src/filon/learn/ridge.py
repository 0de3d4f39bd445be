"""Least squares with a quadratic penalty over a few dozen binary features out of many.

Solved in the dual by conjugate gradients from the last solution, so that refitting a window of
recent examples after a few new ones costs a few passes over it, and there is no learning rate.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Row of feature numbers; 0 fills up short rows and weighs nothing.
Rows = NDArray[np.uint16]
Vector = NDArray[np.float64]


class Ridge:
    """Weights w that minimise |Xw - y|^2 + penalty |w|^2.

    size: how many features there are. A row of X has 1 at the features that it lists.

    The dual solution is (K + penalty I)^-1 y, with K = [[2, 1], [1, 2]] here: [3/8, -1/8]; the
    prediction is K times that:

    >>> model = Ridge(size=8, penalty=1.0)
    >>> rows = np.array([[1, 2], [1, 3]], dtype=np.uint16)
    >>> dual = model.fit(rows, np.array([1.0, 0.0]), np.zeros(2), rounds=10)
    >>> model.predict(rows).round(3).tolist()
    [0.625, 0.125]

    Reference: A. E. Hoerl and R. W. Kennard, "Ridge Regression: Biased Estimation for Nonorthogonal
    Problems", Technometrics 12(1), 1970; M. R. Hestenes and E. Stiefel, "Methods of Conjugate
    Gradients for Solving Linear Systems", Journal of Research of the National Bureau of Standards
    49(6), 1952.
    """

    def __init__(self, size: int, penalty: float) -> None:
        self.penalty = penalty
        self.weights = np.zeros(size)

    def predict(self, rows: Rows) -> Vector:
        """Return the sum of the weights of each row's features."""
        sums: Vector = self.weights[rows].sum(axis=1)
        return sums

    def fit(self, rows: Rows, labels: Vector, dual: Vector, rounds: int) -> Vector:
        """Go some rounds towards the best weights, from a dual solution; return the new one.

        dual: one number a row, zeros to begin with.
        """
        flat, width = rows.ravel().astype(np.intp), rows.shape[1]

        def spread(solution: Vector) -> Vector:
            """Return the weights of a dual solution."""
            counted = np.bincount(flat, np.repeat(solution, width), len(self.weights))
            weights: Vector = counted.astype(np.float64, copy=False)
            weights[0] = 0.0
            return weights

        def apply(solution: Vector) -> Vector:
            gathered: Vector = spread(solution)[flat].reshape(rows.shape).sum(axis=1)
            return gathered + self.penalty * solution

        dual = dual.copy()
        residual = labels - apply(dual)
        direction, square = residual.copy(), float(residual @ residual)
        for _ in range(rounds):
            if square < 1e-9:
                break
            applied = apply(direction)
            step = square / float(direction @ applied)
            dual += step * direction
            residual -= step * applied
            last, square = square, float(residual @ residual)
            direction = residual + square / last * direction
        self.weights = spread(dual)
        return dual

    def state(self) -> dict[str, Any]:
        """Return plain data: the weights that are not zero."""
        # By hand: most weights are zero.
        places = np.flatnonzero(self.weights)
        return {"version": 1, "at": places.astype(np.int32), "weights": self.weights[places]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.weights = np.zeros(len(self.weights))
        self.weights[state["at"]] = state["weights"]
