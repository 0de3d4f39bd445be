"""Catalogues in DCAT and schema.org, DKAN among them."""

import json
from typing import Any

from unit.portals.answers.replies import MISSING, part, told
from unit.portals.catalogue import COUNT, ROOT, ROWS, Row
from unit.services.server import Call, Reply

# DCAT-US 1.1 (resources.data.gov), which DKAN's metastore speaks as well.


def data_json() -> dict[str, Any]:
    return {
        "@context": "https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld",
        "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
        "dataset": [dcat_us_dataset(row) for row in ROWS],
    }


def dcat_us_dataset(row: Row) -> dict[str, Any]:
    return {
        "@type": "dcat:Dataset",
        "identifier": row.id,
        "title": row.title,
        "description": "All of them.",
        "keyword": ["water"],
        "modified": row.modified,
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "landingPage": f"{ROOT}/d/{row.id}",
        "publisher": {"@type": "org:Organization", "name": "Office of Water"},
        "distribution": [
            {"@type": "dcat:Distribution", "accessURL": f"{ROOT}/d/{row.id}", "format": "Web Page"},
            {"@type": "dcat:Distribution", "downloadURL": row.csv, "mediaType": "text/csv"},
            {"@type": "dcat:Distribution", "accessURL": row.zip, "format": "ZIP"},
        ],
    }


def dcat_us(call: Call) -> Reply:
    return told(data_json()) if call.path == "/data.json" else MISSING


def dkan(call: Call) -> Reply:
    if call.path == "/api/1/metastore/schemas":
        return told({"dataset": {"title": "Project Open Data Dataset"}, "publisher": {}})
    if call.path == "/api/1/metastore/schemas/dataset/items":
        return told([dcat_us_dataset(row) for row in ROWS])
    return MISSING


# DCAT-AP as ckanext-dcat writes it: a hundred datasets a page, and Hydra's next.


def dcat_ap(call: Call, size: int = 100) -> Reply:
    if call.path != "/catalog.ttl":
        return MISSING
    page = int(call.params.get("page", "1"))
    rows = part((page - 1) * size, size)
    more = page * size < COUNT
    onward = f'hydra:next "{ROOT}/catalog.ttl?page={page + 1}" ;' if more else ""
    lines = [
        "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .",
        "@prefix hydra: <http://www.w3.org/ns/hydra/core#> .",
        "@prefix foaf: <http://xmlns.com/foaf/0.1/> .",
        f"<{ROOT}/catalog.ttl> a hydra:PagedCollection ; {onward} hydra:totalItems {COUNT} .",
        f"<{ROOT}> a dcat:Catalog .",
        *map(turtle, rows),
    ]
    return 200, {"Content-Type": "text/turtle; charset=utf-8"}, "\n".join(lines).encode()


def turtle(row: Row) -> str:
    return (
        f'<{ROOT}/dataset/{row.id}> a dcat:Dataset ; dct:title "Flüsse"@de, "{row.title}"@en ;'
        f' dct:description "All." ; dcat:keyword "water" ; dct:publisher [ foaf:name "Office" ] ;'
        f" dct:license <https://creativecommons.org/licenses/by/4.0/> ;"
        f" dcat:distribution [ a dcat:Distribution ; dcat:downloadURL <{row.csv}> ;"
        " dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv> ],"
        f' [ a dcat:Distribution ; dcat:accessURL <{row.zip}> ; dct:format "ZIP" ],'
        f" [ a dcat:Distribution ; dcat:accessURL <{ROOT}/about> ] ."
    )


# schema.org: all datasets of a catalogue in one page.


def markup(call: Call) -> Reply:
    datasets = [
        {
            "@type": "Dataset",
            "@id": f"{ROOT}/d/{row.id}",
            "name": row.title,
            "description": "All.",
            "license": "https://creativecommons.org/licenses/by/4.0/",
            "creator": {"@type": "Organization", "name": "Office of Water"},
            "keywords": "water, lakes",
            "distribution": [
                {"@type": "DataDownload", "encodingFormat": "CSV", "contentUrl": row.csv},
                {
                    "@type": "DataDownload",
                    "encodingFormat": "application/zip",
                    "contentUrl": row.zip,
                },
            ],
        }
        for row in ROWS
    ]
    said = {"@context": "https://schema.org/", "@type": "DataCatalog", "dataset": datasets}
    body = f'<html><script type="application/ld+json">{json.dumps(said)}</script></html>'
    return 200, {"Content-Type": "text/html; charset=utf-8"}, body.encode()
