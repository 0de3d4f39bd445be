"""schema.org: a SHACL validator holds it to what search engines for datasets require."""

import json
from pathlib import Path
from typing import Any

import pytest

import validators
from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.schema_org import write_schema_org


@pytest.fixture
def document(collection: Collection, tmp_path: Path) -> Path:
    write_schema_org(collection, tmp_path / "datasets.jsonld")
    return tmp_path / "datasets.jsonld"


def datasets(document: Path) -> dict[str, dict[str, Any]]:
    found = json.loads(document.read_text("utf-8"))["dataset"]
    return {each["distribution"][0]["name"]: each for each in found}


def test_a_validator_finds_it_valid(document: Path) -> None:
    assert validators.shacl(document, "schema-org.ttl") == ""
    assert len(datasets(document)) == 7


@pytest.mark.parametrize(
    ("what", "wrong"),
    [('"description"', '"about"'), ("contentUrl", "url"), ('"DataDownload"', '"Download"')],
)
def test_a_validator_finds_what_is_wrong(document: Path, what: str, wrong: str) -> None:
    document.write_text(document.read_text("utf-8").replace(what, wrong), "utf-8")
    assert "Constraint Violation" in validators.shacl(document, "schema-org.ttl")


def test_what_is_known_is_told(document: Path) -> None:
    cattle = datasets(document)["cattle 2019.csv"]
    assert cattle["temporalCoverage"] == "2018/2020"
    assert [place["name"] for place in cattle["spatialCoverage"]] == ["North", "South", "East"]
    assert cattle["variableMeasured"][2] == {
        "@type": "PropertyValue",
        "name": "Cattle",
        "minValue": 5.0,
        "maxValue": 7.0,
    }
    assert cattle["license"] == "CC BY 4.0"
    assert cattle["publisher"]["url"] == "http://one.test"
    prices = datasets(document)["prices.csv"]
    assert [each["encodingFormat"].rpartition("/")[2][:5] for each in prices["distribution"]] == [
        *("csv", "vnd.o")
    ]
    assert "€" in [each.get("unitText") for each in prices["variableMeasured"]]


def test_a_table_with_coordinates_has_a_box(document: Path) -> None:
    (place,) = datasets(document)["wide.csv"]["spatialCoverage"]
    assert place["geo"] == {"@type": "GeoShape", "box": "-4.5 33.9 5.0 41.9"}


def test_what_is_not_known_is_left_out(document: Path) -> None:
    report = datasets(document)["report.pdf"]
    assert not {"license", "dateModified", "temporalCoverage", "variableMeasured"} & report.keys()


def test_it_can_stand_in_a_page(document: Path) -> None:
    assert "</script>" not in document.read_text("utf-8")
