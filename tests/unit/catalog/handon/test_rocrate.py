"""RO-Crate: its library reads it, and all that it points to is there."""

import hashlib
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rocrate.rocrate import ROCrate

from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.rocrate import write_rocrate


@pytest.fixture
def package(collection: Collection, tmp_path: Path) -> Path:
    write_rocrate(collection, tmp_path / "crate")
    return tmp_path / "crate"


def read(package: Path) -> ROCrate:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own past is its own affair
        return ROCrate(str(package))


def entities(package: Path) -> dict[str, dict[str, Any]]:
    graph = json.loads((package / "ro-crate-metadata.json").read_text("utf-8"))["@graph"]
    found = {each["@id"]: each for each in graph}
    assert len(found) == len(graph)
    return found


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if set(value) == {"@id"}:
            yield value["@id"]
        else:
            yield from (each for inner in value.values() for each in references(inner))
    elif isinstance(value, list):
        yield from (each for inner in value for each in references(inner))


def test_its_own_library_reads_it(package: Path) -> None:
    crate = read(package)
    assert crate.name == "Runs & more"
    assert crate.root_dataset["datePublished"] == "2020-09-13"
    files = [each for each in crate.data_entities if each.type == "File"]
    assert len(files) == 8
    assert all((package / each.id).is_file() for each in files)
    (action,) = crate.get_by_type("CreateAction")
    assert action["instrument"]["name"].startswith("Filon ")
    assert len(action["result"]) == 8


def test_its_own_library_finds_a_crate_without_its_root(package: Path) -> None:
    path = package / "ro-crate-metadata.json"
    path.write_text(path.read_text("utf-8").replace('"about"', '"mentions"'), "utf-8")
    with pytest.raises((KeyError, ValueError)):
        read(package)


def test_all_that_is_pointed_to_is_there(package: Path) -> None:
    found = entities(package)
    known = {*found, "https://w3id.org/ro/crate/1.1"}
    assert [id for id in references([*found.values()]) if id not in known] == []


def test_every_file_has_its_hash_and_its_own_licence(package: Path) -> None:
    files = [each for each in entities(package).values() if each["@type"] == "File"]
    for file in files:
        data = (package / file["@id"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
        assert str(len(data)) == file["contentSize"]
    by = {"@id": "https://creativecommons.org/licenses/by/4.0/"}
    assert [file.get("license") for file in files].count(by) == 2
    assert sum("license" in file for file in files) == 3


def test_columns_are_told_with_their_units(package: Path) -> None:
    found = entities(package)
    (prices,) = [each for each in found.values() if each.get("alternateName") == "prices.csv"]
    columns = [found[each["@id"]] for each in prices["variableMeasured"]]
    assert [each["name"] for each in columns][:3] == ["Stadt", "Datum", "Preis (€)"]
    assert columns[2]["unitText"] == "€"
    assert found["./"]["license"] == {"@id": "#licences"}
