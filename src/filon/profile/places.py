"""Which places a table speaks of: what stands in the columns that are named for places."""

import re
from collections.abc import Sequence
from unicodedata import combining, normalize

from filon.page.cells import decimal_sign, missing_in, number_of
from filon.profile.shape import Column
from filon.profile.source import Box

#: Words for places in a name of a column, without accents, in a few languages.
_PLACE = re.compile(
    r"\b(?:countr|pa[iy]s|land|nation|region|regiao|state|estado|etat|provinc|district|distrito|"
    r"geo(?!m)|area|place|location|localit|localid|territor|iso|municip|city|cities|ville|ciudad|"
    r"cidade|ort|entidad|comunidad|departament|canton|kreis|bundesland|gemeinde|commun[ae]|comune|"
    r"lugar|lieu|zona)",
    re.IGNORECASE,
)
#: What stands for all of them.
_SUM = re.compile(
    r"(?:(?:grand|sub)[ -]?)?total(?:e|es|s)?|all|overall|(?:ins)?gesamt|summe|ensemble|somme|suma",
    re.IGNORECASE,
)
_MOST = 20
_LATITUDE = re.compile(r"lat(?:itude|itud)?|y_?coord(?:inate)?", re.IGNORECASE)
_LONGITUDE = re.compile(r"lon(?:g|gitude|gitud)?|lng|x_?coord(?:inate)?", re.IGNORECASE)


def places(described: Sequence[Column], columns: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the different values of the columns that name places, the first of each.

    >>> places([Column(name="Région", kind="text")], [["North", "South", "North"]])
    ('North', 'South')
    """
    found: dict[str, None] = {}
    for one, cells in zip(described, columns, strict=True):
        if one.kind == "text" and _PLACE.search(_plain(one.name)):
            is_missing = missing_in(cells)
            named = (cell.strip() for cell in cells if not is_missing(cell))
            found.update(dict.fromkeys(name for name in named if not _SUM.fullmatch(name)))
        if len(found) > _MOST:
            break
    return tuple(found)[:_MOST]


def _plain(name: str) -> str:
    """Return a name without accents, its words apart.

    >>> _plain("Région_code")
    'Region code'
    """
    return "".join(c for c in normalize("NFKD", name) if not combining(c)).replace("_", " ")


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


def coordinates(described: Sequence[Column]) -> tuple[int, int] | None:
    """Return the places of the columns of latitudes and longitudes; None where there are none.

    >>> lat = Column(name="Latitude", kind="number", least="-4.5", most="5")
    >>> coordinates([Column(name="lng", kind="number", least="33.9", most="41.9"), lat])
    (1, 0)
    """
    found = [
        [place for place, one in enumerate(described) if _degrees([one], named, most)]
        for named, most in ((_LATITUDE, 90), (_LONGITUDE, 180))
    ]
    return (found[0][0], found[1][0]) if all(found) else None


def _degrees(
    described: Sequence[Column], named: re.Pattern[str], most: float
) -> tuple[float, float] | None:
    for one in described:
        if one.kind in ("integer", "number") and named.fullmatch(one.name.strip()):
            decimal = decimal_sign((one.least, one.most, *one.examples)) or "."
            least, greatest = (number_of(end, decimal) for end in (one.least, one.most))
            if least is not None and greatest is not None and -most <= least <= greatest <= most:
                return least, greatest
    return None
