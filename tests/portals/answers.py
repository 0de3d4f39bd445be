"""Answers in the shapes that the portals' own documentation shows, over one catalogue."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from portals.catalogue import COUNT, HOST, ROOT, ROWS, Row
from services.server import Call, Reply

JSON = {"Content-Type": "application/json; charset=utf-8"}
XML = {"Content-Type": "text/xml; charset=utf-8"}
MISSING: Reply = (404, {"Content-Type": "text/html"}, b"<html><h1>Not found</h1></html>")


def told(said: Any, status: int = 200) -> Reply:
    return status, JSON, json.dumps(said).encode()


def part(first: int, size: int) -> list[Row]:
    return ROWS[first : first + size]


# CKAN: docs.ckan.org, package_search; a portal may bound the rows itself.


def ckan(call: Call, most: int = 1000) -> Reply:
    if call.path == "/data/api/3/action/status_show":
        return told({"help": "h", "success": True, "result": {"ckan_version": "2.10.4"}})
    if call.path != "/data/api/3/action/package_search":
        return MISSING
    first, size = int(call.params["start"]), min(int(call.params["rows"]), most)
    found = [ckan_package(row) for row in part(first, size)]
    return told({"help": "h", "success": True, "result": {"count": COUNT, "results": found}})


def ckan_package(row: Row) -> dict[str, Any]:
    return {
        "id": f"uuid-{row.number}",
        "name": row.id,
        "title": row.title,
        "notes": "<p>All of them.</p>",
        "license_id": "cc-by",
        "license_title": None if row.number % 2 else "Creative Commons Attribution",
        "metadata_modified": row.modified,
        "organization": {"title": "Office of Water"} if row.number % 3 else None,
        "tags": [{"name": "water", "display_name": "water"}],
        "resources": [
            {"url": row.csv, "name": "", "format": "CSV", "mimetype": "text/csv", "size": 12},
            {"url": row.zip, "name": "all", "format": "ZIP", "mimetype": None, "size": None},
        ],
    }


# Socrata: the discovery API stands on another host than the portal.


def socrata(call: Call) -> Reply:
    if call.path == "/api/views.json":
        return told([{"id": "abcd-1234", "name": "A view"}])
    if call.path != "/api/catalog/v1":
        return MISSING
    assert call.headers["host"] == "api.us.socrata.com"
    assert call.params["domains"] == HOST
    first, size = int(call.params["offset"]), int(call.params["limit"])
    if first + size > 10_000:
        return told({"error": "offset + limit must not exceed 10000"}, 400)
    results = [
        {
            "resource": {
                "name": row.title,
                "id": row.uid,
                "description": "All of them.",
                "attribution": "Office of Water",
                "type": "dataset",
                "updatedAt": row.modified,
            },
            "classification": {"domain_tags": ["water"]},
            "metadata": {"domain": HOST, "license": "Public Domain"},
            "permalink": f"{ROOT}/d/{row.uid}",
        }
        for row in part(first, size)
    ]
    return told({"results": results, "resultSetSize": COUNT, "timings": {"serviceMillis": 3}})


# OpenDataSoft: help.opendatasoft.com, explore API v2.1.


def opendatasoft(call: Call) -> Reply:
    if call.path != "/api/explore/v2.1/catalog/datasets":
        return MISSING
    first, size = int(call.params.get("offset", "0")), int(call.params["limit"])
    if size > 100 or first + size > 10_000:
        return told({"error_code": "InvalidRESTParameterError", "message": "limit"}, 400)
    results = [
        {
            "dataset_id": row.id,
            "dataset_uid": f"da_{row.number}",
            "attachments": [
                {"id": "n", "url": row.zip, "title": "n.zip", "mimetype": "application/zip"}
            ],
            "has_records": True,
            "metas": {
                "default": {
                    "title": row.title,
                    "description": "<p>All of them.</p>",
                    "keyword": ["water"],
                    "license": "Licence Ouverte",
                    "modified": row.modified,
                    "publisher": "Office of Water",
                }
            },
        }
        for row in part(first, size)
    ]
    return told({"total_count": COUNT, "results": results})


def opendatasoft_files(row: Row) -> set[str]:
    where = f"{ROOT}/api/explore/v2.1/catalog/datasets/{row.id}/exports/"
    return {row.zip, *(f"{where}{form}" for form in ("csv", "xlsx", "parquet"))}


# ArcGIS Hub: the feed, and the search where the feed is switched off.


def arcgis_hub(call: Call) -> Reply:
    if call.path == "/api/search/v1":
        return told({"title": "Hub", "links": [{"rel": "self", "href": f"{ROOT}/api/search/v1"}]})
    if call.path == "/api/feed/dcat-us/1.1.json":
        return told(data_json())
    return MISSING


def arcgis_search(call: Call) -> Reply:
    if call.path != "/api/search/v1/collections/dataset/items":
        return arcgis_hub(call) if call.path == "/api/search/v1" else MISSING
    first, size = int(call.params["startindex"]) - 1, min(int(call.params["limit"]), 100)
    features = [
        {
            "id": f"{row.number:032x}_0",
            "type": "Feature",
            "geometry": None,
            "properties": {
                "title": row.title,
                "description": "<b>All</b> of them.",
                "type": "Feature Service",
                "tags": ["water"],
                "modified": 1736000000000,
                "source": "Office of Water",
                "licenseInfo": "<i>CC BY</i>",
            },
        }
        for row in part(first, size)
    ]
    said = {"type": "FeatureCollection", "features": features}
    return told(said | {"numberMatched": COUNT, "numberReturned": len(features), "links": []})


def arcgis_files(row: Row) -> set[str]:
    return {f"{ROOT}/api/download/v1/items/{row.number:032x}/csv?layers=0"}


# Dataverse: guides.dataverse.org, the search API.


def dataverse(call: Call) -> Reply:
    if call.path == "/api/info/version":
        return told({"status": "OK", "data": {"version": "6.3", "build": "1"}})
    if call.path != "/api/search":
        return MISSING
    first, size = int(call.params["start"]), min(int(call.params["per_page"]), 1000)
    whole = dataverse_items(call.params["type"])
    items = whole[first : first + size]
    data = {"q": "*", "total_count": len(whole), "start": first, "items": items}
    return told({"status": "OK", "data": data | {"count_in_response": len(items)}})


def dataverse_items(kind: str) -> list[dict[str, Any]]:
    if kind == "dataset":
        return [
            {
                "name": row.title,
                "type": "dataset",
                "url": f"https://doi.org/10.5072/{row.id}",
                "global_id": f"doi:10.5072/{row.id}",
                "description": "All of them.",
                "published_at": row.modified,
                "publisher": "Root",
                "keywords": ["water"],
            }
            for row in ROWS
        ]
    return [
        {
            "name": name,
            "type": "file",
            "url": url,
            "file_id": "1",
            "file_content_type": mime,
            "size_in_bytes": 8361,
            "dataset_name": row.title,
            "dataset_persistent_id": f"doi:10.5072/{row.id}",
        }
        for row in ROWS
        for url, name, mime in (
            (row.csv, "table.csv", "text/csv"),
            (row.zip, "all.zip", "application/zip"),
        )
    ]


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


# GeoNetwork 4: a search of Elasticsearch, with search_after.


def geonetwork(call: Call, most: int = 1000) -> Reply:
    if call.path == "/geonetwork/srv/api/site":
        return told({"system/site/name": "Maps", "system/platform/version": "4.2.8"})
    if call.path != "/geonetwork/srv/api/search/records/_search" or call.method != "POST":
        return MISSING
    asked = json.loads(call.body)
    after = asked.get("search_after", [""])[0]
    rows = [row for row in ROWS if row.id > after][: min(asked["size"], most)]
    hits = [
        {
            "_id": row.id,
            "_source": {
                "uuid": row.id,
                "resourceTitleObject": {"default": row.title, "langeng": row.title},
                "resourceAbstractObject": {"default": "All of them."},
                "Org": "Office of Water",
                "changeDate": row.modified,
                "tag": [{"default": "water"}],
                "link": [
                    {"protocol": "OGC:WMS", "url": f"{ROOT}/wms?service=WMS", "name": "layer"},
                    {
                        "protocol": "WWW:LINK-1.0-http--link",
                        "url": f"{ROOT}/about.html",
                        "name": "",
                    },
                    {
                        "protocol": "WWW:DOWNLOAD",
                        "urlObject": {"default": row.zip},
                        "name": "a.zip",
                    },
                    {"protocol": "", "url": row.csv, "nameObject": {"default": "table"}},
                ],
            },
            "sort": [row.id],
        }
        for row in rows
    ]
    return told({"hits": {"total": {"value": COUNT, "relation": "eq"}, "hits": hits}})


# CSW 2.0.2 (OGC 07-006): GeoNetwork 3, pycsw.

CAPABILITIES = (
    '<csw:Capabilities xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" version="2.0.2"/>'
)


def csw(call: Call, most: int = 100) -> Reply:
    if call.path == "/geonetwork/srv/api/site":
        return told({"system/site/name": "Maps", "system/platform/version": "3.12.4"})
    if call.path not in ("/csw", "/geonetwork/srv/eng/csw"):
        return MISSING
    if call.params["request"] == "GetCapabilities":
        return 200, XML, CAPABILITIES.encode()
    first = int(call.params["startPosition"]) - 1
    rows = part(first, min(int(call.params["maxRecords"]), most))
    next_ = first + len(rows) + 1 if first + len(rows) < COUNT else 0
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/">'
        f'<csw:SearchResults numberOfRecordsMatched="{COUNT}" nextRecord="{next_}" '
        f'numberOfRecordsReturned="{len(rows)}" elementSet="full">'
        f"{''.join(map(csw_record, rows))}{csw_record(Row(9000), 'service')}"
        "</csw:SearchResults></csw:GetRecordsResponse>"
    )
    return 200, XML, body.encode()


def csw_record(row: Row, kind: str = "dataset") -> str:
    return (
        f"<csw:Record><dc:identifier>{row.id}</dc:identifier><dc:title>{escape(row.title)}</dc:title>"
        f"<dc:type>{kind}</dc:type><dc:subject>water</dc:subject><dct:abstract>All.</dct:abstract>"
        f"<dct:modified>{row.modified}</dct:modified><dc:rights>CC BY</dc:rights>"
        f'<dc:URI protocol="OGC:WMS">{ROOT}/wms</dc:URI>'
        f'<dc:URI protocol="WWW:DOWNLOAD-1.0-http--download" name="all.zip">{row.zip}</dc:URI>'
        f'<dct:references scheme="None">{row.csv}</dct:references></csw:Record>'
    )


# InvenioRDM: inveniordm.docs.cern.ch, the records API.


def inveniordm(call: Call, most: int = 10_000) -> Reply:
    if call.path != "/api/records":
        return MISSING
    size, page = int(call.params["size"]), int(call.params.get("page", "1"))
    if size > most or size * page > 10_000:
        return told({"status": 400, "message": "A validation error occurred."}, 400)
    hits = [
        {
            "id": row.id,
            "updated": row.modified,
            "links": {"self_html": f"{ROOT}/records/{row.id}"},
            "metadata": {
                "title": row.title,
                "description": "<p>All.</p>",
                "publisher": "Office of Water",
                "resource_type": {"id": "dataset", "title": {"en": "Dataset"}},
                "rights": [{"id": "cc-by-4.0", "title": {"en": "CC BY"}}],
                "subjects": [{"subject": "water"}],
            },
            "files": {
                "enabled": True,
                "count": 2,
                "entries": {
                    "a b.csv": {"key": "a b.csv", "mimetype": "text/csv", "size": 12},
                    "all.zip": {"key": "all.zip", "mimetype": "application/zip", "size": 99},
                },
            },
        }
        for row in part((page - 1) * size, size)
    ]
    return told({"hits": {"hits": hits, "total": COUNT}, "links": {}, "sortBy": "oldest"})


def inveniordm_files(row: Row) -> set[str]:
    where = f"{ROOT}/api/records/{row.id}/files"
    return {f"{where}/a%20b.csv/content", f"{where}/all.zip/content"}


# OAI-PMH 2.0 (openarchives.org), in oai_dc; the repository holds publications as well.


def oai(call: Call, size: int = 100) -> Reply:
    if call.path != "/oai":
        return MISSING
    if call.params["verb"] == "Identify":
        inner = "<Identify><protocolVersion>2.0</protocolVersion></Identify>"
        return 200, XML, oai_answer(inner)
    token = call.params.get("resumptionToken", "0")
    if not token.isdigit():
        return 200, XML, oai_answer('<error code="badResumptionToken">Too old</error>')
    first = int(token)
    rows = part(first, size)
    ends = first + size >= COUNT
    next_ = "" if ends else str(first + size)
    inner = "".join(map(oai_record, rows))
    inner += oai_record(Row(9000), "info:eu-repo/semantics/article")
    inner += '<record><header status="deleted"><identifier>oai:x</identifier></header></record>'
    inner += (
        f'<resumptionToken completeListSize="{COUNT}" cursor="{first}">{next_}</resumptionToken>'
    )
    return 200, XML, oai_answer(f"<ListRecords>{inner}</ListRecords>")


def oai_answer(inner: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        f"<responseDate>2026-01-01T00:00:00Z</responseDate>{inner}</OAI-PMH>"
    ).encode()


def oai_record(row: Row, kind: str = "info:eu-repo/semantics/dataset") -> str:
    return (
        f"<record><header><identifier>oai:{row.id}</identifier><datestamp>2025-01-01</datestamp>"
        '</header><metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(row.title)}</dc:title>'
        f"<dc:type>{kind}</dc:type><dc:identifier>{ROOT}/handle/{row.number}</dc:identifier>"
        f"<dc:identifier>{row.csv}</dc:identifier><dc:rights>CC BY</dc:rights>"
        "<dc:subject>water</dc:subject></oai_dc:dc></metadata></record>"
    )


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


# Sitemaps (sitemaps.org): an index of two.


def sitemap(call: Call) -> Reply:
    ns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    if call.path == "/sitemap.xml":
        lists = "".join(f"<sitemap><loc>{ROOT}/sitemap-{n}.xml</loc></sitemap>" for n in (1, 2))
        return 200, XML, f"<sitemapindex {ns}>{lists}</sitemapindex>".encode()
    match = re.fullmatch(r"/sitemap-([12])\.xml", call.path)
    if not match:
        return MISSING
    rows = ROWS[:100] if match[1] == "1" else ROWS[100:]
    urls = "".join(f"<url><loc>{row.csv}</loc></url>" for row in rows)
    urls += f"<url><loc>{ROOT}/about/team</loc></url>"
    return 200, XML, f"<urlset {ns}>{urls}</urlset>".encode()


@dataclass(frozen=True)
class Portal:
    """A pretended portal: its adapter, where it stands, and what there is to find.

    calls: to list it all, without the one that confirms it.
    json: whether the first list is JSON, and not XML, RDF or a page.
    """

    adapter: str
    reply: Callable[[Call], Reply]
    calls: int
    root: str = ROOT
    files: Callable[[Row], set[str]] = lambda row: {row.csv, row.zip}

    @property
    def json(self) -> bool:
        others = ("csw", "dcat-ap", "oai-pmh", "schema.org", "sitemap")
        return self.adapter not in others and self.reply not in (csw, arcgis_search)


def rows_csv(row: Row) -> set[str]:
    return {f"{ROOT}/api/views/{row.uid}/rows.csv?accessType=DOWNLOAD"}


PORTALS = {
    "ckan": Portal("ckan", ckan, 1, f"{ROOT}/data"),
    "ckan, at most 100 rows": Portal("ckan", lambda c: ckan(c, 100), 3, f"{ROOT}/data"),
    "socrata": Portal("socrata", socrata, 1, files=rows_csv),
    "opendatasoft": Portal("opendatasoft", opendatasoft, 3, files=opendatasoft_files),
    "arcgis hub": Portal("arcgishub", arcgis_hub, 1),
    "arcgis hub, no feed": Portal("arcgishub", arcgis_search, 4, files=arcgis_files),
    "dataverse": Portal("dataverse", dataverse, 2),
    "dkan": Portal("dkan", dkan, 1),
    "geonetwork 4": Portal("geonetwork", geonetwork, 1, f"{ROOT}/geonetwork"),
    "geonetwork 3": Portal("geonetwork", csw, 3, f"{ROOT}/geonetwork"),
    "csw": Portal("csw", csw, 3),
    "inveniordm": Portal("inveniordm", inveniordm, 3, files=inveniordm_files),
    "data.json": Portal("dcat-us", dcat_us, 1),
    "dcat-ap": Portal("dcat-ap", dcat_ap, 3),
    "oai-pmh": Portal("oai-pmh", oai, 3, files=lambda row: {row.csv}),
    "schema.org": Portal("schema.org", markup, 1),
    "sitemaps": Portal("sitemap", sitemap, 3, files=lambda row: {row.csv}),
}
