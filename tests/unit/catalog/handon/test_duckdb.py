"""A database of DuckDB, opened by DuckDB."""

from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.duckdb import write_duckdb
from filon.core import MachineError


@pytest.fixture
def database(collection: Collection, tmp_path: Path) -> Path:
    write_duckdb(collection, tmp_path / "all.duckdb")
    return tmp_path / "all.duckdb"


def ask(database: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as opened:
        rows: list[tuple[Any, ...]] = opened.execute(query).fetchall()
        return rows


def test_every_table_is_there_in_types(database: Path) -> None:
    contents = ask(database, 'SELECT "table", title, rows FROM contents ORDER BY title, part')
    assert [row[2] for row in contents] == [3, 2, 4, 3, 3, 3, 3]
    prices = contents[2][0]
    assert ask(database, f'SELECT min("Datum"), sum("Preis (€)"), bool_and("Offen") FROM {prices}')[
        0
    ] == (date(2020, 1, 2), 1241.75, False)


def test_what_is_known_is_there_as_tables_and_views(database: Path) -> None:
    assert ask(database, "SELECT count(*) FROM files") == [(8,)]
    assert ask(database, "SELECT count(*) FROM datasets") == [(7,)]
    query = "SELECT formats, licence FROM datasets WHERE title LIKE 'Prices%'"
    assert ask(database, query) == [
        (["csv", "xlsx"], "https://creativecommons.org/licenses/by/4.0/")
    ]
    assert ask(database, "SELECT name FROM columns WHERE unit = '€'") == [("Preis (€)",)]


def test_a_table_says_what_it_is(database: Path) -> None:
    query = "SELECT comment FROM duckdb_tables() WHERE comment LIKE '%evil%'"
    assert ask(database, query) == [
        ("Two tables in one: ../../evil.csv (http://one.test/both.zip)",)
    ]


def test_a_place_that_cannot_be_written_is_one_sentence(
    collection: Collection, tmp_path: Path
) -> None:
    with pytest.raises(MachineError, match=r"^The export to .* failed: [^\n]+$"):
        write_duckdb(collection, tmp_path / "nowhere" / "all.duckdb")
