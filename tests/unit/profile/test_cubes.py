"""Cubes of JSON-stat as tables, and JSON within the call of a function."""

import json
from pathlib import Path
from typing import Any

import pytest

from filon.catalog.combine import stacked
from filon.catalog.query import sql
from filon.profile.parquet import convert
from filon.profile.read import profile
from filon.profile.rows import sample
from filon.profile.shape import Profile
from unit.catalog.conftest import filled, id_of

REGION = {
    "label": "Region",
    "category": {"index": {"S": 1, "N": 0}, "label": {"N": "North", "S": "South"}},
}
YEAR = {"category": {"index": ["2019", "2020", "2021"]}}
CUBE: dict[str, Any] = {
    "version": "2.0",
    "class": "dataset",
    "label": "Unemployment rate",
    "id": ["region", "year"],
    "size": [2, 3],
    "dimension": {"region": REGION, "year": YEAR},
    "value": [1.5, None, 3, 4, 5.25, 6],
}
ROWS = [
    ["Region", "year", "value"],
    ["North", "2019", "1.5"],
    ["North", "2020", ""],
    ["North", "2021", "3"],
    ["South", "2019", "4"],
    ["South", "2020", "5.25"],
    ["South", "2021", "6"],
]


def of(tmp_path: Path, value: Any, name: str = "a.json") -> tuple[Profile, list[list[list[str]]]]:
    """Return the profile of a file, and its tables."""
    path = tmp_path / name
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    told = profile(path, name)
    return told, [sample(path, name, n, 100) for n in range(1, len(told.tables) + 1)]


def older(cube: dict[str, Any]) -> dict[str, Any]:
    """Return a cube as JSON-stat 1 has it: ids and sizes within the dimension."""
    dimension = {**cube["dimension"], "id": cube["id"], "size": cube["size"]}
    return {"label": cube["label"], "dimension": dimension, "value": cube["value"]}


def test_each_cell_of_a_cube_is_a_row(tmp_path: Path) -> None:
    told, tables = of(tmp_path, CUBE)
    (table,) = told.tables
    assert (told.format, table.name, table.rows) == ("json-stat", "Unemployment rate", 6)
    assert [column.kind for column in table.columns] == ["text", "integer", "number"]
    assert (table.columns[2].missing, table.since, table.until) == (1, "2019", "2021")
    assert tables == [ROWS]


def test_a_bundle_of_the_first_version_has_a_table_a_cube(tmp_path: Path) -> None:
    unnamed = {key: value for key, value in older(CUBE).items() if key != "label"}
    told, tables = of(tmp_path, {"rates": older(CUBE), "more": unnamed, "note": "x"})
    assert [table.name for table in told.tables] == ["Unemployment rate", "more"]
    assert tables == [ROWS, ROWS]


def test_the_cubes_within_a_collection_are_tables(tmp_path: Path) -> None:
    inner = {"class": "collection", "link": {"item": [CUBE]}}
    items = [{"class": "dataset", "href": "https://a.test/b.json"}, CUBE, inner]
    told, tables = of(tmp_path, {"class": "collection", "link": {"item": items}})
    assert (told.format, tables) == ("json-stat", [ROWS, ROWS])


@pytest.mark.parametrize(
    ("status", "column"),
    [
        ("p", ["p"] * 6),
        (["a", None, "b", "c", "d", "e"], ["a", "", "b", "c", "d", "e"]),
        ({"1": "m", "5": "e"}, ["", "m", "", "", "", "e"]),
        ([], None),
    ],
)
def test_what_is_said_of_cells_is_a_column(
    tmp_path: Path, status: object, column: list[str] | None
) -> None:
    _, ((names, *rows),) = of(tmp_path, {**CUBE, "status": status})
    assert names == [*ROWS[0], "status"] if column else ROWS[0]
    assert [row[3] for row in rows] == column if column else True


def test_of_a_sparse_cube_the_cells_that_it_names_are_rows(tmp_path: Path) -> None:
    sparse = {**CUBE, "value": {"4": 5.25, "0": 1.5}, "status": {"1": "m"}}
    _, (rows,) = of(tmp_path, sparse)
    assert rows == [
        ["Region", "year", "value", "status"],
        ["North", "2019", "1.5", ""],
        ["North", "2020", "", "m"],
        ["South", "2020", "5.25", ""],
    ]


def test_equal_labels_are_told_apart_and_one_category_needs_no_index(tmp_path: Path) -> None:
    again = {"category": {"index": ["N", "S"], "label": {"N": "Rest", "S": "Rest"}}}
    again["label"] = "Year"  # type: ignore[assignment]
    one = {"label": "Year", "category": {"label": {"20": "2020"}}}
    cube = {**CUBE, "id": ["r", "y"], "size": [2, 1], "dimension": {"r": again, "y": one}}
    _, (rows,) = of(tmp_path, {**cube, "value": [1, 2]})
    assert rows == [
        ["Year (r)", "Year (y)", "value"],
        ["Rest (N)", "2020", "1"],
        ["Rest (S)", "2020", "2"],
    ]


@pytest.mark.parametrize(
    "part",
    [
        {"value": [1, 2]},
        {"size": [2]},
        {"size": [3, 2]},
        {"id": "region"},
        {"id": ["region", "region"]},
        {"value": {"6": 1}},
        {"value": {"x": 1}},
        {"value": {"0" * 5000: 1}},
        {"dimension": {"region": REGION}},
        {"dimension": {"region": REGION, "year": {"category": {"index": {"a": "b"}}}}},
        {"dimension": {"region": REGION, "year": {"category": 7}}},
    ],
)
def test_what_is_no_whole_cube_is_plain_json(tmp_path: Path, part: dict[str, Any]) -> None:
    told, _ = of(tmp_path, {**CUBE, **part})
    assert (told.format, told.problem) == ("json", "no table")


def test_a_cube_of_more_cells_than_there_are_atoms_is_bounded(tmp_path: Path) -> None:
    index = [str(n) for n in range(1000)]
    dimension = {f"d{n}": {"category": {"index": index}} for n in range(6)}
    cube = {**CUBE, "id": list(dimension), "size": [1000] * 6, "dimension": dimension}
    _, (rows,) = of(tmp_path, {**cube, "value": {"0": 1, str(10**18 - 1): 2}})
    assert rows[1:] == [["0"] * 6 + ["1"], ["999"] * 6 + ["2"]]
    told, _ = of(tmp_path, {**cube, "value": [1, 2]})
    assert told.format == "json"


def test_collections_in_collections_end(tmp_path: Path) -> None:
    value: dict[str, Any] = CUBE
    for _ in range(20):
        value = {"class": "collection", "link": {"item": [value]}}
    assert of(tmp_path, value)[0].format == "json"


@pytest.mark.parametrize(
    "call",
    [
        "callback({});",
        "/**/ jQuery.cb_1(\n{}\n)",
        "typeof cb === 'function' && cb({});\n",
        "\ufeffcb({})",
    ],
)
def test_json_in_the_call_of_a_function_is_read(tmp_path: Path, call: str) -> None:
    body = call.replace("{}", json.dumps(CUBE)).encode()
    told, tables = of(tmp_path, body, "a.js")
    assert (told.format, tables) == ("json-stat in jsonp", [ROWS])
    told, tables = of(tmp_path, b'cb([{"town": "Z\xfcrich", "n": 1}, {"town": "Bern"}])')
    assert (told.format, told.encoding) == ("json in jsonp", "cp1252")
    assert tables == [[["town", "n"], ["Zürich", "1"], ["Bern", ""]]]


@pytest.mark.parametrize("body", [b"define(['a', 'b'], function () {});", b"f({a: 1});", b"f({"])
def test_a_program_is_no_table(tmp_path: Path, body: bytes) -> None:
    assert of(tmp_path, body, "a.js")[0].problem == "no table"


def test_a_cube_is_written_asked_and_put_together_as_any_table(tmp_path: Path) -> None:
    padded = b"cb(" + json.dumps({**CUBE, "value": list(range(6))}).encode() + b");"
    bodies = {"a.json": json.dumps(CUBE).encode(), "b.js": padded}
    (out := tmp_path / "out").mkdir()
    (path := tmp_path / "a.json").write_bytes(bodies["a.json"])
    assert [(one.rows, one.is_whole) for one in convert(path, "a.json", out)] == [(6, True)]
    with filled(tmp_path / "runs", bodies) as catalog:
        one, other = (id_of(catalog, name) for name in bodies)
        asked = sql(catalog, f'SELECT "Region", sum(value) AS n FROM f_{one} GROUP BY 1 ORDER BY 1')
        both = stacked(catalog, [one, other]).table
    assert asked.to_pylist() == [{"Region": "North", "n": 4.5}, {"Region": "South", "n": 15.25}]
    assert (both.num_rows, both.schema.names[:3]) == (12, ROWS[0])
