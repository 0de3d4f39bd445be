"""A DCAT-AP 3 catalogue in JSON-LD: datasets with distributions, for data portals.

All that the profile makes mandatory is there, and every node has its class, so that a portal can
check it without asking the web.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filon.catalog.handon.dataset import Collection, Dataset, File, Table
from filon.catalog.handon.package import AGENT, filled, write_json
from filon.page.formats import title
from filon.run.export.dcat import OWN, PREFIXES, licence

_CONTEXT = {
    **PREFIXES,
    "csvw": "http://www.w3.org/ns/csvw#",
    "gsp": "http://www.opengis.net/ont/geosparql#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "spdx": "http://spdx.org/rdf/terms#",
}
_MEDIA = "https://www.iana.org/assignments/media-types/"
_FILE_TYPE = "http://publications.europa.eu/resource/authority/file-type/"
#: Formats that the European list of file types has under their extension.
_LISTED = frozenset(
    {"csv", "tsv", "xls", "xlsx", "ods", "json", "geojson", "xml", "gml", "kml", "zip"}
    | {"pdf", "html", "txt", "docx", "odt", "rtf", "pptx"}
)
_YEAR = re.compile(r"\d{4}")
_DATES = {4: "xsd:gYear", 7: "xsd:gYearMonth", 10: "xsd:date"}


def write_dcat(collection: Collection, out: Path) -> None:
    """Write a DCAT-AP 3 catalogue in JSON-LD, for data portals: datasets, and where they are."""
    document = {
        "@context": _CONTEXT,
        "@id": f"{OWN}catalog:{quote(collection.name, safe='')}",
        "@type": "dcat:Catalog",
        "dct:title": collection.name,
        "dct:description": f"{len(collection):,} files of {collection.name}, found in the web.",
        "dct:publisher": _agent(),
        "dct:modified": _typed(f"{collection.at:%Y-%m-%dT%H:%M:%SZ}", "xsd:dateTime"),
        "dcat:dataset": (_dataset(dataset) for dataset in collection.datasets()),
    }
    write_json(document, out)


def _agent() -> dict[str, Any]:
    return {
        "@id": f"{OWN}software:{quote(AGENT)}",
        "@type": ["foaf:Agent", "prov:SoftwareAgent"],
        "foaf:name": AGENT,
    }


def _dataset(dataset: Dataset) -> dict[str, Any]:
    since, until = dataset.covers
    page = dataset.page
    return filled(
        {
            "@id": f"{OWN}dataset:{dataset.id}",
            "@type": "dcat:Dataset",
            "dct:title": dataset.title,
            "dct:description": dataset.description,
            "dct:identifier": dataset.id,
            "dct:publisher": {
                "@id": f"{OWN}site:{quote(dataset.site, safe='')}",
                "@type": "foaf:Agent",
                "foaf:name": dataset.site,
            },
            "dcat:landingPage": {"@id": page, "@type": "foaf:Document"} if page else None,
            "dct:modified": _date(dataset.modified),
            **_version(dataset.files[0]),
            "dct:temporal": _period(since, until),
            "dct:spatial": _places(dataset),
            "prov:wasGeneratedBy": {
                "@type": "prov:Activity",
                "rdfs:label": "Found in the web and downloaded",
                "prov:endedAtTime": _typed(
                    f"{dataset.found_at:%Y-%m-%dT%H:%M:%SZ}", "xsd:dateTime"
                ),
                "prov:wasAssociatedWith": _agent(),
            },
            "dcat:distribution": [_distribution(file) for file in dataset.files],
        }
    )


def _version(file: File) -> dict[str, Any]:
    """Return which version a dataset is, what was there before, and whether it is there still."""
    before = [
        {"@id": f"{OWN}dataset:{id}", "@type": "dcat:Dataset", "dct:identifier": id}
        for id in file.earlier[-1:]
    ]
    gone = {"dct:available": {"@type": "dct:PeriodOfTime", "dcat:endDate": _date(file.gone)}}
    return {
        "dcat:version": file.version,
        "dcat:previousVersion": before,
        **(gone if file.gone else {}),
    }


def _places(dataset: Dataset) -> list[dict[str, Any]]:
    named = [{"@type": "dct:Location", "skos:prefLabel": place} for place in dataset.places]
    if not dataset.box:
        return named
    west, south, east, north = dataset.box
    corners = ((west, south), (east, south), (east, north), (west, north), (west, south))
    shape = f"POLYGON(({', '.join(f'{x} {y}' for x, y in corners)}))"
    return [*named, {"@type": "dct:Location", "dcat:bbox": _typed(shape, "gsp:wktLiteral")}]


def _distribution(file: File) -> dict[str, Any]:
    own = f"{OWN}file:{file.id}"
    return filled(
        {
            "@id": own,
            "@type": "dcat:Distribution",
            "dct:title": file.name,
            "dcat:accessURL": {"@id": file.url or own},
            "dcat:downloadURL": [{"@id": url} for url in file.urls],
            "dcat:byteSize": _typed(str(file.size_bytes), "xsd:nonNegativeInteger"),
            "dct:format": _format(file),
            "dcat:mediaType": _media(file.media),
            "spdx:checksum": {
                "@type": "spdx:Checksum",
                "spdx:algorithm": {
                    "@id": "spdx:checksumAlgorithm_sha256",
                    "@type": "spdx:ChecksumAlgorithm",
                },
                "spdx:checksumValue": _typed(file.id, "xsd:hexBinary"),
            },
            "dct:modified": _date(file.modified),
            **_licence(file.licence),
            "csvw:tableSchema": [_schema(table) for table in file.tables],
        }
    )


def _licence(text: str) -> dict[str, Any]:
    if not text:
        return {}
    name, value = licence(text)
    if name == "dct:license":
        return {name: {"@id": value, "@type": "dct:LicenseDocument"}}
    return {name: {"@type": "dct:RightsStatement", "rdfs:label": value}}


def _format(file: File) -> dict[str, Any]:
    listed = f"{_FILE_TYPE}{file.ending.upper()}" if file.ending in _LISTED else None
    label = title(file.media, file.name)
    return filled({"@id": listed, "@type": "dct:MediaTypeOrExtent", "rdfs:label": label})


def _media(media: str) -> dict[str, Any] | None:
    """Return the address of a media type; None for one that is not registered."""
    if "/x-" in media:
        return None
    return {"@id": f"{_MEDIA}{media}", "@type": "dct:MediaType"}


def _period(since: str, until: str) -> dict[str, Any] | None:
    if not (_YEAR.fullmatch(since) and _YEAR.fullmatch(until)):
        return None
    return {
        "@type": "dct:PeriodOfTime",
        "dcat:startDate": _typed(since, "xsd:gYear"),
        "dcat:endDate": _typed(until, "xsd:gYear"),
    }


def _schema(table: Table) -> dict[str, Any]:
    columns = [
        filled(
            {
                "@type": "csvw:Column",
                "csvw:title": column.name,
                "csvw:datatype": "string" if column.kind in ("text", "empty") else column.kind,
                "rdfs:comment": column.label,
                "schema:unitText": column.unit,
            }
        )
        for column in table.columns
    ]
    about = {"@type": "csvw:Schema", "rdfs:label": table.name, "csvw:column": {"@list": columns}}
    return filled(about)


def _date(text: str) -> dict[str, str] | None:
    return _typed(text, _DATES.get(len(text), "xsd:dateTime")) if text else None


def _typed(text: str, kind: str) -> dict[str, str]:
    return {"@value": text, "@type": kind}
