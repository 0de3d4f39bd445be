"""Products of dense vectors and tables that are rounded alike on all processors of a kind.

BLAS picks its loops by the processor at hand, and each adds up in another order. A strategy that
goes by such sums chooses otherwise between two links that are worth the same but for rounding: a
run would take other steps on another machine, and a resumed one would go another way. The loops
of `numpy.einsum` are compiled once for all of them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def dot(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    """Return the sum of the products of two vectors.

    >>> dot(np.array([1.0, 2.0]), np.array([10.0, 20.0]))
    50.0
    """
    return float(np.einsum("i,i", one, other))


def times(table: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
    """Return the product of each row of a table with a vector.

    >>> times(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([10.0, 20.0])).tolist()
    [50.0, 20.0]
    """
    found: NDArray[Any] = np.einsum("ij,j->i", table, vector)
    return found


def products(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return the products of each row of a table with each row of another.

    >>> products(np.array([[1.0, 2.0]]), np.array([[10.0, 20.0], [1.0, 1.0]])).tolist()
    [[50.0, 3.0]]
    """
    found: NDArray[Any] = np.einsum("ik,jk->ij", one, other)
    return found


def solve_two(table: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the solution of two equations with two unknowns (Cramer's rule).

    >>> solve_two(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([2.0, 3.0])).tolist()
    [1.0, 2.0]
    """
    (a, b), (c, d) = table.tolist()
    first, second = right.tolist()
    whole = a * d - b * c
    return np.array([(first * d - b * second) / whole, (a * second - first * c) / whole])
