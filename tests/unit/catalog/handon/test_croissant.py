"""Croissant: `mlcroissant` validates it and loads its records."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import validators
from filon.catalog.handon.croissant import write_croissant
from filon.catalog.handon.dataset import Collection


@pytest.fixture
def package(collection: Collection, tmp_path: Path) -> Path:
    write_croissant(collection, tmp_path / "package")
    return tmp_path / "package"


def described(package: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((package / "croissant.json").read_text("utf-8"))
    return document


def table(package: Path, *fields: str) -> dict[str, Any]:
    sets: list[dict[str, Any]] = described(package)["recordSet"]
    return next(one for one in sets if [field["name"] for field in one["field"]] == [*fields])


def test_its_own_tool_finds_it_valid(package: Path) -> None:
    assert validators.mlcroissant(package) == ""


def test_its_own_tool_finds_a_lost_type(package: Path) -> None:
    path = package / "croissant.json"
    path.write_text(path.read_text("utf-8").replace('"dataType": "sc:Integer",', ""), "utf-8")
    assert "does not specify a valid" in validators.mlcroissant(package)


def test_its_own_tool_loads_the_records_of_a_table(package: Path) -> None:
    name = table(package, "Region", "Year", "Cattle")["name"]
    printed = validators.records(package, name)
    assert f"{{'{name}/Region': b'South', '{name}/Year': 2019, '{name}/Cattle': 6}}" in printed


def test_fields_have_the_types_of_the_tables(package: Path) -> None:
    prices = table(package, "Stadt", "Datum", "Preis (€)", "Anteil", "Offen")
    types = [field["dataType"].partition(":")[2] for field in prices["field"]]
    assert types == ["Text", "Date", "Float", "Float", "Boolean"]
    assert prices["field"][2]["description"] == "in €"
    read = pyarrow.parquet.read_table(package / "tables" / f"{prices['name']}.parquet")
    assert [str(field.type) for field in read.schema] == [
        *("string", "date32[day]", "double", "double", "bool")
    ]
    assert read.schema.field(2).metadata == {b"unit": "€".encode()}


def test_every_file_is_there_with_its_hash_and_only_known_licences(package: Path) -> None:
    document = described(package)
    assert document["license"] == ["https://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"]
    files = document["distribution"]
    assert len(files) == 8 + 7
    assert all((package / file["contentUrl"]).is_file() for file in files)
    assert sum("license" in file for file in files) == 3
