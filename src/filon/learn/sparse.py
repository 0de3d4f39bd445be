"""Products of rows that are mostly zero with vectors, by scipy's own loops.

`import scipy.sparse` takes 0.13 s of CPU, for much that nobody here asks for: as much as some
hundred answers. Its loops are in one extension module that needs nothing of the rest, so that alone
is loaded; where a version of scipy has none, scipy.sparse is imported and asked.
"""

from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Single = NDArray[np.float32]


class Entries(NamedTuple):
    """What is not zero in some rows, one row after the other, and where each row ends.

    >>> rows = Entries(np.array([0, 2], np.int32), np.array([1, 3], np.float32),
    ...                np.array([0, 1, 2], np.int32), 3)
    >>> rows.times(np.array([10, 20, 30], np.float32)).tolist()
    [10.0, 90.0]
    >>> rows.summed(np.array([1, 2], np.float32)).tolist()
    [1.0, 0.0, 6.0]
    """

    columns: NDArray[np.int32]
    data: Single
    ends: NDArray[np.int32]
    width: int

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.ends) - 1

    def times(self, vector: Single) -> Single:
        """Return the product of each row with a vector."""
        found = np.zeros(self.size, dtype=np.float32)
        columns, data, ends, width = self
        loops().csr_matvec(self.size, width, ends, columns, data, vector, found)
        return found

    def times_each(self, table: Single) -> Single:
        """Return the products of each row with the columns of a table."""
        found = np.zeros((self.size, table.shape[1]), dtype=np.float32)
        columns, data, ends, width = self
        flat, into = table.ravel(), found.ravel()
        loops().csr_matvecs(self.size, width, table.shape[1], ends, columns, data, flat, into)
        return found

    def summed(self, weights: Single) -> Single:
        """Return the sum of all rows, by a weight each."""
        found = np.zeros(self.width, dtype=np.float32)
        columns, data, ends, width = self
        loops().csc_matvec(width, self.size, ends, columns, data, weights, found)
        return found

    def only(self, rows: NDArray[np.intp]) -> "Entries":
        """Return some of the rows, in their order."""
        columns, data, ends, width = self
        lengths, kept = np.diff(ends), np.zeros(self.size, dtype=bool)
        kept[rows] = True
        at = np.repeat(kept, lengths)
        new_ends = np.zeros(len(rows) + 1, dtype=np.int32)
        np.cumsum(lengths[rows], out=new_ends[1:])
        return Entries(columns[at], data[at], new_ends, width)


@cache
def loops() -> Any:
    """Return the loops, as scipy's module has them or as it does without."""
    return _alone("_sparsetools") or Public()


def _alone(name: str) -> Any:
    """Load an extension module of scipy.sparse without the rest; None: there is none."""
    package = find_spec("scipy")
    folders = (package and package.submodule_search_locations) or ()
    spec = PathFinder.find_spec(name, [str(Path(folder) / "sparse") for folder in folders])
    if spec is None or spec.loader is None:
        return None
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:  # Windows may look for its libraries where only scipy as a whole says
        return None
    return module if all(hasattr(module, loop) for loop in LOOPS) else None


#: What is asked of the module.
LOOPS = ("csr_matvec", "csr_matvecs", "csc_matvec")


class Public:
    """The loops by what scipy.sparse has for everybody."""

    def csr_matvec(self, count: int, width: int, *given: Any) -> None:
        """Add the products of rows with a vector."""
        from scipy import sparse

        ends, columns, data, vector, total = given
        total += sparse.csr_matrix((data, columns, ends), shape=(count, width)) @ vector

    def csr_matvecs(self, count: int, width: int, across: int, *given: Any) -> None:
        """Add the products of rows with the columns of a table."""
        from scipy import sparse

        ends, columns, data, flat, total = given
        rows = sparse.csr_matrix((data, columns, ends), shape=(count, width))
        total += (rows @ flat.reshape(width, across)).ravel()

    def csc_matvec(self, width: int, count: int, *given: Any) -> None:
        """Add the sum of rows, by a weight each."""
        from scipy import sparse

        ends, columns, data, weights, total = given
        total += sparse.csc_matrix((data, columns, ends), shape=(width, count)) @ weights
