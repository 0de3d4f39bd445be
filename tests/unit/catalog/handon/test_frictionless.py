"""A data package: `frictionless validate` reads every file and every cell of it."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import validators
from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.frictionless import write_frictionless


@pytest.fixture
def package(collection: Collection, tmp_path: Path) -> Path:
    write_frictionless(collection, tmp_path / "package")
    return tmp_path / "package"


def resources(package: Path) -> dict[str, dict[str, Any]]:
    found = json.loads((package / "datapackage.json").read_text("utf-8"))["resources"]
    return {each["sources"][0]["path"].rpartition("/")[2] + each["type"]: each for each in found}


def test_its_own_tool_finds_it_valid(package: Path) -> None:
    report = validators.frictionless(package)
    assert [error for task in report["tasks"] for error in task["errors"]] == []
    assert report["valid"]
    assert len(report["tasks"]) == 8 + 7


def test_its_own_tool_finds_a_changed_table(package: Path) -> None:
    table = next((package / "tables").glob("*.csv"))
    table.write_text(table.read_text("utf-8").replace("\n", "\nx,y,z,,,,,\n"), "utf-8")
    assert not validators.frictionless(package)["valid"]


def test_a_table_is_written_in_plain_notation_with_its_schema(package: Path) -> None:
    table = resources(package)["prices.csvtable"]
    with (package / table["path"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["Stadt", "Datum", "Preis (€)", "Anteil", "Offen"]
    assert rows[1] == ["Köln", "2020-01-02", "1234.5", "12.0", "true"]
    assert len(rows) == 1 + 3  # one row says nothing
    kinds = [field["type"] for field in table["schema"]["fields"]]
    assert kinds == ["string", "date", "number", "number", "boolean"]
    assert table["schema"]["fields"][2]["unit"] == "€"
    assert table["licenses"] == [{"path": "https://creativecommons.org/licenses/by/4.0/"}]


def test_what_nobody_said_is_left_out(package: Path) -> None:
    file = resources(package)["broken.xlsxfile"]
    assert not {"licenses", "modified", "schema"} & file.keys()
    assert file["mediatype"] == "application/octet-stream"
    assert (package / file["path"]).stat().st_size == file["bytes"] == 900
