"""Catalogues in the other formats that the same adapters read."""

import json

import pytest
from pyoxigraph import RdfFormat, parse, serialize

from filon.core import Response
from filon.portals import ADAPTERS
from filon.portals.files import described, known
from unit.portals.answers.dcat import dcat_ap
from unit.portals.catalogue import COUNT, ROOT, ROWS
from unit.services.server import Call

FORMATS = {
    "jsonld": (RdfFormat.JSON_LD, "application/ld+json"),
    "rdf": (RdfFormat.RDF_XML, "application/rdf+xml"),
    "xml": (RdfFormat.RDF_XML, "application/xml"),
    "json": (RdfFormat.JSON_LD, "application/json"),
    "nt": (RdfFormat.N_TRIPLES, "application/n-triples"),
}


@pytest.mark.parametrize("ending", FORMATS)
def test_a_dcat_catalogue_is_the_same_in_every_rdf_format(ending: str) -> None:
    turtle = dcat_ap(Call("GET", "/catalog.ttl", {"page": "3"}, {}))[2]
    form, media = FORMATS[ending]
    body = serialize(parse(turtle, format=RdfFormat.TURTLE), format=form)
    assert body
    adapter = ADAPTERS["dcat-ap"]
    headers = (("Content-Type", media),)
    url = f"{ROOT}/catalog.{ending}"
    page = adapter.read(Response(url=url, status=200, headers=headers, body=body))
    assert page.problem == ""
    assert page.total == COUNT
    datasets = {dataset.id: dataset for dataset in page.datasets}
    assert set(datasets) == {f"{ROOT}/dataset/{row.id}" for row in ROWS[200:]}
    for row in ROWS[200:]:
        dataset = datasets[f"{ROOT}/dataset/{row.id}"]
        assert {file.url for file in dataset.files} == {row.csv, row.zip}
        assert (dataset.title, dataset.publisher) == (row.title, "Office")
        assert dataset.licence.startswith("https://creativecommons.org/")


DATACITE = """<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>
<record><header><identifier>oai:1</identifier><datestamp>2025-02-03</datestamp></header><metadata>
<resource xmlns="http://datacite.org/schema/kernel-4">
<identifier identifierType="URL">https://a.test/records/1</identifier>
<titles><title>Rivers</title></titles><publisher>Office of Water</publisher>
<resourceType resourceTypeGeneral="{kind}">Table</resourceType>
<subjects><subject>water</subject></subjects>
<rightsList><rights rightsURI="https://creativecommons.org/">CC BY</rights></rightsList>
<descriptions><description descriptionType="Abstract">All of them.</description></descriptions>
</resource></metadata></record></ListRecords></OAI-PMH>"""


@pytest.mark.parametrize(("kind", "count"), [("Dataset", 1), ("JournalArticle", 0)])
def test_oai_pmh_in_datacite_is_read_and_publications_are_left(kind: str, count: int) -> None:
    body = DATACITE.format(kind=kind).encode()
    page = ADAPTERS["oai-pmh"].read(Response(url=f"{ROOT}/oai", status=200, body=body))
    assert len(page.datasets) == count
    for dataset in page.datasets:
        assert (dataset.id, dataset.title, dataset.licence) == ("oai:1", "Rivers", "CC BY")
        assert (dataset.url, dataset.modified) == ("https://a.test/records/1", "2025-02-03")
        assert dataset.description == "All of them."


def test_inveniordm_leaves_what_is_no_dataset() -> None:
    kinds = ["dataset", "publication-article", "dataset-table", ""]
    hits = [{"id": k, "metadata": {"resource_type": {"id": k}}} for k in kinds]
    body = json.dumps({"hits": {"hits": hits, "total": 4}}).encode()
    url = ADAPTERS["inveniordm"].begin(ROOT).url
    page = ADAPTERS["inveniordm"].read(Response(url=url, status=200, body=body))
    assert [dataset.id for dataset in page.datasets] == ["dataset", "dataset-table", ""]


@pytest.mark.parametrize(
    ("told", "format_"),
    [
        ("CSV", "csv"),
        (".xlsx", "xlsx"),
        ("Comma Separated Values", "csv"),
        ("text/csv; charset=utf-8", "csv"),
        ("https://www.iana.org/assignments/media-types/application/json", "json"),
        ("http://publications.europa.eu/resource/authority/file-type/CSV", "csv"),
        ("ESRI Shapefile", "zip"),
        ("SHP", "zip"),
        ("GeoPackage", "gpkg"),
        ("Web Page", "html"),
        ("a feeling", ""),
        ("", ""),
    ],
)
def test_formats_are_known_however_they_are_told(told: str, format_: str) -> None:
    assert known(told) == format_


def test_a_file_needs_an_address_on_the_web() -> None:
    for url in ("", "ftp://a.test/x.csv", "javascript:alert(1)", "file:///etc/passwd", "x.csv"):
        assert described(url, "x", "csv") is None
    file = described(" https://a.test/x.csv#top ", size_bytes=7)
    assert file
    assert (file.url, file.name, file.size_bytes) == ("https://a.test/x.csv", "x.csv", 7)
