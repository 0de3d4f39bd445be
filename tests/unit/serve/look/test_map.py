"""Where the rows of a table are."""

from collections.abc import Callable
from pathlib import Path

from filon.profile.shape import Column
from filon.serve.look.charts import connected
from filon.serve.look.map import Map, clipped, land, map_of


def column(name: str, least: float, most: float) -> Column:
    return Column(name=name, kind="number", least=str(least), most=str(most))


def drawn(path: Path, columns: list[Column], box: str = "") -> Map | None:
    with connected() as connection:
        return map_of(connection, path, [one.name for one in columns], columns, box)


def test_points_that_are_near_are_one_spot(stored: Callable[..., Path]) -> None:
    path = stored({"lat": [48.0] * 90 + [10.0], "lon": [8.0] * 90 + [20.0]})
    found = drawn(path, [column("lat", 10, 48), column("lon", 8, 20)])
    assert found is not None
    assert sorted(spot.rows for spot in found.spots) == [1, 90]
    assert found.rows == 91
    large, small = sorted(found.spots, key=lambda spot: -spot.rows)
    assert large.radius > small.radius
    assert large.y < small.y  # north is up
    assert large.x < small.x
    assert all(0 <= spot.x <= found.width and 0 <= spot.y <= found.height for spot in found.spots)


def test_what_is_no_degree_is_left_out(stored: Callable[..., Path]) -> None:
    path = stored({"lat": [48.0, 99.0, None, float("nan")], "lon": [8.0, 1.0, 1.0, 1.0]})
    found = drawn(path, [column("lat", 48, 48), column("lon", 1, 8)])
    assert found is not None
    assert [spot.rows for spot in found.spots] == [1]


def test_of_shapes_the_box_is_drawn(stored: Callable[..., Path]) -> None:
    path = stored({"name": ["a"]})
    found = drawn(path, [Column(name="name")], "5.9 47.3 15.0 55.0")
    assert found is not None
    assert found.box is not None
    assert found.spots == ()
    left, top, width, height = found.box
    assert 0 <= left < left + width <= found.width
    assert 0 <= top < top + height <= found.height


def test_without_coordinates_there_is_no_map(stored: Callable[..., Path]) -> None:
    path = stored({"name": ["a"]})
    assert drawn(path, [Column(name="name")]) is None
    assert drawn(path, [Column(name="name")], "400000 200000 600000 300000") is None
    empty = stored({"lat": [None], "lon": [None]})
    assert drawn(empty, [column("lat", 1, 2), column("lon", 1, 2)]) is None


def test_the_outlines_hold_land_and_no_sea() -> None:
    def is_land(longitude: float, latitude: float) -> bool:
        inside = False
        for ring in land():
            for (x, y), (other_x, other_y) in zip(ring, [*ring[1:], ring[0]], strict=True):
                if (y > latitude) != (other_y > latitude):
                    at = x + (latitude - y) / (other_y - y) * (other_x - x)
                    inside ^= longitude < at
        return inside

    assert is_land(10, 51)
    assert is_land(-60, -10)
    assert is_land(134, -25)
    assert not is_land(-30, 30)
    assert not is_land(80, -30)


def test_an_outline_is_cut_at_the_edge() -> None:
    assert clipped([(0, 0), (1, 0), (1, 1)], (5, 5, 6, 6)) == []
    whole = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    assert clipped(whole, (-1, -1, 2, 2)) == whole
