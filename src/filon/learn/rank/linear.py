"""Linear models that are fitted to a few dozen texts at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from filon.learn.dense import dot
from filon.learn.rank.vectors import Matrix

Vector = NDArray[np.float64]


def logistic(
    matrix: Matrix, labels: Sequence[bool], *, c: float = 1.0, weights: Sequence[float] = ()
) -> tuple[Vector, float]:
    """Fit logistic regression with an L2 penalty; return weights and intercept.

    c: how much the texts count against the penalty. weights: of the texts; 1 by default.

    >>> from scipy.sparse import csr_matrix
    >>> weights, intercept = logistic(csr_matrix([[1.0], [1.0], [0.0]]), [True, True, False])
    >>> print(f"chance {1 / (1 + np.exp(-weights[0] - intercept)):.2f} of a text with the word")
    chance 0.71 of a text with the word
    """
    signs = np.where(np.asarray(labels), 1.0, -1.0)
    each = c * (np.asarray(weights, dtype=float) if len(weights) else np.ones(len(signs)))

    def loss(point: Vector) -> tuple[float, Vector]:
        margin = signs * (matrix @ point[:-1] + point[-1])
        value = dot(each, np.logaddexp(0, -margin)) + dot(point[:-1], point[:-1]) / 2
        slope = -each * signs / (1 + np.exp(np.clip(margin, -500, 500)))
        return value, np.append(matrix.T @ slope + point[:-1], slope.sum())

    start = np.zeros(matrix.shape[1] + 1)
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B").x
    return found[:-1], float(found[-1])


def hinge(
    matrix: Matrix,
    labels: Sequence[bool],
    *,
    c: float,
    positive_weight: float = 1.0,
    offsets: Sequence[float] = (),
) -> tuple[Vector, float]:
    """Fit a linear support vector machine by its dual; return weights and intercept.

    positive_weight: how much more an error on a positive costs (biased SVM).
    offsets: scores that the rows have already: what is fitted is added to them.

    >>> from scipy.sparse import csr_matrix
    >>> weights, intercept = hinge(csr_matrix([[2.0], [0.0]]), [True, False], c=10.0)
    >>> print(f"scores {2 * weights[0] + intercept:.2f} and {intercept:.2f}: both on the margin")
    scores 1.00 and -1.00: both on the margin

    Reference: C.-J. Hsieh et al., "A Dual Coordinate Descent Method for Large-scale Linear SVM",
    ICML 2008.
    """
    signs = np.where(np.asarray(labels), 1.0, -1.0)
    lacking = 1 - signs * np.asarray(offsets) if len(offsets) else np.ones(len(signs))
    bound = np.where(signs > 0, c * positive_weight, c)
    kernel = (matrix @ matrix.T).toarray() + 1.0  # the intercept as a feature of its own
    q = kernel * np.outer(signs, signs)
    alpha = np.zeros(len(signs))
    for _ in range(200):
        before = alpha.copy()
        for at in range(len(alpha)):
            slope = dot(q[at], alpha) - lacking[at]
            alpha[at] = min(bound[at], max(0.0, alpha[at] - slope / max(q[at, at], 1e-12)))
        if np.abs(alpha - before).max() < 1e-9:
            break
    push = alpha * signs
    return np.asarray(matrix.T @ push).ravel(), float(push.sum())


def one_class(matrix: Matrix, nu: float) -> Vector:
    """Fit a linear one-class support vector machine; return weights: more is more inside.

    nu: the share of the rows that may lie outside, at most.

    >>> from scipy.sparse import csr_matrix
    >>> one_class(csr_matrix([[1.0, 0.0], [0.0, 1.0]]), nu=0.1).round(2).tolist()
    [0.5, 0.5]

    Reference: B. Schölkopf et al., "Support Vector Method for Novelty Detection", NIPS 1999.
    """
    kernel = (matrix @ matrix.T).toarray()
    count = len(kernel)
    start = np.full(count, 1 / count)
    found = optimize.minimize(
        lambda alpha: (alpha @ kernel @ alpha / 2, kernel @ alpha),
        start,
        jac=True,
        method="SLSQP",
        bounds=[(0, 1 / (nu * count))] * count,
        constraints={"type": "eq", "fun": lambda alpha: alpha.sum() - 1},
    ).x
    return np.asarray(matrix.T @ found).ravel()
