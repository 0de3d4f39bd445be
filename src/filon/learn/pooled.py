"""Least squares over many groups of examples: what all groups share, apart from what each has.

A label of group g is x (w + v_g) + b_g: weights w that hold everywhere, weights and a mean that
hold in the group alone. Only w is kept. What one group could explain by itself is no reason to
believe it elsewhere; what is the same in several is.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.learn.dense import dot
from filon.learn.ridge import Vector

#: A sparse matrix of scipy, whose types are not known.
Matrix = Any
Apply = Callable[[list[Vector]], list[Vector]]

#: Examples of a group that have a say of one each; of more, each has less.
SAY = 500.0
#: Groups that must have a feature before it is believed to mean something.
LEAST_GROUPS = 2
#: Rounds of conjugate gradients at most, and the error at which they end, as a part of the labels.
ROUNDS, TOLERANCE = 100, 0.003


def pooled(
    groups: Sequence[tuple[Matrix, Vector]], penalty: float, own_penalty: float
) -> NDArray[np.float32]:
    """Return the weights w that minimise, over all groups,

        |X (w + v) + b - y|^2 / n + penalty |w|^2 + own_penalty |v|^2 + b^2

    groups: of each the examples X, a sparse matrix, and their labels y, which are centred.
    n: 1, or more where a group has more than SAY examples.

    Two groups agree on the first feature and not on the second:

    >>> from scipy.sparse import csr_matrix
    >>> examples = csr_matrix(np.array([[1, 0], [0, 1], [0, 0]] * 9, dtype=np.float32))
    >>> labels = [np.array([1.0, second, 0.0] * 9) for second in (1.0, -1.0)]
    >>> pooled([(examples, each) for each in labels], 1.0, 1.0).astype(float).round(1).tolist()
    [0.6, -0.0]

    Reference: R. Caruana, "Multitask Learning", Machine Learning 28, 1997; T. Evgeniou and
    M. Pontil, "Regularized Multi-Task Learning", KDD 2004, whose model this is.
    """
    shared = _shared([examples for examples, _ in groups])
    alike = [examples.multiply(shared).tocsr() for examples, _ in groups]
    labels = [(y - y.mean()).astype(np.float32) for _, y in groups]
    noise = [np.float32(max(1.0, len(y) / SAY)) for y in labels]

    weak, own = np.float32(1 / penalty), np.float32(1 / own_penalty)

    def apply(duals: list[Vector]) -> list[Vector]:
        common = weak * sum(x.T @ dual for x, dual in zip(alike, duals, strict=True))
        return [
            x @ common + own * (whole @ (whole.T @ dual)) + dual.sum() + each * dual
            for x, (whole, _), dual, each in zip(alike, groups, duals, noise, strict=True)
        ]

    duals = _solved(apply, labels)
    weights = sum(x.T @ dual for x, dual in zip(alike, duals, strict=True)) / penalty
    return np.asarray(weights, dtype=np.float32)


def _shared(groups: Sequence[Matrix]) -> NDArray[np.float32]:
    """Return 1 for each feature that enough groups have, 0 for the others."""
    having = sum((np.bincount(x.indices, minlength=x.shape[1]) > 0).astype(int) for x in groups)
    return (np.asarray(having) >= min(LEAST_GROUPS, len(groups))).astype(np.float32)


def _solved(apply: Apply, labels: list[Vector]) -> list[Vector]:
    """Solve by conjugate gradients."""
    duals = [np.zeros_like(y) for y in labels]
    residuals = [y.copy() for y in labels]
    directions = [y.copy() for y in labels]
    first = square = _dot(residuals, residuals)
    for _ in range(ROUNDS):
        if square <= TOLERANCE**2 * first:
            break
        applied = apply(directions)
        step = np.float32(square / _dot(directions, applied))
        for dual, residual, direction, image in zip(
            duals, residuals, directions, applied, strict=True
        ):
            dual += step * direction
            residual -= step * image
        last, square = square, _dot(residuals, residuals)
        directions = [
            r + np.float32(square / last) * d for r, d in zip(residuals, directions, strict=True)
        ]
    return duals


def _dot(one: list[Vector], other: list[Vector]) -> float:
    return sum(dot(a, b) for a, b in zip(one, other, strict=True))
