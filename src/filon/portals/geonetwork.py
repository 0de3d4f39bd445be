"""GeoNetwork: its search (Elasticsearch) from version 4 on, its CSW before."""

import json
from datetime import datetime
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals import csw
from filon.portals.addresses import ask, before
from filon.portals.since import recent, stamp
from filon.portals.tolerant import number, parsed, prose, text, tree, trees
from filon.portals.trouble import strange, trouble

SITE = "/srv/api/site"
SEARCH = "/srv/api/search/records/_search"
CSW = "/srv/eng/csw"
SIZE = 1000
_VERSION = "system/platform/version"
#: Services and templates are no datasets; the fields keep an answer of a thousand short.
_QUERY = "+isTemplate:n -resourceType:service"
_FIELDS = (
    "uuid",
    "resourceTitleObject",
    "resourceAbstractObject",
    "link",
    "Org",
    "changeDate",
    "tag",
    "MD_LegalConstraintsUseLimitationObject",
)


class GeoNetwork:
    """A catalogue of GeoNetwork."""

    name = "geonetwork"
    whole = False

    def confirm(self, root: str) -> Request:
        """Ask for the site's settings, which are open to all."""
        return ask(f"{root}{SITE}")

    def confirmed(self, response: Response) -> str:
        """Return the address of the search, or of the CSW of an older version."""
        reply = tree(parsed(response)) if not trouble(response) else {}
        root = before(response.url, SITE)
        if not root or not any(key.startswith("system/") for key in reply):
            return ""
        major = text(reply, _VERSION).partition(".")[0]
        return f"{root}{CSW}" if major in ("2", "3") else f"{root}{SEARCH}"

    def begin(self, base: str) -> Request:
        """Ask for the first thousand."""
        return _search(base, [], _QUERY) if base.endswith(SEARCH) else csw.records(base)

    def read(self, response: Response) -> Listing:
        """Read a page of the search, or of the CSW."""
        return csw.read(response) if SEARCH not in response.url else _read(response, _QUERY)

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for the records that changed; a CSW for all."""
        return _search(base, [], _since(moment)) if base.endswith(SEARCH) else csw.records(base)

    def changes(self, response: Response, moment: datetime) -> Listing:
        """Read a page of the search, or of the CSW."""
        if SEARCH not in response.url:
            return recent(csw.read(response), moment)
        return recent(_read(response, _since(moment)), moment)


def _since(moment: datetime) -> str:
    return f"{_QUERY} +changeDate:[{stamp(moment)} TO *]"


def _read(response: Response, query: str) -> Listing:
    """Read a page of a search for a query."""
    wrong = trouble(response)
    root = before(response.url, SEARCH)
    if wrong and wrong.problem in ("schema", "query"):  # no such search: an older version
        return Listing(more=csw.records(f"{root}{CSW}"), problem=wrong.problem, detail=wrong.detail)
    if wrong:
        return wrong
    reply = parsed(response)
    if not isinstance(tree(reply, "hits").get("hits"), list):
        return strange("an answer of GeoNetwork's search")
    found = trees(reply, "hits", "hits")
    after = found[-1].get("sort") if len(found) >= SIZE else None
    total = number(reply, "hits", "total", "value")
    return Listing(
        datasets=tuple(_dataset(hit, root) for hit in found),
        more=_search(f"{root}{SEARCH}", after, query)
        if isinstance(after, list) and after
        else None,
        total=total if total is not None else number(reply, "hits", "total"),
    )


def _search(url: str, after: list[Any], query: str) -> Request:
    """Return the request for what comes after a record: unlike an offset, that has no end."""
    body = {
        "size": SIZE,
        "query": {"query_string": {"query": query}},
        "sort": [{"uuid": "asc"}],
        "track_total_hits": True,
        "_source": list(_FIELDS),
    } | ({"search_after": after} if after else {})
    headers = (("Accept", "application/json"), ("Content-Type", "application/json"))
    return Request(url=url, method="POST", headers=headers, body=json.dumps(body).encode())


def _dataset(hit: dict[str, Any], root: str) -> Dataset:
    source = tree(hit, "_source")
    name = text(source, "uuid") or text(hit, "_id")
    files = (_file(link) for link in trees(source, "link"))
    return Dataset(
        id=name,
        title=text(source, "resourceTitleObject"),
        description=prose(source, "resourceAbstractObject"),
        url=f"{root}/srv/eng/catalog.search#/metadata/{name}",
        files=tuple(file for file in files if file),
        licence=text(source, "MD_LegalConstraintsUseLimitationObject"),
        modified=text(source, "changeDate"),
        publisher=text(source, "Org"),
        keywords=tuple(word for tag in trees(source, "tag") if (word := text(tag))),
    )


def _file(link: dict[str, Any]) -> File | None:
    """Return a link that leads to a file: services and pages have links of their own."""
    address = text(link, "url") or text(link, "urlObject")
    name = text(link, "name") or text(link, "nameObject")
    return csw.linked(address, name, text(link, "protocol"), text(link, "mimeType"))
