"""Portals of open data: CKAN, Socrata, OpenDataSoft, ArcGIS Hub."""

from typing import Any

from unit.portals.answers.dcat import data_json
from unit.portals.answers.replies import MISSING, part, told
from unit.portals.catalogue import COUNT, HOST, ROOT, Row
from unit.services.server import Call, Reply

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
