"""Catalogues of maps: GeoNetwork and CSW."""

import json
from xml.sax.saxutils import escape

from unit.portals.answers.replies import MISSING, XML, part, told
from unit.portals.catalogue import COUNT, ROOT, ROWS, Row
from unit.services.server import Call, Reply

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
