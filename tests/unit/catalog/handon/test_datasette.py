"""A folder for Datasette, shown by Datasette."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import validators
from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.datasette import write_datasette


@pytest.fixture
def package(collection: Collection, tmp_path: Path) -> Path:
    write_datasette(collection, tmp_path / "shown")
    return tmp_path / "shown"


def ask(package: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(package / "catalog.db")) as database:
        return database.execute(query).fetchall()


def test_datasette_searches_the_files(package: Path) -> None:
    page = "/catalog/files.json?_search=cattle&_shape=array"
    done = validators.run("datasette", "serve", package, "--get", page)
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    assert (found["title"][:6], found["licence"]) == ("Cattle", "CC BY 4.0")


def test_datasette_shows_a_table_with_its_source(package: Path) -> None:
    ((name,),) = ask(package, "SELECT \"table\" FROM columns WHERE unit = '€'")
    done = validators.run("datasette", "serve", package, "--get", f"/catalog/{name}")
    assert done.returncode == 0, done.stderr
    assert "Prices in towns" in done.stdout
    assert "http://one.test/prices.csv" in done.stdout
    assert "in €" in done.stdout


def test_the_database_is_whole(package: Path) -> None:
    assert ask(package, "PRAGMA integrity_check") == [("ok",)]
    assert ask(package, "PRAGMA foreign_key_check") == []
    assert ask(package, "SELECT count(*) FROM files_fts WHERE files_fts MATCH 'towns'") == [(2,)]


def test_values_are_those_of_the_table(package: Path) -> None:
    ((name,),) = ask(package, "SELECT \"table\" FROM columns WHERE unit = '€'")
    rows = ask(package, f'SELECT "Datum", "Preis (€)", "Offen" FROM {name}')
    assert rows[:3] == [("2020-01-02", 1234.5, 1), ("2020-02-03", 7.25, 0), (None, None, None)]
