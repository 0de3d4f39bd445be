"""Trees as tables: records in JSON, in JSON a line, in maps as GeoJSON or TopoJSON."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from filon.page.cells import shown
from filon.page.delimited import encoding
from filon.page.values import read_json
from filon.profile.cubes import cubes
from filon.profile.marked import open_xml
from filon.profile.source import MOST_TABLES, Box, Opened, Sheet, UnreadableError, of_records

#: How deep lists of records are looked for.
_DEPTH = 6
_LONGEST = 200
#: JSONP: the name of a function, maybe behind an empty comment or a check that there is one.
_FUNCTION = (
    r"\s*(?:/\*.{0,200}?\*/\s*)?(?:typeof [\w$.]{1,100} *={2,3} *.function. *&& *)?[\w$.]{1,100}"
)
_CALL = re.compile(b"(?:\xef\xbb\xbf)?" + _FUNCTION.encode() + rb"\s*\(\s*[\[{]")
_CALLED = re.compile(_FUNCTION + r"\s*\(\s*([\[{].*[\]}])\s*\)\s*;?\s*", re.DOTALL)


def open_json(body: bytes) -> Opened:
    """Open JSON: each list of records in it is a table, and so is an object of equal lists."""
    try:
        value = read_json(body)
    except ValueError as error:
        raise UnreadableError("damaged", f"It is no whole JSON: {error}.", "json") from error
    if isinstance(value, dict):
        if "nbformat" in value:
            return Opened(format="notebook")
        if value.get("type") == "FeatureCollection":
            features = [one for one in value.get("features") or () if isinstance(one, dict)]
            sheet = records("", list(map(_feature, features)), _box(features))
            return Opened(format="geojson", sheets=[sheet])
        if value.get("type") == "Topology" and isinstance(value.get("objects"), dict):
            return Opened(format="topojson", sheets=_layers(value["objects"]))
        if found := cubes(value):
            return Opened(format="json-stat", sheets=found)
    return Opened(format="json", sheets=list(_tables(value))[:MOST_TABLES])


def open_padded(body: bytes) -> Opened | None:
    """Open JSONP, a call of a function with JSON in it; None where it is something else."""
    if not _CALL.match(body):
        return None
    written = encoding(body)
    call = _CALLED.fullmatch(body.decode(written, "replace").lstrip("\ufeff"))
    if call is None:
        return None
    try:
        opened = open_json(call[1].encode())
    except UnreadableError:  # a program
        return None
    opened.format, opened.encoding = f"{opened.format} in jsonp", written
    return opened


def open_lines(body: bytes) -> Opened:
    """Open JSON a line."""
    values, bad = [], 0
    for line in body.splitlines():
        if not line.strip():
            continue
        try:
            values.append(read_json(line))
        except ValueError:
            bad += 1
    if not values:
        raise UnreadableError("damaged", "No line of it is JSON.", "ndjson")
    opened = Opened(format="ndjson", sheets=[records("", values)])
    if bad:
        opened.notes.append(f"{bad:,} lines are no JSON.")
    return opened


READERS: dict[str, Callable[[bytes], Opened]] = {
    "json": open_json,
    "ndjson": open_lines,
    "xml": open_xml,
}


def _tables(value: Any) -> Iterator[Sheet]:
    found = list(_lists(value, "", 0))
    found.sort(key=lambda pair: -pair[1])
    if found:
        yield from (make() for _, _, make in found)
    elif isinstance(value, dict) and len(value) > 1 and _are_objects(value.values()):
        yield records("", [{"key": key} | one for key, one in value.items()])


def _are_objects(values: Iterable[Any]) -> bool:
    return all(isinstance(one, dict) for one in values)


def _lists(value: Any, name: str, depth: int) -> Iterator[tuple[str, int, Callable[[], Sheet]]]:
    """Yield what is a table: its path, how many rows it has, and what makes a sheet of it."""
    if isinstance(value, list):
        objects = bool(value) and all(isinstance(one, dict) for one in value)
        if objects or (len(value) > 1 and all(isinstance(one, list) and one for one in value)):
            yield name, len(value), lambda: records(name, value)
    elif isinstance(value, dict) and (lists := _columns(value)):
        yield name, len(next(iter(lists.values()))), lambda: _by_column(name, lists)
    elif isinstance(value, dict) and depth < _DEPTH:
        for key, one in value.items():
            yield from _lists(one, f"{name}.{key}" if name else str(key), depth + 1)


def _columns(value: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the columns of an object that is one of equal lists; none where it is not."""
    lists = {str(key): one for key, one in value.items() if isinstance(one, list)}
    sizes = {len(one) for one in lists.values()}
    if len(lists) < 2 or len(lists) < len(value) or len(sizes) != 1 or sizes == {0}:
        return {}
    simple = not any(isinstance(cell, (dict, list)) for one in lists.values() for cell in one[:5])
    return lists if simple else {}


def _by_column(name: str, lists: Mapping[str, list[Any]]) -> Sheet:
    cells = [[_cell(value) for value in one] for one in lists.values()]
    return Sheet(name=name, rows=[list(row) for row in zip(*cells, strict=True)], names=(*lists,))


def records(name: str, values: Sequence[Any], box: Box | None = None) -> Sheet:
    """Return a sheet of records: objects, lists or single values."""
    if values and isinstance(values[0], list):
        rows = [[_cell(cell) for cell in _listed(row)] for row in values]
        return Sheet(name=name, rows=rows)
    flat = [_flat(value) if isinstance(value, Mapping) else {"value": value} for value in values]
    return of_records(name, flat, _cell, box)


def _listed(row: Any) -> Sequence[Any]:
    return row if isinstance(row, list) else [row]


def _flat(value: Mapping[str, Any], name: str = "") -> dict[str, Any]:
    """Return a record in which objects within are columns of their own, one level down."""
    flat: dict[str, Any] = {}
    for key, one in value.items():
        if isinstance(one, dict) and not name:
            flat |= _flat(one, f"{key}.")
        else:
            flat[f"{name}{key}"] = one
    return flat


def _feature(feature: Mapping[str, Any]) -> dict[str, Any]:
    shape = feature.get("geometry")
    kind = shape.get("type", "") if isinstance(shape, dict) else ""
    properties = feature.get("properties")
    return {**(properties if isinstance(properties, dict) else {}), "geometry": kind}


def _layers(objects: Mapping[str, Any]) -> list[Sheet]:
    """Return the layers of a TopoJSON."""
    sheets = []
    for name, layer in list(objects.items())[:MOST_TABLES]:
        shapes = layer.get("geometries") if isinstance(layer, dict) else None
        if isinstance(shapes, list):
            found = [one for one in shapes if isinstance(one, dict)]
            rows = [{**_feature(one), "geometry": one.get("type", "")} for one in found]
            sheets.append(records(str(name), rows))
    return sheets


def _box(features: Sequence[Mapping[str, Any]]) -> Box | None:
    """Return the box of all points; None where there is none."""
    west = south = float("inf")
    east = north = float("-inf")
    left = [
        f["geometry"].get("coordinates") for f in features if isinstance(f.get("geometry"), dict)
    ]
    while left:
        one = left.pop()
        if not isinstance(one, list) or not one:
            continue
        if isinstance(one[0], (int, float)):
            if len(one) > 1 and isinstance(one[1], (int, float)):
                west, east = min(west, one[0]), max(east, one[0])
                south, north = min(south, one[1]), max(north, one[1])
        else:
            left += one
    return (west, south, east, north) if west <= east else None


def _cell(value: Any) -> str:
    if isinstance(value, (list, dict)):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return shown(value)
