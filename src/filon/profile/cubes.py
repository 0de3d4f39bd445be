"""JSON-stat, 1 and 2: cubes as statistics offices hand them out, a row for each of their cells.

A cube is a list of values and, for each of its dimensions, the categories along it; the last
dimension varies fastest. https://json-stat.org/format/ and https://json-stat.org/full/
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Any

from filon.page.cells import shown
from filon.page.values import one_line
from filon.profile.source import MOST_TABLES, Sheet, most_rows

#: Cells of the table of a cube that are given: all that are written of a table.
_MOST_CELLS = 20_000_000
#: Collections in collections, and dimensions of a cube.
_DEPTH, _MOST_DIMENSIONS = 6, 100
_LONGEST_NAME = 200
#: The number of a cell, as the name of its value.
_PLACE = re.compile(r"0|[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class _Dimension:
    """A dimension of a cube: what it is called, and what stands along it."""

    id: str
    label: str
    categories: Sequence[str]


def cubes(value: Mapping[str, Any]) -> list[Sheet]:
    """Return the cubes of JSON-stat as sheets; none where it is something else."""
    return [_sheet(*one) for one in islice(_found("", value, 0), MOST_TABLES)]


def _found(
    name: str, value: Any, depth: int
) -> Iterator[tuple[str, Mapping[str, Any], list[_Dimension]]]:
    """Yield cubes: one alone, those of a bundle by name, and those within a collection."""
    if not isinstance(value, dict):
        return
    if dimensions := _dimensions(value):
        yield name, value, dimensions
    elif value.get("class") == "collection" and depth < _DEPTH:
        links = value.get("link")
        items = links.get("item") if isinstance(links, dict) else None
        for one in items if isinstance(items, list) else ():
            yield from _found("", one, depth + 1)
    elif depth == 0:
        for key, one in value.items():
            yield from _found(str(key), one, _DEPTH)


def _dimensions(cube: Mapping[str, Any]) -> list[_Dimension]:
    """Return the dimensions of a cube; none where it is no whole one."""
    parts, values = cube.get("dimension"), cube.get("value")
    if not isinstance(parts, dict) or not isinstance(values, (list, dict)):
        return []
    ids = cube.get("id", parts.get("id"))  # within the dimension before 2.0
    sizes = cube.get("size", parts.get("size"))
    if not isinstance(ids, list) or not isinstance(sizes, list) or len(ids) != len(sizes):
        return []
    if not 0 < len(ids) <= _MOST_DIMENSIONS or len(set(map(str, ids))) < len(ids):
        return []
    found = [_dimension(str(id), parts.get(str(id))) for id in ids]
    whole = [one for one in found if one is not None]
    if [len(one.categories) for one in whole] != sizes:
        return []
    return whole if _fit(values, prod(sizes)) else []


def _dimension(id: str, value: Any) -> _Dimension | None:
    category = value.get("category") if isinstance(value, dict) else None
    if not isinstance(category, dict):
        return None
    index, labels = category.get("index"), category.get("label")
    labels = labels if isinstance(labels, dict) else {}
    if isinstance(index, dict):
        places = {str(code): place for code, place in index.items()}
        if sorted(places.values(), key=str) != sorted(range(len(places)), key=str):
            return None
        codes = sorted(places, key=lambda code: places[code])
    else:
        codes = [str(code) for code in index] if isinstance(index, list) else list(labels)
    label = value.get("label")
    return _Dimension(id, _text(label) or id, _told_apart([(labels.get(c), c) for c in codes]))


def _told_apart(named: Sequence[tuple[Any, str]]) -> list[str]:
    """Return labels, or codes where there are none; both where a label is that of several.

    >>> _told_apart([("North", "N"), (None, "S"), ("Rest", "X"), ("Rest", "Y")])
    ['North', 'S', 'Rest (X)', 'Rest (Y)']
    """
    labels = [_text(label) or code for label, code in named]
    times = Counter(labels)
    return [
        label if times[label] == 1 else f"{label} ({code})"
        for label, (_, code) in zip(labels, named, strict=True)
    ]


def _fit(values: list[Any] | dict[str, Any], cells: int) -> bool:
    if isinstance(values, list):
        return len(values) == cells
    return bool(values) and len(_places(values, cells)) == len(values)


def _places(values: Mapping[str, Any], cells: int) -> list[int]:
    """Return the places of cells that a sparse list of values names."""
    known = (int(place) for place in values if _PLACE.fullmatch(place))
    return [place for place in known if place < cells]


def _text(value: Any) -> str:
    return one_line(value, _LONGEST_NAME) if isinstance(value, str) else ""


def _sheet(name: str, cube: Mapping[str, Any], dimensions: Sequence[_Dimension]) -> Sheet:
    values, status = cube["value"], cube.get("status")
    if not isinstance(status, (str, list, dict)) or not status:
        status = None
    sizes = [len(one.categories) for one in dimensions]
    cells: Iterable[tuple[int, Sequence[str]]]
    if isinstance(values, list):
        total = len(values)
        cells = enumerate(product(*(one.categories for one in dimensions)))
    else:  # cells without a value are left out, and so they are here
        noted = status if isinstance(status, dict) else {}
        places = sorted({*_places(values, prod(sizes)), *_places(noted, prod(sizes))})
        total = len(places)
        cells = ((place, _labels(place, dimensions)) for place in places)
    told = [values] if status is None else [values, status]
    names = [*_told_apart([(one.label, one.id) for one in dimensions]), "value", "status"]
    names = names[: len(dimensions) + len(told)]
    rows = ([*labels, *(shown(_at(one, place)) for one in told)] for place, labels in cells)
    return Sheet(
        name=_text(cube.get("label")) or _text(name),
        rows=islice(rows, most_rows(len(names), _MOST_CELLS)),
        names=tuple(names),
        total=total,
    )


def _labels(place: int, dimensions: Sequence[_Dimension]) -> list[str]:
    """Return what stands along each dimension at a cell."""
    labels = []
    for one in reversed(dimensions):
        place, along = divmod(place, len(one.categories))
        labels.append(one.categories[along])
    return labels[::-1]


def _at(values: str | list[Any] | dict[str, Any], place: int) -> Any:
    """Return what a list says of a cell; a single text says it of all."""
    if isinstance(values, str):
        return values
    if isinstance(values, list):
        return values[place] if place < len(values) else None
    return values.get(str(place))
