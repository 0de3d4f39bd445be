"""Rows that say the same are asked for once; what is found for one is found for all of them."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


class Distinct:
    """The different rows of some columns.

    columns: the cells of the different rows; rows without any text are none of them.
    of: for each row of the table, the number of its different row; -1 where it has no text.

    >>> Distinct({"name": ["a", "b", "a", " "]}).of.tolist()
    [0, 1, 0, -1]
    """

    def __init__(self, columns: Mapping[str, Sequence[str]]) -> None:
        first: dict[bytes, int] = {}
        kept: dict[str, list[str]] = {name: [] for name in columns}
        numbers = []
        for cells in zip(*columns.values(), strict=True):
            line = "\x1f".join(cell.strip() for cell in cells)
            if not line.strip("\x1f"):
                numbers.append(-1)
                continue
            # A digest, as a million rows of text are held once already.
            digest = hashlib.blake2b(line.encode("utf-8", "replace"), digest_size=16).digest()
            number = first.setdefault(digest, len(first))
            numbers.append(number)
            if number == len(kept[next(iter(kept))]):
                for name, cell in zip(kept, cells, strict=True):
                    kept[name].append(cell)
        self.columns = kept
        self.of: NDArray[np.int64] = np.array(numbers, dtype=np.int64)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def rows(self) -> list[list[int]]:
        """Return, for each different row, the rows of the table that are like it."""
        found: list[list[int]] = [[] for _ in range(len(self))]
        for row, number in enumerate(self.of.tolist()):
            if number >= 0:
                found[number].append(row)
        return found
