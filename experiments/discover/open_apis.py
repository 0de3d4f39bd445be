"""APIs of generated portals of open data: CKAN, DKAN, Socrata, OpenDataSoft, ArcGIS Hub."""

from typing import Any

from experiments.discover.calls import MIMES, Call, Said, number, part
from experiments.discover.pages import place
from experiments.discover.repository import Dataset, Repository, files


def ckan(own: Repository, path: str, call: Call, root: str) -> Said:
    """docs.ckan.org: the action API, version 3."""
    name = path.removeprefix("/api/3/action/")
    if name == "status_show":
        return {"help": root, "success": True, "result": {"ckan_version": "2.9.5"}}
    if name not in ("package_search", "package_list"):
        return None
    if name == "package_list":
        return {"help": root, "success": True, "result": [each.id for each in own.datasets]}
    found = part(own, number(call, "start", 0), min(number(call, "rows", 10), 1000))
    results = [_package(own, each, root) for each in found]
    return {"success": True, "result": {"count": len(own.datasets), "results": results}}


def _package(own: Repository, each: Dataset, root: str) -> dict[str, Any]:
    return {
        "id": f"uuid-{each.id}",
        "name": each.id,
        "title": each.title,
        "notes": each.text,
        "license_id": "cc-by",
        "license_title": "Creative Commons Attribution",
        "metadata_modified": f"{each.modified}T00:00:00",
        "organization": {"title": own.name},
        "tags": [{"name": topic} for topic in own.topics],
        "resources": [
            {"url": f"{root}{url}", "name": each.title, "format": kind.upper()}
            for url, kind in files(own, each)
        ],
    }


def data_json(own: Repository, root: str) -> dict[str, Any]:
    """DCAT-US 1.1: a whole catalogue."""
    return {
        "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
        "dataset": [_dcat(own, each, root) for each in own.datasets],
    }


def _dcat(own: Repository, each: Dataset, root: str) -> dict[str, Any]:
    page = f"{root}{place(own, each)}"
    shares = [
        {"@type": "dcat:Distribution", "downloadURL": f"{root}{url}", "mediaType": MIMES[kind]}
        for url, kind in files(own, each)
    ]
    return {
        "@type": "dcat:Dataset",
        "identifier": each.id,
        "title": each.title,
        "description": each.text,
        "keyword": list(own.topics),
        "modified": each.modified,
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "landingPage": page,
        "publisher": {"@type": "org:Organization", "name": own.name},
        "distribution": shares,
    }


def dkan(own: Repository, path: str, call: Call, root: str) -> Said:
    """The metastore of DKAN 2, and a data.json."""
    if path == "/api/1/metastore/schemas":
        return {"dataset": {"title": "Project Open Data Dataset"}, "publisher": {}}
    if path == "/api/1/metastore/schemas/dataset/items":
        return [_dcat(own, each, root) for each in own.datasets]
    return data_json(own, root) if path == "/data.json" else None


def socrata(own: Repository, path: str, call: Call, root: str) -> Said:
    """The API of a portal itself; its datasets are listed by `discovery`."""
    if path == "/api/views.json":
        found = part(own, 0, number(call, "limit", 100))
        return [{"id": each.uid, "name": each.title} for each in found]
    return data_json(own, root) if path == "/data.json" else None


def opendatasoft(own: Repository, path: str, call: Call, root: str) -> Said:
    """help.opendatasoft.com: the explore API, version 2.1."""
    if path != "/api/explore/v2.1/catalog/datasets":
        return None
    rows = part(own, number(call, "offset", 0), min(number(call, "limit", 10), 100))
    results = [
        {
            "dataset_id": each.id,
            "has_records": True,
            "attachments": [],
            "metas": {
                "default": {
                    "title": each.title,
                    "description": f"<p>{each.text}</p>",
                    "keyword": list(own.topics),
                    "license": "Licence Ouverte",
                    "modified": each.modified,
                    "publisher": own.name,
                }
            },
        }
        for each in rows
    ]
    return {"total_count": len(own.datasets), "results": results}


def arcgishub(own: Repository, path: str, call: Call, root: str) -> Said:
    """The search that tells that it is there, and the feed in DCAT-US."""
    if path == "/api/search/v1":
        return {"title": own.name, "links": [{"rel": "self", "href": f"{root}{path}"}]}
    if path != "/api/feed/dcat-us/1.1.json":
        return None
    told = data_json(own, root)
    for each, dataset in zip(told["dataset"], own.datasets, strict=True):
        url = f"{root}/api/download/v1/items/{dataset.hex}/csv?layers=0"
        each["distribution"] = [
            {"@type": "dcat:Distribution", "accessURL": url, "format": "CSV"},
            {"@type": "dcat:Distribution", "accessURL": each["landingPage"], "format": "Web Page"},
        ]
    return told


def discovery(found: Repository | None, call: Call) -> Said:
    """Return what Socrata's discovery API says of the portal that was asked for."""
    if found is None or found.software != "socrata" or found.api != "on":
        return {"results": [], "resultSetSize": 0}
    rows = part(found, number(call, "offset", 0), number(call, "limit", 100))
    results = [
        {
            "resource": {
                "name": each.title,
                "id": each.uid,
                "description": each.text,
                "attribution": found.name,
                "type": "dataset",
                "updatedAt": f"{each.modified}T00:00:00.000Z",
            },
            "classification": {"domain_tags": list(found.topics)},
            "metadata": {"domain": found.host, "license": "Public Domain"},
            "permalink": f"https://{found.host}/d/{each.uid}",
        }
        for each in rows
    ]
    return {"results": results, "resultSetSize": len(found.datasets)}
