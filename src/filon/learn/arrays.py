"""Forms of state for many numbers: as arrays they are stored whole, and take little room.

>>> NUMBERS.write({3, 1, 2})
array([1, 2, 3], dtype=uint64)
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.core.forms import Form


def _in_order(numbers: Collection[int]) -> NDArray[np.uint64]:
    return np.sort(np.fromiter(numbers, dtype=np.uint64, count=len(numbers)))


def _listed(data: Any) -> list[int]:
    numbers: list[int] = np.asarray(data).tolist()
    return numbers


#: A set of whole numbers, hashes mostly, in order.
NUMBERS = Form(_in_order, _listed)
#: A list of them, as it stands.
LISTED = Form(lambda numbers: np.array(numbers, dtype=np.uint64), _listed)
#: A dict that is an ordered set of indices.
INDICES = Form(
    lambda indices: np.array(list(indices), dtype=np.int64),
    lambda data: dict.fromkeys(_listed(data)),
)
#: An array of yes and no, a bit each; a few too many come back, up to a whole byte.
BITS = Form(np.packbits, lambda data: np.unpackbits(np.asarray(data, np.uint8)).astype(bool))
