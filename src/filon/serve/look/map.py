"""Where the rows of a table are: a map with the outlines of land, and points put together.

The outlines are those of Natural Earth at 1:110 million, as the package world-atlas has them; the
licence lies beside the file. They tell which continent and which coast, and no streets.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from filon.catalog.data import quoted
from filon.profile.places import coordinates
from filon.profile.shape import Column
from filon.serve.words import t

#: The picture, in its own units; a point is put together with others so near.
_WIDTH, _LEAST_HEIGHT, _MOST_HEIGHT = 720.0, 240.0, 480.0
_NEAR = 8.0
_MOST_POINTS = 2500
#: The smallest part of the world that is shown, in degrees: outlines say nothing nearer.
_SMALLEST = 2.0
Point = tuple[float, float]
Extent = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Spot:
    """Rows that are near each other, in units of the picture."""

    x: float
    y: float
    radius: float
    rows: int


@dataclass(frozen=True, slots=True)
class Line:
    """A meridian or a parallel, as a path, and what stands at its end."""

    path: str
    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """A map as it is drawn. land: a path. box: of shapes of which the points are not known."""

    width: float
    height: float
    land: str
    lines: Sequence[Line]
    spots: Sequence[Spot] = ()
    box: tuple[float, float, float, float] | None = None
    rows: int = 0


def map_of(
    connection: Any, path: Path, names: Sequence[str], columns: Sequence[Column], box: str
) -> Map | None:
    """Return the map of a table; None where nothing says where its rows are.

    names: of the columns as Parquet has them. columns: as the profile tells them.
    box: of the table, as the catalog keeps it.
    """
    places = coordinates(columns)
    if places and len(names) == len(columns):
        return _of_points(connection, path, names[places[0]], names[places[1]])
    corners = [float(part) for part in box.split()]
    if len(corners) != 4:
        return None
    west, south, east, north = corners
    if not (-180 <= west <= east <= 180 and -90 <= south <= north <= 90):
        return None  # of another way to name places than degrees
    view = _View(_extent(west, south, east, north))
    left, top = view.point(west, north)
    right, bottom = view.point(east, south)
    shown = (left, top, max(right - left, 2.0), max(bottom - top, 2.0))
    return Map(**view.background(), box=shown)


def _of_points(connection: Any, path: Path, latitude: str, longitude: str) -> Map | None:
    rows = (
        f"(SELECT CAST({quoted(longitude)} AS DOUBLE) AS x, CAST({quoted(latitude)} AS DOUBLE) AS y"
        " FROM read_parquet(?)) WHERE x BETWEEN -180 AND 180 AND y BETWEEN -90 AND 90"
    )
    found = connection.execute(
        f"SELECT count(*), min(x), min(y), max(x), max(y) FROM {rows}", [str(path)]
    ).fetchone()
    total, *corners = found
    if not total:
        return None
    view = _View(_extent(*corners))
    degrees = _NEAR / view.scale_x, _NEAR / view.scale_y
    near = connection.execute(
        f"SELECT avg(x), avg(y), count(*) AS n FROM {rows}"
        f" GROUP BY floor(x / {degrees[0]!r}), floor(y / {degrees[1]!r})"
        f" ORDER BY n DESC LIMIT {_MOST_POINTS}",
        [str(path)],
    ).fetchall()
    most = max(number for _, _, number in near)
    spots = []
    for x, y, number in near:
        radius = 1.8 + 3.4 * math.log1p(number) / math.log1p(most) if most > 1 else 3.0
        spots.append(Spot(*view.point(x, y), round(radius, 1), number))
    return Map(**view.background(), spots=spots, rows=total)


def _extent(west: float, south: float, east: float, north: float) -> Extent:
    """Return what is shown: the points and a margin, and no less than says something."""
    margin = max((east - west) * 0.08, (north - south) * 0.08, _SMALLEST / 2)
    west, east = max(-180.0, west - margin), min(180.0, east + margin)
    south, north = max(-90.0, south - margin), min(90.0, north + margin)
    # As wide as the picture at least, so that no map is a slit.
    wanted = (north - south) * _WIDTH / _MOST_HEIGHT / _shrink(south, north)
    if east - west < wanted:
        middle = (east + west) / 2
        west = max(-180.0, min(middle - wanted / 2, 180.0 - wanted))
        east = min(180.0, west + wanted)
    return west, south, east, north


def _shrink(south: float, north: float) -> float:
    """Return how much shorter a degree of longitude is than one of latitude."""
    return max(0.2, math.cos(math.radians((south + north) / 2)))


class _View:
    """From degrees to the picture."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        west, south, east, north = extent
        self.scale_x = _WIDTH / (east - west)
        height = self.scale_x / _shrink(south, north) * (north - south)
        self.height = round(min(max(height, _LEAST_HEIGHT), _MOST_HEIGHT), 1)
        self.scale_y = self.height / (north - south)

    def point(self, longitude: float, latitude: float) -> Point:
        west, _, _, north = self.extent
        x, y = (longitude - west) * self.scale_x, (north - latitude) * self.scale_y
        return round(x, 1), round(y, 1)

    def background(self) -> dict[str, Any]:
        rings = (clipped(ring, self.extent) for ring in land())
        path = "".join(_path([self.point(*one) for one in ring]) for ring in rings if ring)
        return {"width": _WIDTH, "height": self.height, "land": path, "lines": self._lines()}

    def _lines(self) -> list[Line]:
        west, south, east, north = self.extent
        step = next((s for s in (1, 2, 5, 10, 20, 30) if (east - west) / s <= 8), 60)
        found = []
        for degree in _between(west, east, step):
            x, _ = self.point(degree, north)
            side = "" if degree % 180 == 0 else t("map.east") if degree > 0 else t("map.west")
            label = f"{abs(degree)}°{side}"
            found.append(Line(f"M{x:g} 0V{self.height:g}", x + 3, self.height - 4, label))
        for degree in _between(south, north, step):
            _, y = self.point(west, degree)
            side = "" if degree == 0 else t("map.north") if degree > 0 else t("map.south")
            label = f"{abs(degree)}°{side}"
            found.append(Line(f"M0 {y:g}H{_WIDTH:g}", 3, y - 3, label))
        return found


def _between(low: float, high: float, step: int) -> range:
    return range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step)


def _path(points: Sequence[Point]) -> str:
    rest = "".join(f"L{x:g} {y:g}" for x, y in points[1:])
    return f"M{points[0][0]:g} {points[0][1]:g}{rest}Z"


@cache
def land() -> list[list[Point]]:
    """Return the rings of all land, in degrees."""
    file = resources.files("filon.serve.look") / "land-110m.json"
    topology = json.loads(file.read_text("utf-8"))
    (scale_x, scale_y), (from_x, from_y) = (
        topology["transform"][name] for name in ("scale", "translate")
    )
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points: list[Point] = []
        for step_x, step_y in arc:
            x, y = x + step_x, y + step_y
            points.append((x * scale_x + from_x, y * scale_y + from_y))
        arcs.append(points)
    rings = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for polygon in geometry["arcs"]:
            for ring in polygon:
                parts = [arcs[n] if n >= 0 else arcs[~n][::-1] for n in ring]
                rings.append([point for part in parts for point in part])
    return rings


def clipped(ring: Sequence[Point], extent: Extent) -> list[Point]:
    """Return what of a ring is within a rectangle: Sutherland and Hodgman, 1974.

    >>> clipped([(0, 0), (4, 0), (4, 4), (0, 4)], (1, 1, 9, 3))
    [(1.0, 3.0), (1.0, 1.0), (4.0, 1.0), (4.0, 3.0)]
    """
    west, south, east, north = extent
    points = list(ring)
    for axis, edge, sign in ((0, west, 1), (0, east, -1), (1, south, 1), (1, north, -1)):
        points = _cut_off(points, axis, edge, sign)
    return points


def _cut_off(points: Sequence[Point], axis: int, edge: float, sign: int) -> list[Point]:
    kept: list[Point] = []
    for place, point in enumerate(points):
        before = points[place - 1]
        is_in = sign * (point[axis] - edge) >= 0
        if is_in != (sign * (before[axis] - edge) >= 0):
            share = (edge - before[axis]) / (point[axis] - before[axis])
            x, y = (before[n] + share * (point[n] - before[n]) for n in (0, 1))
            kept.append((float(x), float(y)))
        if is_in:
            kept.append((float(point[0]), float(point[1])))
    return kept
