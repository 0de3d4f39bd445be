"""The APIs of generated repositories: each answers as its documentation says.

What an API lists is what the repository has; switched off it is not there, broken it answers
errors where the lists are and says that it is there all the same.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from filon.bench.discover.pages import place
from filon.bench.discover.repository import Dataset, Repository, files
from filon.bench.discover.xml_apis import csw, oai
from filon.core import Request, Response

DISCOVERY_HOST = "api.us.socrata.com"
MIMES = {
    "csv": "text/csv",
    "json": "application/json",
    "geojson": "application/geo+json",
    "xml": "application/xml",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Call = Mapping[str, str]
#: What was said: JSON, or XML as text; None: there is nothing at this path.
Said = Any


def answer(own: Repository, request: Request, root: str) -> Response | None:
    """Return what the API of a repository says; None: the request is not for it.

    root: the address under which it was asked; a mirror has another.
    """
    parts = urlsplit(request.url)
    call = dict(parse_qsl(parts.query, keep_blank_values=True))
    if parts.path == "/data.json" and own.data_json:
        return _response(request, _data_json(own, root))
    ask = _APIS.get(own.software)
    if ask is None or not parts.path.startswith(_PREFIXES[own.software]):
        return None
    if own.api == "off":
        return None
    said = ask(own, parts.path, call | {"body": request.body.decode()}, root)
    if said is None:
        return None
    if own.api == "broken" and parts.path not in _CONFIRMS:
        wrong = b"<html><h1>Internal Server Error</h1></html>"
        return Response(url=request.url, status=500, headers=_HTML, body=wrong)
    return _response(request, said)


_HTML = (("Content-Type", "text/html; charset=utf-8"),)


def _response(request: Request, said: Said) -> Response:
    is_xml = isinstance(said, str)
    mime = "text/xml; charset=utf-8" if is_xml else "application/json; charset=utf-8"
    body = said.encode() if is_xml else json.dumps(said, ensure_ascii=False).encode()
    return Response(url=request.url, status=200, headers=(("Content-Type", mime),), body=body)


def _number(call: Call, name: str, default: int) -> int:
    told = call.get(name, "")
    return int(told) if told.isdecimal() else default


def _part(own: Repository, first: int, size: int) -> tuple[Dataset, ...]:
    return own.datasets[first : first + size]


def _ckan(own: Repository, path: str, call: Call, root: str) -> Said:
    name = path.removeprefix("/api/3/action/")
    if name == "status_show":
        return {"help": root, "success": True, "result": {"ckan_version": "2.9.5"}}
    if name not in ("package_search", "package_list"):
        return None
    if name == "package_list":
        return {"help": root, "success": True, "result": [each.id for each in own.datasets]}
    found = _part(own, _number(call, "start", 0), min(_number(call, "rows", 10), 1000))
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


def _data_json(own: Repository, root: str) -> dict[str, Any]:
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


def _dkan(own: Repository, path: str, call: Call, root: str) -> Said:
    if path == "/api/1/metastore/schemas":
        return {"dataset": {"title": "Project Open Data Dataset"}, "publisher": {}}
    if path == "/api/1/metastore/schemas/dataset/items":
        return [_dcat(own, each, root) for each in own.datasets]
    return _data_json(own, root) if path == "/data.json" else None


def _socrata(own: Repository, path: str, call: Call, root: str) -> Said:
    if path == "/api/views.json":
        found = _part(own, 0, _number(call, "limit", 100))
        return [{"id": each.uid, "name": each.title} for each in found]
    return _data_json(own, root) if path == "/data.json" else None


def discovery(found: Repository | None, request: Request) -> Response:
    """Return what Socrata's discovery API says of the portal that was asked for."""
    call = dict(parse_qsl(urlsplit(request.url).query))
    if found is None or found.software != "socrata" or found.api != "on":
        return _response(request, {"results": [], "resultSetSize": 0})
    rows = _part(found, _number(call, "offset", 0), _number(call, "limit", 100))
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
    return _response(request, {"results": results, "resultSetSize": len(found.datasets)})


def _opendatasoft(own: Repository, path: str, call: Call, root: str) -> Said:
    if path != "/api/explore/v2.1/catalog/datasets":
        return None
    rows = _part(own, _number(call, "offset", 0), min(_number(call, "limit", 10), 100))
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


def _arcgishub(own: Repository, path: str, call: Call, root: str) -> Said:
    if path == "/api/search/v1":
        return {"title": own.name, "links": [{"rel": "self", "href": f"{root}{path}"}]}
    if path != "/api/feed/dcat-us/1.1.json":
        return None
    told = _data_json(own, root)
    for each, dataset in zip(told["dataset"], own.datasets, strict=True):
        url = f"{root}/api/download/v1/items/{dataset.hex}/csv?layers=0"
        each["distribution"] = [
            {"@type": "dcat:Distribution", "accessURL": url, "format": "CSV"},
            {"@type": "dcat:Distribution", "accessURL": each["landingPage"], "format": "Web Page"},
        ]
    return told


def _dataverse(own: Repository, path: str, call: Call, root: str) -> Said:
    if path == "/api/info/version":
        return {"status": "OK", "data": {"version": "5.14", "build": "1"}}
    if path != "/api/search":
        return None
    whole = _items(own, call.get("type", "dataset"), root)
    first = _number(call, "start", 0)
    items = whole[first : first + min(_number(call, "per_page", 10), 1000)]
    told = {"q": "*", "total_count": len(whole), "start": first, "items": items}
    return {"status": "OK", "data": told | {"count_in_response": len(items)}}


def _items(own: Repository, kind: str, root: str) -> list[dict[str, Any]]:
    if kind == "dataset":
        return [
            {
                "name": each.title,
                "type": "dataset",
                "url": f"{root}{place(own, each)}",
                "global_id": f"doi:10.5072/{each.id}",
                "description": each.text,
                "published_at": each.modified,
                "publisher": own.name,
                "keywords": list(own.topics),
            }
            for each in own.datasets
        ]
    return [
        {
            "name": f"{each.id}.{form}",
            "type": "file",
            "url": f"{root}{url}",
            "file_content_type": MIMES[form],
            "dataset_name": each.title,
            "dataset_persistent_id": f"doi:10.5072/{each.id}",
        }
        for each in own.datasets
        for url, form in files(own, each)
    ]


def _inveniordm(own: Repository, path: str, call: Call, root: str) -> Said:
    if path != "/api/records":
        return None
    size, page = _number(call, "size", 10), _number(call, "page", 1)
    hits = [
        {
            "id": each.id,
            "updated": each.modified,
            "links": {"self_html": f"{root}/records/{each.id}"},
            "metadata": {
                "title": each.title,
                "description": each.text,
                "publisher": own.name,
                "resource_type": {"id": "dataset"},
                "rights": [{"id": "cc-by-4.0"}],
            },
            "files": {
                "enabled": True,
                "entries": {
                    f"{each.id}.{kind}": {"key": f"{each.id}.{kind}", "mimetype": MIMES[kind]}
                    for kind in each.formats
                },
            },
        }
        for each in _part(own, (page - 1) * size, size)
    ]
    return {"hits": {"hits": hits, "total": len(own.datasets)}, "links": {}}


def _datasette(own: Repository, path: str, call: Call, root: str) -> Said:
    if path == "/-/databases.json":
        return [{"name": "data", "route": "data", "is_mutable": False}]
    if path != "/data.json":
        return None
    tables = [{"name": each.id, "hidden": False, "count": 100} for each in own.datasets]
    return {"database": "data", "tables": tables, "metadata": {}}


def _geonetwork(own: Repository, path: str, call: Call, root: str) -> Said:
    if path == "/geonetwork/srv/api/site":
        return {"system/site/name": own.name, "system/platform/version": "4.2.8"}
    if path != "/geonetwork/srv/api/search/records/_search":
        return None
    asked = json.loads(call["body"] or "{}")
    after = str(asked.get("search_after", [""])[0])
    rows = [each for each in own.datasets if each.id > after][: int(asked.get("size", 10))]
    hits = [
        {
            "_id": each.id,
            "_source": {
                "uuid": each.id,
                "resourceTitleObject": {"default": each.title},
                "resourceAbstractObject": {"default": each.text},
                "Org": own.name,
                "changeDate": each.modified,
                "link": [
                    {"protocol": "WWW:DOWNLOAD", "url": f"{root}{url}", "name": f"a.{kind}"}
                    for url, kind in files(own, each)
                ],
            },
            "sort": [each.id],
        }
        for each in rows
    ]
    return {"hits": {"total": {"value": len(own.datasets), "relation": "eq"}, "hits": hits}}


_APIS: dict[str, Callable[[Repository, str, Call, str], Said]] = {
    "ckan": _ckan,
    "dkan": _dkan,
    "socrata": _socrata,
    "opendatasoft": _opendatasoft,
    "arcgishub": _arcgishub,
    "dataverse": _dataverse,
    "inveniordm": _inveniordm,
    "datasette": _datasette,
    "geonetwork": _geonetwork,
    "geonode": csw,
    "dspace": oai,
}
_PREFIXES: dict[str, tuple[str, ...]] = {
    "ckan": ("/api/3/",),
    "dkan": ("/api/1/", "/data.json"),
    "socrata": ("/api/views.json", "/data.json"),
    "opendatasoft": ("/api/explore/v2.1/catalog/datasets",),
    "arcgishub": ("/api/search/", "/api/feed/"),
    "dataverse": ("/api/info/", "/api/search"),
    "inveniordm": ("/api/records",),
    "datasette": ("/-/databases.json", "/data.json"),
    "geonetwork": ("/geonetwork/srv/api/site", "/geonetwork/srv/api/search/"),
    "geonode": ("/catalogue/csw",),
    "dspace": ("/oai/request", "/server/oai/request"),
}
#: Paths that say that the API is there.
_CONFIRMS = frozenset(
    {
        "/api/3/action/status_show",
        "/api/1/metastore/schemas",
        "/api/views.json",
        "/api/search/v1",
        "/api/info/version",
        "/-/databases.json",
        "/geonetwork/srv/api/site",
    }
)
