"""Portals that tell what has changed, each as its documentation says: 1,000 of 3,000 datasets.

A filter that is not written as documented is refused.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from unit.portals.answers.dcat import dcat_us_dataset, turtle
from unit.portals.answers.open_data import ckan_package
from unit.portals.answers.replies import MISSING, XML, told
from unit.portals.answers.repositories import oai_answer, oai_record
from unit.portals.catalogue import HOST, ROOT, Row
from unit.services.server import Call, Reply

SINCE = datetime(2026, 6, 15, 12, tzinfo=UTC)
_STAMP = r"(2026-06-15T11:00:00Z)"  # an hour before, as indexes lag


@dataclass(frozen=True)
class DatedRow(Row):
    """Every third dataset has changed since, the first of them in the hour after."""

    @property
    def has_changed(self) -> bool:
        return self.number % 3 == 0

    @property
    def modified(self) -> str:
        if not self.has_changed:
            return f"2026-{1 + self.number % 5:02}-03T09:00:00"
        return f"2026-06-{15 + self.number % 14:02}T{13 + self.number % 9}:30:00.123456"


ALL = [DatedRow(number) for number in range(1, 3_001)]
CHANGED = [row for row in ALL if row.has_changed]


def after(text: str, pattern: str) -> list[DatedRow] | None:
    """The datasets that a filter asks for; None: it is not written as documented."""
    match = re.fullmatch(pattern, text)
    return [row for row in ALL if f"{row.modified[:19]}Z" >= match[1]] if match else None


# CKAN: docs.ckan.org, package_search with a Solr range; github.com/ckan/ckan/issues/7492.


def ckan(call: Call, rows_max: int = 1000, activity: bool = True) -> Reply:
    action = call.path.rpartition("/")[2]
    if action == "status_show":
        return told({"help": "h", "success": True, "result": {"ckan_version": "2.10.4"}})
    if action == "recently_changed_packages_activity_list":
        return told({"success": True, "result": ckan_activities()}) if activity else MISSING
    asked = call.params.get("fq", "")
    found = after(asked, rf"metadata_modified:\[{_STAMP} TO \*\]") if asked else ALL
    if action != "package_search" or found is None:
        error = {"__type": "Search Query Error", "message": "SOLR returned an error"}
        return told({"help": "h", "success": False, "error": error}, 409)
    found = sorted(found, key=lambda row: row.id)
    first, size = int(call.params["start"]), min(int(call.params["rows"]), rows_max)
    results = [ckan_package(row) for row in found[first : first + size]]
    return told({"help": "h", "success": True, "result": {"count": len(found), "results": results}})


def ckan_activities() -> list[dict[str, Any]]:
    """The newest first: a dataset deleted, one deleted and restored, one deleted long ago."""
    done = (
        ("deleted package", "uuid-gone", "2026-06-20T10:00:00.000001"),
        ("changed package", "uuid-back", "2026-06-19T10:00:00.000001"),
        ("deleted package", "uuid-back", "2026-06-18T10:00:00.000001"),
        ("new package", "uuid-3", "2026-06-17T10:00:00.000001"),
        ("deleted package", "uuid-old", "2026-05-20T10:00:00.000001"),
    )
    return [
        {"activity_type": kind, "object_id": name, "timestamp": at, "user_id": "u", "data": {}}
        for kind, name, at in done
    ]


# Socrata: the discovery API sorts, and does not filter by date; dev.socrata.com.


def socrata(call: Call) -> Reply:
    if call.path == "/api/views.json":
        return told([{"id": "abcd-1234", "name": "A view"}])
    if call.path != "/api/catalog/v1":
        return MISSING
    first, size = int(call.params["offset"]), int(call.params["limit"])
    assert call.params["domains"] == HOST
    if call.params["order"] != "updatedAt DESC" or first + size > 10_000:
        return told({"error": "a sort that is not known"}, 400)
    newest = sorted(ALL, key=lambda row: row.modified, reverse=True)
    results = [
        {
            "resource": {
                "name": row.title,
                "id": row.uid,
                "updatedAt": f"{row.modified[:19]}.000Z",
            },
            "permalink": f"{ROOT}/d/{row.uid}",
        }
        for row in newest[first : first + size]
    ]
    return told({"results": results, "resultSetSize": len(ALL)})


# OAI-PMH 2.0: openarchives.org, section 2.7.1 on `from`, 2.5.1 on deleted records. Days are the
# granularity that every repository must know.


def oai(call: Call, size: int = 100) -> Reply:
    if call.path != "/oai":
        return MISSING
    if call.params["verb"] == "Identify":
        inner = "<protocolVersion>2.0</protocolVersion><granularity>YYYY-MM-DD</granularity>"
        return 200, XML, oai_answer(f"<Identify>{inner}</Identify>")
    token = call.params.get("resumptionToken")
    if token:
        assert set(call.params) == {"verb", "resumptionToken"}  # an exclusive argument
    elif call.params.get("from") != "2026-06-15":
        return 200, XML, oai_answer('<error code="badArgument">not a legal date</error>')
    first = int(token or 0)
    inner = "".join(oai_record(row, at=row.modified[:10]) for row in CHANGED[first : first + size])
    if first == 0:
        inner += (
            '<record><header status="deleted"><identifier>oai:gone</identifier>'
            "<datestamp>2026-06-18</datestamp></header></record>"
        )
    next_ = str(first + size) if first + size < len(CHANGED) else ""
    inner += f'<resumptionToken completeListSize="{len(CHANGED)}">{next_}</resumptionToken>'
    return 200, XML, oai_answer(f"<ListRecords>{inner}</ListRecords>")


# OpenDataSoft: help.opendatasoft.com, `where` of the catalogue on its metadata.


def opendatasoft(call: Call, filters: bool = True) -> Reply:
    if call.path != "/api/explore/v2.1/catalog/datasets":
        return MISSING
    where = call.params.get("where")
    found = after(where, rf"modified>=date'{_STAMP}'") if where and filters else ALL
    first, size = int(call.params.get("offset", "0")), int(call.params["limit"])
    if size > 100 or found is None or (where and not filters):
        return told({"error_code": "ODSQLError", "message": "ODSQL query is malformed"}, 400)
    results = [
        {
            "dataset_id": row.id,
            "has_records": True,
            "metas": {"default": {"title": row.title, "modified": f"{row.modified[:19]}+00:00"}},
        }
        for row in found[first : first + size]
    ]
    return told({"total_count": len(found), "results": results})


# Dataverse: guides.dataverse.org, "Date Range Search Example"; files have dates of their own.


def dataverse(call: Call) -> Reply:
    if call.path == "/api/info/version":
        return told({"status": "OK", "data": {"version": "6.3", "build": "1"}})
    found = after(call.params.get("fq", ""), rf"dateSort:\[{_STAMP} TO \*\]")
    if call.path != "/api/search" or found is None:
        return told({"status": "ERROR", "message": "Search Syntax Error"}, 400)
    first, size = int(call.params["start"]), min(int(call.params["per_page"]), 1000)
    kind = call.params["type"]
    items = [
        {"name": row.title, "global_id": f"doi:10.5072/{row.id}", "url": f"{ROOT}/d/{row.id}"}
        if kind == "dataset"
        else {"name": "t.csv", "url": row.csv, "dataset_persistent_id": f"doi:10.5072/{row.id}"}
        for row in found[first : first + size]
    ]
    return told({"status": "OK", "data": {"total_count": len(found), "items": items}})


# InvenioRDM: inveniordm.docs.cern.ch, the query string syntax; Zenodo has 25 records a page.


def inveniordm(call: Call, most: int = 10_000) -> Reply:
    if call.path != "/api/records":
        return MISSING
    size, page = int(call.params["size"]), int(call.params.get("page", "1"))
    pattern = rf"metadata\.resource_type\.id:dataset AND updated:\[{_STAMP} TO \*\]"
    found = after(call.params["q"], pattern) if "q" in call.params else ALL
    if size > most or found is None:
        return told({"status": 400, "message": "A validation error occurred."}, 400)
    hits = [
        {
            "id": row.id,
            "updated": f"{row.modified[:19]}+00:00",
            "metadata": {"title": row.title, "resource_type": {"id": "dataset"}},
        }
        for row in found[(page - 1) * size : page * size]
    ]
    return told({"hits": {"hits": hits, "total": len(found)}, "links": {}})


# GeoNetwork 4: a query string of Elasticsearch.


def geonetwork(call: Call) -> Reply:
    if call.path == "/geonetwork/srv/api/site":
        return told({"system/site/name": "Maps", "system/platform/version": "4.2.8"})
    asked = json.loads(call.body)
    pattern = rf"\+isTemplate:n -resourceType:service \+changeDate:\[{_STAMP} TO \*\]"
    found = after(asked["query"]["query_string"]["query"], pattern)
    if call.path != "/geonetwork/srv/api/search/records/_search" or found is None:
        return told({"message": "parsing_exception"}, 400)
    last = asked.get("search_after", [""])[0]
    hits = [
        {
            "_source": {"uuid": row.id, "changeDate": f"{row.modified[:19]}Z"},
            "sort": [row.id],
        }
        for row in [row for row in found if row.id > last][: asked["size"]]
    ]
    return told({"hits": {"total": {"value": len(found), "relation": "eq"}, "hits": hits}})


# Lists of all in one answer, with dates: data.json, DKAN, ArcGIS Hub.


def data_json(call: Call) -> Reply:
    if call.path == "/api/1/metastore/schemas":
        return told({"dataset": {"title": "Project Open Data Dataset"}})
    if call.path == "/api/search/v1":
        return told({"links": [{"rel": "self", "href": f"{ROOT}/api/search/v1"}]})
    found = [dcat_us_dataset(row) for row in ALL]
    if call.path == "/api/1/metastore/schemas/dataset/items":
        return told(found)
    if call.path in ("/data.json", "/api/feed/dcat-us/1.1.json"):
        return told({"dataset": found})
    return MISSING


# DCAT-AP by ckanext-dcat: /catalog.ttl?page=&modified_since=


def dcat_ap(call: Call, size: int = 100) -> Reply:
    asked = call.params.get("modified_since")
    found = after(asked, _STAMP) if asked else ALL
    if call.path != "/catalog.ttl" or found is None:
        return MISSING
    page = int(call.params.get("page", "1"))
    filters = f"&modified_since={asked}" if asked else ""
    next_ = f'hydra:next "{ROOT}/catalog.ttl?page={page + 1}{filters}" ;'
    lines = [
        "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .",
        "@prefix hydra: <http://www.w3.org/ns/hydra/core#> .",
        "@prefix foaf: <http://xmlns.com/foaf/0.1/> .",
        f"<{ROOT}/catalog.ttl> a hydra:PagedCollection ; "
        f"{next_ if page * size < len(found) else ''} hydra:totalItems {len(found)} .",
        *map(turtle, found[(page - 1) * size : page * size]),
    ]
    return 200, {"Content-Type": "text/turtle; charset=utf-8"}, "\n".join(lines).encode()


# Sitemaps: an index with dates; one of its three lists has none, one is old.


def sitemap(call: Call) -> Reply:
    if call.path == "/sitemap.xml":
        lists = (("1", "2026-06-30"), ("2", "2026-06-14"), ("3", ""))
        inner = "".join(
            f"<sitemap><loc>{ROOT}/sitemap-{name}.xml</loc>"
            f"{f'<lastmod>{day}</lastmod>' if day else ''}</sitemap>"
            for name, day in lists
        )
        return 200, XML, f"<sitemapindex>{inner}</sitemapindex>".encode()
    rows = {"/sitemap-1.xml": CHANGED[:600], "/sitemap-3.xml": ALL[1_800:]}.get(call.path)
    if rows is None:
        return MISSING
    urls = "".join(
        f"<url><loc>{row.csv}</loc><lastmod>{row.modified[:19]}Z</lastmod></url>" for row in rows
    )
    return 200, XML, f"<urlset>{urls}</urlset>".encode()
