"""The rows of an enrichment on their way to a run and back, without Datasette."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from filon.contrib.datasette.selection import KEY, TABLE, Outcome, put, write
from filon.core import UserError


def outcome(key: str, **values: str) -> dict[str, Outcome]:
    told = {"job_id": 1, "table_name": "t", "row_pk": key, "state": "filled", "source": "box"}
    return {key: Outcome(values=values, provenance=told)}


@pytest.fixture
def db() -> Any:
    with closing(sqlite3.connect(":memory:")) as db:
        yield db


def test_rows_are_written_with_their_keys_and_without_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "selection.sqlite"
    binary = {"$base64": True, "encoded": "AA=="}
    rows: list[dict[str, Any]] = [
        {"rowid": 7, "a b": "x", "c": binary},
        {"rowid": 8, "a b": None, "c": 1.5},
    ]
    assert write(path, rows, ["rowid"]) == 2
    with closing(sqlite3.connect(path)) as db:
        found = db.execute(f'SELECT "a b", c, {KEY} FROM {TABLE}').fetchall()
    assert found == [("x", None, "7"), (None, 1.5, "8")]


@pytest.mark.parametrize("rows", [[], [{"id": 1, KEY: "x"}]])
def test_what_cannot_be_enriched_is_told(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    with pytest.raises(UserError):
        write(tmp_path / "s.sqlite", rows, ["id"])


def test_a_new_column_is_made_and_a_cell_with_a_value_keeps_it(db: sqlite3.Connection) -> None:
    db.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, "the year" TEXT)')
    db.executemany("INSERT INTO t VALUES (?, ?)", [(1, "own"), (2, ""), (3, None)])
    found = outcome("1", **{"the year": "1990", 'a"b': "x"}) | outcome("2", **{"the year": "1991"})
    assert put(db, "t", [{"id": 1}, {"id": 2}, {"id": 3}], ["id"], found) == 2
    assert put(db, "t", [{"id": 1}], ["id"], found) == 1  # again, as after a kill
    assert db.execute("SELECT * FROM t").fetchall() == [
        (1, "own", "x"),
        (2, "1991", None),
        (3, None, None),
    ]
    told = db.execute("SELECT row_pk, filled FROM filon_provenance ORDER BY 1").fetchall()
    assert told == [("1", 'a"b'), ("2", "the year")]


def test_a_key_of_two_columns_and_names_that_attack_are_kept_apart(db: sqlite3.Connection) -> None:
    table = 'x"; DROP TABLE t; --'
    quoted = '"x""; DROP TABLE t; --"'
    db.execute(f"CREATE TABLE {quoted} (a, b, PRIMARY KEY (a, b))")
    db.executemany(f"INSERT INTO {quoted} VALUES (?, ?)", [(1, "x"), (1, "y")])
    found = outcome('[1, "y"]', isbn="978'; --")
    rows = [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}]
    assert put(db, table, rows, ["a", "b"], found) == 1
    assert db.execute(f"SELECT isbn FROM {quoted}").fetchall() == [(None,), ("978'; --",)]
