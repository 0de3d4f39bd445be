"""Answers in the shapes that the services' own documentation shows, over one small table."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from unit.services.server import Call, Reply
from unit.services.table import Row, search

JSON = {"Content-Type": "application/json; charset=utf-8"}


def told(said: Any, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, JSON | named, json.dumps(said).encode()


def part(rows: list[Row], first: int, size: int) -> list[Row]:
    return rows[first : first + size]


def openalex(call: Call) -> Reply:
    if call.params.get("api_key") != "good-key-123":
        return told({"error": "Invalid API key", "message": "Use a valid key."}, 401)
    page, size = int(call.params["page"]), int(call.params["per_page"])
    if page * size > 10_000:
        return told({"error": "Invalid page", "message": "Maximum results size"}, 400)
    rows = search(call.params["search"])
    works = [
        {
            "id": f"https://openalex.org/W{row.number}",
            "doi": None if row.number % 3 else f"https://doi.org/10.5555/{row.number}",
            "display_name": row.title,
            "publication_year": row.year,
            "type": "article",
            "cited_by_count": row.number,
            "authorships": [{"author": {"id": "A1", "display_name": row.author}}],
            "primary_location": {"source": {"display_name": "Annals"}} if row.number % 2 else None,
        }
        for row in part(rows, (page - 1) * size, size)
    ]
    meta = {"count": len(rows), "db_response_time_ms": 3, "page": page, "per_page": size}
    said = {"meta": meta, "results": works, "group_by": []}
    return told(said, X_RateLimit_Remaining="9990", X_RateLimit_Reset="3600")


def crossref(call: Call) -> Reply:
    first, size = int(call.params["offset"]), int(call.params["rows"])
    rows = search(call.params["query.bibliographic"], "or")
    items = [
        {
            "DOI": f"10.5555/{row.number}",
            "title": [row.title],
            "author": [
                {"given": row.author.split()[0], "family": row.author.split()[1], "sequence": "x"},
                {"name": "The Society"},
            ],
            "issued": {"date-parts": [[row.year, 3]]},
            "container-title": ["Annals"],
            "publisher": "Press",
            "type": "journal-article",
            "URL": f"https://doi.org/10.5555/{row.number}",
        }
        for row in part(rows, first, size)
    ]
    message = {"total-results": len(rows), "items": items, "items-per-page": size, "query": {}}
    said = {"status": "ok", "message-type": "work-list", "message": message}
    return told(said, X_Rate_Limit_Limit="3", X_Rate_Limit_Interval="1s")


def openlibrary(call: Call) -> Reply:
    first, size = int(call.params["offset"]), int(call.params["limit"])
    rows = search(call.params["q"])
    docs = [
        {
            "key": f"/works/OL{row.number}W",
            "title": row.title,
            "author_name": [row.author],
            "first_publish_year": row.year,
            "edition_count": 2,
        }
        for row in part(rows, first, size)
    ]
    return told({"numFound": len(rows), "start": first, "num_found": len(rows), "docs": docs})


def github(call: Call) -> Reply:
    page, size = int(call.params["page"]), int(call.params["per_page"])
    rows = search(call.params["q"])
    items = [
        {
            "id": row.number,
            "full_name": f"ada/{row.title}",
            "html_url": f"https://github.com/ada/{row.number}",
            "description": row.title,
            "owner": {"login": "ada"},
            "language": None,
            "topics": ["maps", "books"],
            "license": None,
            "stargazers_count": row.number,
        }
        for row in part(rows, (page - 1) * size, size)
    ]
    said = {"total_count": len(rows), "incomplete_results": False, "items": items}
    return told(said, X_RateLimit_Remaining="29", X_RateLimit_Reset="1900000000")


def wikidata(call: Call) -> Reply:
    first, size = int(call.params.get("gsroffset", "0")), int(call.params["gsrlimit"])
    rows = search(call.params["gsrsearch"])
    pages = [
        {
            "pageid": row.number + 100,
            "ns": 0,
            "title": f"Q{row.number}",
            "index": index + 1,
            "entityterms": {"label": [row.title], "description": [f"book by {row.author}"]},
        }
        for index, row in enumerate(part(rows, first, size))
    ]
    said: dict[str, Any] = {"batchcomplete": True}
    if pages:
        said["query"] = {"pages": pages}
    if first + size < len(rows):
        said["continue"] = {"gsroffset": first + size, "continue": "gsroffset||"}
    return told(said)


def gbif(call: Call) -> Reply:
    first, size = int(call.params["offset"]), int(call.params["limit"])
    rows = search(call.params["q"])
    results = [
        {
            "key": row.number,
            "scientificName": row.title,
            "rank": "SPECIES",
            "kingdom": "Animalia",
            "vernacularNames": [{"vernacularName": row.author, "language": "eng"}],
        }
        for row in part(rows, first, size)
    ]
    ends = first + size >= len(rows)
    return told(
        {
            "offset": first,
            "limit": size,
            "endOfRecords": ends,
            "count": len(rows),
            "results": results,
        }
    )


def ckan(call: Call) -> Reply:
    assert call.path == "/api/3/action/package_search"
    first, size = int(call.params["start"]), int(call.params["rows"])
    rows = search(call.params["q"])
    results = [
        {
            "id": f"0000-{row.number}",
            "name": f"set-{row.number}",
            "title": row.title,
            "notes": None,
            "organization": {"title": row.author},
            "tags": [{"display_name": "books"}, {"display_name": "maps"}],
            "resources": [{"format": "CSV", "url": "https://ckan.test/f.csv"}],
        }
        for row in part(rows, first, size)
    ]
    result = {"count": len(rows), "sort": "score desc", "results": results, "facets": {}}
    return told({"help": "…", "success": True, "result": result})


def reconciliation(call: Call) -> Reply:
    assert call.method == "POST"
    queries = json.loads(parse_qs(call.body.decode())["queries"][0])
    said = {}
    for name, query in queries.items():
        rows = search(query["query"], "or")[: query["limit"]]
        said[name] = {
            "result": [
                {
                    "id": f"n{row.number}",
                    "name": row.title,
                    "description": row.author,
                    "score": 90.5,
                    "match": False,
                    "type": [{"id": "book", "name": "Book"}],
                }
                for row in rows
            ]
        }
    return told(said)


OSD = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Books</ShortName><Description>Books</Description>
  <Url type="text/html" template="https://search.test/?q={searchTerms}"/>
  <Url type="application/x-suggestions+json" rel="suggestions" template="/s?q={searchTerms}"/>
  <Url type="application/rss+xml" indexOffset="0"
       template="/feed?q={searchTerms}&amp;start={startIndex?}&amp;n={count?}&amp;l={language?}&amp;b={geo:box?}"/>
</OpenSearchDescription>"""


def opensearch(call: Call) -> Reply:
    if call.path == "/osd.xml":
        return 200, {"Content-Type": "application/opensearchdescription+xml"}, OSD.encode()
    assert call.path == "/feed"
    first, size = int(call.params["start"]), int(call.params["n"])
    rows = search(call.params["q"])
    items = "".join(
        f"<item><title>{escape(row.title)}</title><link>https://search.test/{row.number}</link>"
        f"<guid>b{row.number}</guid><dc:creator>{row.author}</dc:creator></item>"
        for row in part(rows, first, size)
    )
    body = (
        '<rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Books</title>'
        f"<opensearch:totalResults>{len(rows)}</opensearch:totalResults>"
        f"<opensearch:itemsPerPage>{size}</opensearch:itemsPerPage>{items}</channel></rss>"
    )
    return 200, {"Content-Type": "application/rss+xml"}, body.encode()


@dataclass(frozen=True)
class Service:
    """A pretended service. pages: whether all matches can be reached."""

    reply: Callable[[Call], Reply]
    host: str
    title: str = "title"
    joins: str = "and"
    pages: bool = True
    totals: bool = True
    parameters: dict[str, str] = field(default_factory=dict)


SERVICES = {
    "openalex": Service(openalex, "api.openalex.org"),
    "crossref": Service(crossref, "api.crossref.org", joins="or"),
    "openlibrary": Service(openlibrary, "openlibrary.org"),
    "github": Service(github, "api.github.com", title="description"),
    "wikidata": Service(wikidata, "www.wikidata.org", title="label", totals=False),
    "gbif": Service(gbif, "api.gbif.org", title="name"),
    "ckan": Service(ckan, "ckan.test", parameters={"url": "https://ckan.test/"}),
    "reconciliation": Service(
        reconciliation,
        "names.test",
        title="name",
        joins="or",
        pages=False,
        totals=False,
        parameters={"url": "https://names.test/reconcile", "view": "https://names.test/r/{id}"},
    ),
    "opensearch": Service(
        opensearch, "search.test", parameters={"url": "https://search.test/osd.xml"}
    ),
}
