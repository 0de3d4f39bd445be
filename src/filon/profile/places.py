"""Which places a table speaks of: what stands in the columns that are named for places."""

import re
from collections.abc import Sequence

from filon.profile.shape import Column

_PLACE = re.compile(
    r"\b(?:countr|pa[iíy]s|land|nation|region|state|province|district|geo|area|place|location|"
    r"territor|iso|municip|city|ville|ciudad|ort)",
    re.IGNORECASE,
)
_MOST = 20


def places(described: Sequence[Column], columns: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the different values of the columns that name places, the first of each.

    >>> places([Column(name="Region", kind="text")], [["North", "South", "North"]])
    ('North', 'South')
    """
    found: dict[str, None] = {}
    for one, cells in zip(described, columns, strict=True):
        if one.kind == "text" and _PLACE.search(one.name):
            found.update(dict.fromkeys(cell.strip() for cell in cells if cell.strip()))
        if len(found) > _MOST:
            break
    return tuple(found)[:_MOST]
