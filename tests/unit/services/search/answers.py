"""Answers in the shapes that the search services' own documentation shows, over one small web.

A word of the question makes a service fail in its documented way: see FAILURES.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from unit.services.server import Call, Reply

KEY = "good-key-123456"
JSON = {"Content-Type": "application/json"}
XML = {"Content-Type": "text/xml; charset=UTF-8"}
#: The small web: 43 pages on floods, on ten hosts.
PAGES = [(f"https://site{n % 10}.example/flood/{n}", f"Flood data {n}") for n in range(43)]
CAPTCHA = b"<!doctype html><html><head><title>Just a moment...</title></head><body>Are you human?"


def told(said: Any, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, JSON | named, json.dumps(said).encode()


def matches(query: str) -> list[tuple[str, str]]:
    return PAGES if "flood" in query else []


def searxng(call: Call) -> Reply:
    assert (call.path, call.params["format"]) == ("/search", "json")
    rows, page = matches(call.params["q"]), int(call.params["pageno"])
    results = [
        {
            "url": url,
            "title": title,
            "content": f"About {title}",
            "engine": "mojeek",
            "engines": ["mojeek", "brave"],
            "positions": [n],
            "score": 1.5,
            "category": "general",
        }
        for n, (url, title) in enumerate(rows[(page - 1) * 20 : page * 20])
    ]
    silent = [["google", "Suspended: CAPTCHA"]] if results else []
    said = {"query": call.params["q"], "number_of_results": 0, "results": results}
    return told(said | {"suggestions": [], "infoboxes": [], "unresponsive_engines": silent})


def brave(call: Call) -> Reply:
    if call.headers.get("x-subscription-token") != KEY:
        error = {"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "Invalid token."}
        return told({"type": "ErrorResponse", "error": error}, 422)
    size, offset = int(call.params["count"]), int(call.params["offset"])
    assert size <= 20
    assert offset <= 9
    rows = matches(call.params["q"])
    # Of what matches, Brave often shows fewer than were asked for.
    part = rows[offset * (size - 1) : (offset + 1) * (size - 1)]
    web = [{"title": title, "url": url, "description": f"About {title}"} for url, title in part]
    goes_on = (offset + 1) * (size - 1) < len(rows)
    said: dict[str, Any] = {"type": "search", "query": {"more_results_available": goes_on}}
    if web:
        said["web"] = {"type": "search", "results": web}
    return told(said, X_RateLimit_Remaining="1, 1000", X_RateLimit_Reset="1, 1419704")


def serper(call: Call) -> Reply:
    if call.headers.get("x-api-key") != KEY:
        return told({"message": "Unauthorized.", "statusCode": 403}, 403)
    asked = json.loads(call.body)
    page, size = asked["page"], asked["num"]
    rows = matches(asked["q"])[(page - 1) * size : page * size]
    organic = [
        {"title": title, "link": url, "snippet": f"About {title}", "position": n}
        for n, (url, title) in enumerate(rows, 1)
    ]
    return told({"searchParameters": asked, "organic": organic, "credits": 1})


def mojeek(call: Call) -> Reply:
    if call.params.get("api_key") != KEY:
        return told({"response": {"status": "ERROR: Invalid API Key"}})
    start, size = int(call.params["s"]), int(call.params["t"])
    rows = matches(call.params["q"])
    part = rows[start - 1 : start - 1 + size]
    head = {"query": call.params["q"], "start": start, "return": len(part), "results": len(rows)}
    results = [{"url": url, "title": title, "desc": f"About {title}"} for url, title in part]
    return told({"response": {"status": "OK", "head": head, "results": results}})


def google(call: Call) -> Reply:
    if call.params.get("key") != KEY:
        reason = [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
        ]
        error = {"code": 400, "message": f"API key not valid: {call.params.get('key')}"}
        return told({"error": error | {"status": "INVALID_ARGUMENT", "details": reason}}, 400)
    start, size = int(call.params["start"]), int(call.params["num"])
    assert start + size <= 101
    rows = matches(call.params["q"])
    part = rows[start - 1 : start - 1 + size]
    said: dict[str, Any] = {"kind": "customsearch#search"}
    said["searchInformation"] = {"totalResults": str(len(rows)), "searchTime": 0.2}
    if part:
        said["items"] = [{"title": t, "link": u, "snippet": f"About {t}"} for u, t in part]
    return told(said)


def exa(call: Call) -> Reply:
    if call.headers.get("x-api-key") != KEY:
        said = {"requestId": "r1", "error": "Invalid API key", "tag": "INVALID_API_KEY"}
        return told(said, 401)
    asked = json.loads(call.body)
    if call.path == "/findSimilar":
        assert asked["excludeSourceDomain"] is True
    rows = matches(asked["url" if call.path == "/findSimilar" else "query"])
    results = [
        {"id": url, "url": url, "title": title, "score": 0.4, "publishedDate": None}
        for url, title in rows[: asked["numResults"]]
    ]
    return told({"requestId": "r2", "results": results})


def mediawiki(call: Call) -> Reply:
    assert (call.path, call.params["action"]) == ("/w/api.php", "query")
    if call.params.get("list") == "exturlusage":
        size, first = int(call.params["eulimit"]), int(call.params.get("eucontinue", "0"))
        rows = matches(call.params["euquery"])
        usage: list[dict[str, Any]] = [
            {"pageid": 100 + n, "ns": 0, "title": title, "url": "https://floods.example/"}
            for n, (_, title) in list(enumerate(rows))[first : first + size]
        ]
        said: dict[str, Any] = {"batchcomplete": True, "query": {"exturlusage": usage}}
        name, more = "eucontinue", first + size
    else:
        asked = call.params.get("titles") or call.params.get("pageids", "")
        size, first = int(call.params["ellimit"]), int(call.params.get("elcontinue", "0"))
        rows = matches("flood" if asked in ("Flood", "101") else asked)
        page: dict[str, Any] = {"pageid": 101, "ns": 0, "title": "Flood"}
        if rows:
            page["extlinks"] = [{"url": url} for url, _ in rows[first : first + size]]
        said = {"batchcomplete": True, "query": {"pages": [page]}}
        name, more = "elcontinue", first + size
    if more < len(rows):
        said["continue"] = {name: str(more), "continue": "-||"}
    return told(said)


def commoncrawl(call: Call) -> Reply:
    assert call.path == "/CC-MAIN-2025-47-index"
    assert call.params["output"] == "json"
    rows, page = matches(call.params["url"]), int(call.params["page"])
    if not rows:
        return told({"message": f"No Captures found for: {call.params['url']}"}, 404)
    if page > 2:
        said = f"Page {page} invalid: First Page is 0, Last Page is 2"
        return told({"message": said}, 400)
    lines = [
        json.dumps({"url": url, "mime": "text/html", "status": "200", "timestamp": "20251110"})
        for url, _ in rows[page * 15 : (page + 1) * 15]
        for _ in range(2)  # two captures of each page
    ]
    return 200, {"Content-Type": "text/x-ndjson"}, "\n".join(lines).encode() + b"\n"


def datacite(call: Call) -> Reply:
    if call.path == "/repositories" and "ids" in call.params:
        names = call.params["ids"].split(",")
        rows = [(f"https://{name}.example/", name) for name in sorted(names)]
    elif call.path == "/repositories":
        size, page = int(call.params["page[size]"]), int(call.params["page[number]"])
        rows = matches(call.params["query"])[(page - 1) * size : page * size]
    else:
        return datacite_dois(call)
    total = len(matches(call.params.get("query", "flood"))) if "query" in call.params else len(rows)
    data = [
        {
            "id": name,
            "type": "repositories",
            "attributes": {"name": name, "url": url, "software": "dataverse", "description": None},
        }
        for url, name in rows
    ]
    return told({"data": data, "meta": {"total": total, "totalPages": 1, "page": 1}})


def datacite_dois(call: Call) -> Reply:
    assert call.params["disable-facets"] == "false"
    assert call.params["facets"] == "clients"
    rows = matches(call.params["query"])
    data = [
        {
            "id": f"10.5555/{n}",
            "type": "dois",
            "attributes": {"titles": [{"title": title}], "url": url, "publisher": "Zenodo"},
            "relationships": {"client": {"data": {"id": "cern.zenodo", "type": "clients"}}},
        }
        for n, (url, title) in enumerate(rows[: int(call.params["page[size]"])])
    ]
    clients = [
        {"id": "small.one", "title": "Small", "count": 2},
        {"id": "cern.zenodo", "title": "Zenodo", "count": 41},
    ]
    meta: dict[str, Any] = {"total": len(rows), "clients": clients if rows else []}
    return told({"data": data, "meta": meta})


def re3data(call: Call) -> Reply:
    if call.path == "/api/beta/repositories":
        rows = [f"r3d10000{n}" for n in range(5)] if "flood" in call.params["query"] else []
        items = "".join(
            f"<repository><id>{name}</id><doi>https://doi.org/10.17616/R{name}</doi>"
            f'<name>Repository {name}</name><link href="/api/beta/repository/{name}" rel="self"/>'
            "</repository>"
            for name in rows
        )
        return 200, XML, f'<?xml version="1.0" encoding="UTF-8"?><list>{items}</list>'.encode()
    name = call.path.rpartition("/")[2]
    if name == "r3d100003":
        return 404, XML, b"<error>gone</error>"
    record = f"""<?xml version="1.0" encoding="utf-8"?>
    <r3d:re3data xmlns:r3d="http://www.re3data.org/schema/2-2"><r3d:repository>
    <r3d:re3data.orgIdentifier>{name}</r3d:re3data.orgIdentifier>
    <r3d:repositoryName language="eng">Repository {name}</r3d:repositoryName>
    <r3d:repositoryURL>https://{name}.example/</r3d:repositoryURL>
    <r3d:description language="eng">Floods &amp; rain.</r3d:description>
    </r3d:repository></r3d:re3data>"""
    return 200, XML, record.encode()


def socrata(call: Call) -> Reply:
    assert call.path == "/api/catalog/v1"
    first, size = int(call.params["offset"]), int(call.params["limit"])
    rows = matches(call.params["q"])
    results = [
        {
            "resource": {"id": f"abcd-{n:04}", "name": title, "description": f"About {title}"},
            "metadata": {"domain": f"data{0 if n < 30 else 1}.example"},
            "permalink": url,
        }
        for n, (url, title) in list(enumerate(rows))[first : first + size]
    ]
    return told({"results": results, "resultSetSize": len(rows), "timings": {"searchMillis": 9}})


@dataclass(frozen=True)
class Service:
    """How a service is stood up here.

    asks: a question to each operator. hosts: the names it answers under.
    quota: how it refuses when there are no more calls. keyed: it wants a key.
    hits: how many a question brings in all, where it is not one a page.
    """

    reply: Callable[[Call], Reply]
    host: str
    asks: dict[str, str]
    quota: Reply
    parameters: dict[str, str] = field(default_factory=dict)
    keyed: bool = False
    hits: dict[str, int] = field(default_factory=dict)


SLOW = told({"message": "Too Many Requests"}, 429, Retry_After="30")
SITE = "https://flood.example/"
SERVICES = {
    "brave": Service(
        brave,
        "api.search.brave.com",
        {"keyword": "flood"},
        told({"type": "ErrorResponse", "error": {"code": "RATE_LIMITED", "status": 429}}, 429),
        keyed=True,
    ),
    "commoncrawl": Service(
        commoncrawl,
        "index.commoncrawl.org",
        {"seeds": SITE},
        (503, {"Content-Type": "text/html"}, b"Please reduce your request rate."),
    ),
    "datacite": Service(
        datacite,
        "api.datacite.org",
        {"keyword": "flood", "seeds": "flood"},
        SLOW,
        hits={"keyword": 27},
    ),
    "exa": Service(
        exa,
        "api.exa.ai",
        {"keyword": "flood", "related": SITE},
        told({"requestId": "r", "error": "No credits", "tag": "NO_MORE_CREDITS"}, 402),
        keyed=True,
        hits={"keyword": 25, "related": 25},
    ),
    "google": Service(
        google,
        "customsearch.googleapis.com",
        {"keyword": "flood"},
        told({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota"}}, 429),
        {"cx": "a1"},
        keyed=True,
    ),
    "mediawiki": Service(
        mediawiki,
        "en.wikipedia.org",
        {"backlinks": SITE, "outlinks": "https://en.wikipedia.org/wiki/Flood"},
        told({"error": {"code": "ratelimited", "info": "You've exceeded your rate limit."}}),
    ),
    "mojeek": Service(
        mojeek,
        "www.mojeek.com",
        {"keyword": "flood"},
        told({"response": {"status": "ERROR: Daily Limit Reached"}}),
        keyed=True,
    ),
    "re3data": Service(re3data, "www.re3data.org", {"seeds": "flood"}, SLOW, hits={"seeds": 4}),
    "searxng": Service(
        searxng, "searx.example", {"keyword": "flood"}, SLOW, {"url": "https://searx.example"}
    ),
    "serper": Service(
        serper,
        "google.serper.dev",
        {"keyword": "flood"},
        told({"message": "Not enough credits", "statusCode": 400}, 400),
        keyed=True,
    ),
    "socrata": Service(
        socrata,
        "api.us.socrata.com",
        {"keyword": "flood", "seeds": "flood"},
        SLOW,
        hits={"seeds": 2},
    ),
}


def failing(service: Service) -> Callable[[Call], Reply]:
    """Return the service, failing where a word of the question says so."""

    def reply(call: Call) -> Reply:
        asked = " ".join([call.path, *call.params.values(), call.body.decode()])
        if "captcha" in asked:
            return 200, {"Content-Type": "text/html"}, CAPTCHA
        if "spent" in asked:
            return service.quota
        if "broken" in asked:
            return 500, {"Content-Type": "text/html"}, b"<h1>Internal Server Error</h1>"
        if "forbidden" in asked:
            return told({"message": "no"}, 403)
        return service.reply(call)

    return reply
