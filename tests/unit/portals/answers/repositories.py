"""Repositories of research data: Dataverse, InvenioRDM, OAI-PMH."""

from typing import Any
from xml.sax.saxutils import escape

from unit.portals.answers.replies import MISSING, XML, part, told
from unit.portals.catalogue import COUNT, ROOT, ROWS, Row
from unit.services.server import Call, Reply

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


def oai_record(
    row: Row, kind: str = "info:eu-repo/semantics/dataset", at: str = "2025-01-01"
) -> str:
    return (
        f"<record><header><identifier>oai:{row.id}</identifier><datestamp>{at}</datestamp>"
        '</header><metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(row.title)}</dc:title>'
        f"<dc:type>{kind}</dc:type><dc:identifier>{ROOT}/handle/{row.number}</dc:identifier>"
        f"<dc:identifier>{row.csv}</dc:identifier><dc:rights>CC BY</dc:rights>"
        "<dc:subject>water</dc:subject></oai_dc:dc></metadata></record>"
    )
