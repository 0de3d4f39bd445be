"""Which places a table speaks of: what stands in the columns that are named for places."""

import re
from collections.abc import Sequence

from filon.page.cells import number_of
from filon.profile.shape import Column
from filon.profile.source import Box

_PLACE = re.compile(
    r"\b(?:countr|pa[iíy]s|land|nation|region|state|province|district|geo(?!m)|area|place|location|"
    r"territor|iso|municip|city|ville|ciudad|ort)",
    re.IGNORECASE,
)
_MOST = 20
_LATITUDE = re.compile(r"lat(?:itude|itud)?|y_?coord(?:inate)?", re.IGNORECASE)
_LONGITUDE = re.compile(r"lon(?:g|gitude|gitud)?|lng|x_?coord(?:inate)?", re.IGNORECASE)


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


def box(described: Sequence[Column]) -> Box | None:
    """Return west, south, east and north of columns of coordinates; None where there are none.

    >>> lat = Column(name="Latitude", kind="number", least="-4.5", most="5")
    >>> box([lat, Column(name="lon", kind="number", least="33.9", most="41.9")])
    (33.9, -4.5, 41.9, 5.0)
    """
    south_north = _degrees(described, _LATITUDE, 90)
    west_east = _degrees(described, _LONGITUDE, 180)
    if not south_north or not west_east:
        return None
    return west_east[0], south_north[0], west_east[1], south_north[1]


def _degrees(
    described: Sequence[Column], named: re.Pattern[str], most: float
) -> tuple[float, float] | None:
    for one in described:
        if one.kind in ("integer", "number") and named.fullmatch(one.name.strip()):
            least, greatest = number_of(one.least), number_of(one.most)
            if least is not None and greatest is not None and -most <= least <= greatest <= most:
                return least, greatest
    return None
