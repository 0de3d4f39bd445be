"""CKAN: the action API, version 3.

Its datasets are read as those of any portal; and answers of it that are met on the way, whatever
they were asked for, are read for the addresses of what they list.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.page.dates import dated
from filon.page.url import origin
from filon.portals.addresses import again, ask, asked_number, before
from filon.portals.files import described
from filon.portals.question import Questioned
from filon.portals.since import Filters, stamp
from filon.portals.tolerant import number, parsed, prose, text, tree, trees
from filon.portals.trouble import strange, too_long, trouble

ACTION = "/api/3/action/"
#: The documented upper bound; a portal may set a lower one and then answers with fewer.
ROWS = 1000
#: With datasets of hundreds of files, so few are asked for after an answer was too long.
FEW_ROWS = 100
#: What was done to datasets of late, the newest first; so many are the documented most. Deletions
#: are told nowhere else, and here only where the extension for it is switched on.
ACTIVITY = "recently_changed_packages_activity_list"
MOST_ACTIVITIES = 100
#: What a page of a CKAN says of itself, near its beginning.
_HOME = re.compile(rb"<meta[^>]+generator[^>]+\bckan\b", re.IGNORECASE)


class Ckan(Filters, Questioned):
    """CKAN 2.x, and what answers like it."""

    name = "ckan"
    api, question = ACTION, "status_show"

    def fits(self, reply: Any) -> bool:
        """It tells its status."""
        return _succeeded(reply) and bool(tree(reply, "result"))

    def begin(self, base: str) -> Request:
        """Ask for the first thousand, in an order that does not change under way."""
        return ask(f"{base}{ACTION}package_search", rows=ROWS, start=0, sort="name asc")

    def read(self, response: Response) -> Listing:
        """Read a page of package_search."""
        rows = asked_number(response.url, "rows", ROWS)
        if response.ok and too_long(response) and rows > FEW_ROWS:
            return Listing(more=again(response.url, rows=FEW_ROWS))
        if wrong := trouble(response):
            return wrong
        reply = parsed(response)
        if not _succeeded(reply) or "results" not in tree(reply, "result"):
            return strange("an answer of CKAN's package_search")
        root = before(response.url, ACTION)
        found = trees(reply, "result", "results")
        total = number(reply, "result", "count")
        start = asked_number(response.url, "start") + len(found)
        ends = not found or (total is not None and start >= total)
        return Listing(
            datasets=tuple(_dataset(package, root) for package in found),
            more=None if ends else again(response.url, start=start),
            total=total,
        )

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for those of which metadata or resources were modified.

        By name as well: what changes under way is one more then, and none is missed.
        """
        return again(self.begin(base).url, fq=f"metadata_modified:[{stamp(moment)} TO *]")

    def changes(self, response: Response, moment: datetime) -> Listing:
        """Read a page of package_search, or what is said of deletions."""
        root = before(response.url, ACTION)
        if f"{ACTION}{ACTIVITY}" in response.url:
            return Listing(gone=_deleted(response, moment, root))
        listing = super().changes(response, moment)
        if listing.problem or not root or asked_number(response.url, "start"):
            return listing
        return replace(listing, also=(ask(f"{root}{ACTION}{ACTIVITY}", limit=MOST_ACTIVITIES),))


def _deleted(response: Response, moment: datetime, root: str) -> tuple[str, ...]:
    """Return ids and pages of datasets of which the last thing that was done is to delete them."""
    last: dict[str, tuple[bool, str]] = {}
    for activity in trees(parsed(response), "result") if response.ok else ():
        span, kind = dated(text(activity, "timestamp")), text(activity, "activity_type")
        if span and span.last >= moment:
            name = text(activity, "data", "package", "name")
            is_deleted = kind == "deleted package"
            last.setdefault(text(activity, "object_id"), (is_deleted, name))
    gone = [(id_, name) for id_, (is_deleted, name) in last.items() if is_deleted and id_]
    pages = (f"{root}/dataset/{name}" for _, name in gone if name)
    return (*(id_ for id_, _ in gone), *pages)


def _succeeded(reply: Any) -> bool:
    return tree(reply).get("success") is True


def api_of(body: bytes, url: str) -> str:
    """Return the address of the action API that a page or answer belongs to; "" if it is not CKAN.

    >>> api_of(b'{"help": "http://a.org/api/3/action/help_show?name=x", "success": true}',
    ...        "http://a.org/api/3/action/package_list")
    'http://a.org/api/3/action/'
    """
    if ACTION in url and b'"success"' in body[:4096]:
        return url.partition(ACTION)[0] + ACTION
    if _HOME.search(body[:16_384]):
        return origin(url) + ACTION
    return ""


def page_of(api: str, start: int) -> str:
    """Return the address of a page of all packages, as many as every CKAN grants.

    >>> page_of("http://a.org/api/3/action/", 200)
    'http://a.org/api/3/action/package_search?rows=100&start=200'
    """
    return f"{api}package_search?rows={FEW_ROWS}&start={start}"


@dataclass(frozen=True, slots=True)
class Packages:
    """What an answer of the action API lists.

    resources: addresses with what the catalogue calls their format.
    count: how many packages the search has in all; None where the answer is not a search.
    packages: how many are listed here.
    """

    resources: tuple[tuple[str, str], ...]
    count: int | None
    packages: int


def packages(response: Response) -> Packages | None:
    """Return the resources that an answer lists; None where it is not an answer of the API."""
    reply = parsed(response)
    if not _succeeded(reply):
        return None
    count = tree(reply, "result").get("count")
    listed = _listed(reply.get("result"))
    return Packages(
        tuple(found for one in listed for found in _resources(one)),
        count if isinstance(count, int) else None,
        len(listed),
    )


def _listed(result: Any) -> list[dict[str, Any]]:
    """Return the packages of a search, of a list with resources, or the one that is shown."""
    if isinstance(result, dict):
        inner = result.get("results")
        result = inner if isinstance(inner, list) else [result]
    if not isinstance(result, list):
        return []
    return [
        one for one in result if isinstance(one, dict) and isinstance(one.get("resources"), list)
    ]


def _resources(package: dict[str, Any]) -> list[tuple[str, str]]:
    found = []
    for one in package["resources"]:
        if isinstance(one, dict) and str(one.get("url", "")).startswith(("http://", "https://")):
            words = (one.get("mimetype"), one.get("format"))
            found.append((one["url"], next((str(word) for word in words if word), "")))
    return found


def _dataset(package: dict[str, Any], root: str) -> Dataset:
    name = text(package, "name") or text(package, "id")
    files = (_file(resource) for resource in trees(package, "resources"))
    return Dataset(
        id=text(package, "id") or name,
        title=text(package, "title") or name,
        description=prose(package, "notes"),
        url=f"{root}/dataset/{name}",
        files=tuple(file for file in files if file),
        licence=text(package, "license_title") or text(package, "license_id"),
        modified=text(package, "metadata_modified"),
        publisher=text(package, "organization", "title") or text(package, "author"),
        keywords=tuple(word for tag in trees(package, "tags") if (word := text(tag))),
    )


def _file(resource: dict[str, Any]) -> File | None:
    return described(
        text(resource, "url"),
        text(resource, "name"),
        text(resource, "format"),
        text(resource, "mimetype"),
        number(resource, "size"),
    )
