"""APIs of generated repositories of research, of maps and of tables."""

import json
from typing import Any

from experiments.discover.calls import MIMES, Call, Said, number, part
from experiments.discover.pages import place
from experiments.discover.repository import Repository, files


def dataverse(own: Repository, path: str, call: Call, root: str) -> Said:
    """guides.dataverse.org: the search API."""
    if path == "/api/info/version":
        return {"status": "OK", "data": {"version": "5.14", "build": "1"}}
    if path != "/api/search":
        return None
    whole = _items(own, call.get("type", "dataset"), root)
    first = number(call, "start", 0)
    items = whole[first : first + min(number(call, "per_page", 10), 1000)]
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


def inveniordm(own: Repository, path: str, call: Call, root: str) -> Said:
    """inveniordm.docs.cern.ch: the records API."""
    if path != "/api/records":
        return None
    size, page = number(call, "size", 10), number(call, "page", 1)
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
        for each in part(own, (page - 1) * size, size)
    ]
    return {"hits": {"hits": hits, "total": len(own.datasets)}, "links": {}}


def datasette(own: Repository, path: str, call: Call, root: str) -> Said:
    """docs.datasette.io: the databases, and the tables of one."""
    if path == "/-/databases.json":
        return [{"name": "data", "route": "data", "is_mutable": False}]
    if path != "/data.json":
        return None
    tables = [{"name": each.id, "hidden": False, "count": 100} for each in own.datasets]
    return {"database": "data", "tables": tables, "metadata": {}}


def geonetwork(own: Repository, path: str, call: Call, root: str) -> Said:
    """GeoNetwork 4: a search of Elasticsearch."""
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
