"""Tables in SQLite, GeoPackage, dBASE and shapefiles."""

import sqlite3
import struct
from pathlib import Path

import pytest

from filon.profile.read import profile
from unit.profile.hostile import zipped

FIELDS = [("NAME", "C", 10, 0), ("POP", "N", 8, 0), ("SHARE", "N", 8, 2), ("DAY", "D", 8, 0)]
RECORDS = [("Zürich", "  421878", "    5.25", "20200131"), ("Bern", "  134794", "        ", "")]


def dbf(codec: str = "cp1252", rows: int = 2) -> bytes:
    head = b"".join(
        struct.pack("<11sc4xBB14x", name.encode(), kind.encode(), length, decimals)
        for name, kind, length, decimals in FIELDS
    )
    body = b"".join(
        b" " + b"".join(c.encode(codec).ljust(f[2]) for c, f in zip(record, FIELDS, strict=True))
        for record in RECORDS
    )
    length = 1 + sum(field[2] for field in FIELDS)
    start = struct.pack("<B3xIHH20x", 3, rows, 33 + len(head), length)
    return start + head + b"\r" + body


def shp() -> bytes:
    return struct.pack(">7i", 9994, *[0] * 5, 50) + struct.pack("<2i4d", 1000, 5, 5.9, 45.8, 10, 47)


def database(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_each_table_of_a_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a"
    database(
        path,
        "CREATE TABLE cities (name TEXT, people INTEGER, picture BLOB)",
        "INSERT INTO cities VALUES ('Bern', 134794, x'00ff'), ('Chur', 38293, NULL)",
        "CREATE TABLE empty (a, b)",
        "CREATE VIEW v AS SELECT * FROM cities",
    )
    told = profile(path, "a.db")
    assert told.format == "sqlite"
    assert [(table.name, table.rows) for table in told.tables] == [("cities", 2), ("empty", 0)]
    assert [column.kind for column in told.tables[0].columns] == ["text", "integer", "text"]


def test_the_layers_of_a_geopackage_are_told_with_their_boxes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    database(
        path,
        "CREATE TABLE gpkg_contents (table_name, data_type, min_x, min_y, max_x, max_y)",
        "INSERT INTO gpkg_contents VALUES ('roads', 'features', 5.9, 45.8, 10.5, 47.8)",
        "CREATE TABLE roads (fid INTEGER, geom BLOB, name TEXT)",
        "INSERT INTO roads VALUES (1, x'4750', 'A1'), (2, x'4750', 'A2')",
        "CREATE TABLE rtree_roads (id)",
    )
    told = profile(path, "a.gpkg")
    assert (told.format, [table.name for table in told.tables]) == ("gpkg", ["roads"])
    assert told.tables[0].box == (5.9, 45.8, 10.5, 47.8)


@pytest.mark.parametrize(
    ("name", "body"), [("a.dbf", dbf()), ("a.zip", zipped({"x/a.dbf": dbf()}))]
)
def test_a_table_of_dbase_says_its_kinds(tmp_path: Path, name: str, body: bytes) -> None:
    (tmp_path / name).write_bytes(body)
    told = profile(tmp_path / name)
    (table,) = told.tables
    assert [(column.name, column.kind) for column in table.columns] == [
        ("NAME", "text"),
        ("POP", "integer"),
        ("SHARE", "number"),
        ("DAY", "date"),
    ]
    assert (table.rows, table.columns[0].examples) == (2, ("Zürich", "Bern"))
    assert (table.columns[2].missing, table.columns[3].least) == (1, "2020-01-31")
    assert (told.encoding, table.since) == ("cp1252", "2020")


def test_a_shapefile_is_its_table_and_its_box(tmp_path: Path) -> None:
    parts = {"m/a.shp": shp(), "m/a.dbf": dbf("utf-8"), "m/a.cpg": b"UTF-8\n", "m/a.shx": b""}
    (tmp_path / "a").write_bytes(zipped(parts))
    told = profile(tmp_path / "a", "a.zip")
    (table,) = told.tables
    assert (told.format, told.encoding, table.name) == ("shapefile", "utf-8", "a")
    assert table.box == (5.9, 45.8, 10.0, 47.0)
    assert told.detail == "The shapes of a are of the kind polygon."


def test_a_table_of_dbase_that_is_cut_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.dbf").write_bytes(dbf(rows=50))
    assert profile(tmp_path / "a.dbf").problem == "damaged"
