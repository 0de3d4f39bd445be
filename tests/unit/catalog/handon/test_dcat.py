"""DCAT-AP: a SHACL validator holds it to the profile, and an RDF library reads it."""

import json
from pathlib import Path

import pyoxigraph as ox
import pytest

import validators
from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.dcat import write_dcat

DCAT, DCT = "http://www.w3.org/ns/dcat#", "http://purl.org/dc/terms/"


@pytest.fixture
def document(collection: Collection, tmp_path: Path) -> Path:
    write_dcat(collection, tmp_path / "catalog.jsonld")
    return tmp_path / "catalog.jsonld"


def graph(document: Path) -> ox.Store:
    store = ox.Store()
    store.load(path=document, format=ox.RdfFormat.JSON_LD)
    return store


def values(store: ox.Store, name: str) -> list[str]:
    found = store.quads_for_pattern(None, ox.NamedNode(name), None)
    return sorted(str(getattr(quad.object, "value", "")) for quad in found)


def test_a_validator_finds_it_valid(document: Path) -> None:
    assert validators.shacl(document, "dcat-ap.ttl") == ""


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("dct:title", "dct:name"),
        ("dcat:accessURL", "dcat:access"),
        ("dct:LicenseDocument", "dct:Licence"),
        ('"xsd:gYear"', '"xsd:string"'),
    ],
)
def test_a_validator_finds_what_is_wrong(document: Path, what: str, wrong: str) -> None:
    document.write_text(document.read_text("utf-8").replace(what, wrong), "utf-8")
    assert "Constraint Violation" in validators.shacl(document, "dcat-ap.ttl")


def test_datasets_have_distributions(document: Path) -> None:
    store = graph(document)
    assert len(values(store, f"{DCAT}dataset")) == 7
    assert len(values(store, f"{DCAT}distribution")) == 8
    assert "http://zwei.test/same.csv" in values(store, f"{DCAT}downloadURL")
    assert values(store, f"{DCAT}endDate") == ["2020", "2020", "2020"]


def test_a_table_with_coordinates_has_a_box(document: Path) -> None:
    shape = "POLYGON((33.9 -4.5, 41.9 -4.5, 41.9 5.0, 33.9 5.0, 33.9 -4.5))"
    assert values(graph(document), f"{DCAT}bbox") == [shape]


def test_a_licence_is_told_as_it_was_and_where_it_was(document: Path) -> None:
    store = graph(document)
    by = "https://creativecommons.org/licenses/by/4.0/"
    assert values(store, f"{DCT}license") == [by, by]
    assert len(values(store, f"{DCT}rights")) == 1
    assert "CC BY 4.0" in values(store, "http://www.w3.org/2000/01/rdf-schema#label")


def test_it_can_stand_in_a_page(document: Path) -> None:
    text = document.read_text("utf-8")
    assert "</script>" not in text
    titles = [one["dct:description"] for one in json.loads(text)["dcat:dataset"]]
    assert any("</script>" in title for title in titles)
