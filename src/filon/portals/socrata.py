"""Socrata: the discovery API, which lists the datasets of all its portals by their host."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.page.url import host, split
from filon.portals import dcat_us
from filon.portals.addresses import again, ask, asked, asked_number
from filon.portals.question import Questioned
from filon.portals.since import Filters
from filon.portals.tolerant import number, parsed, prose, text, texts, tree, trees
from filon.portals.trouble import strange, trouble

DISCOVERY = "https://api.us.socrata.com/api/catalog/v1"
VIEWS = "/api/views"
LIMIT = 1000
#: Of what has changed: mostly that is all, and a dataset takes three kilobytes.
FEW = 100
#: The API cannot filter by dates, so it is asked for the newest first.
NEWEST = "updatedAt DESC"
#: Offsets reach no further; beyond, the id of the last dataset says where to go on.
MOST_OFFSET = 10_000
_ID = re.compile(r"[a-z0-9]{4}-[a-z0-9]{4}")


class Socrata(Filters, Questioned):
    """Data & Insights of Tyler Technologies, formerly Socrata."""

    name = "socrata"
    api, asked = f"{VIEWS}.json", {"limit": 1}

    def fits(self, reply: Any) -> bool:
        """Its dataset has an id as theirs."""
        views = trees(reply) if isinstance(reply, list) else []
        return bool(views) and all(_ID.fullmatch(text(view, "id")) for view in views)

    def begin(self, base: str) -> Request:
        """Ask for the first thousand datasets of the host."""
        name = split(base).netloc
        return ask(
            DISCOVERY, domains=name, only="dataset", order="dataset_id", limit=LIMIT, offset=0
        )

    def read(self, response: Response) -> Listing:
        """Read a page of the discovery API, or the portal's own data.json in its place."""
        if not response.url.startswith(DISCOVERY):
            return dcat_us.read(response)
        name = asked(response.url, "domains")
        own = Request(url=f"https://{name}/data.json")
        wrong = trouble(response)
        reply = None if wrong else parsed(response)
        if wrong or "results" not in tree(reply):
            # The portal may be in the other region, or have left the index: it has its own list.
            why = wrong or strange("an answer of the discovery API")
            return Listing(more=own, problem=why.problem, detail=why.detail)
        found = trees(reply, "results")
        total = number(reply, "resultSetSize")
        if not found and not asked_number(response.url, "offset"):
            return Listing(more=own, total=total)
        datasets = tuple(_dataset(result, name) for result in found)
        return Listing(datasets=datasets, more=_more(response.url, datasets, total), total=total)

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for the hundred that were updated last."""
        return again(self.begin(base).url, order=NEWEST, limit=FEW)

    def changes(self, response: Response, moment: datetime) -> Listing:
        """Read a page of the newest; it goes on until one is older."""
        listing = super().changes(response, moment)
        if asked(response.url, "order") != NEWEST or not listing.more:
            return listing
        if listing.same:
            return replace(listing, more=None)
        if asked(listing.more.url, "scroll_id"):  # more than offsets reach: all, in another order
            return replace(listing, more=self.begin(f"https://{asked(response.url, 'domains')}"))
        if not listing.problem and listing.datasets:
            return replace(listing, more=again(listing.more.url, limit=LIMIT))
        return listing


def _more(url: str, datasets: tuple[Dataset, ...], total: int | None) -> Request | None:
    limit = asked_number(url, "limit", LIMIT)
    if len(datasets) < limit:
        return None
    if scroll := asked(url, "scroll_id"):
        return again(url, scroll_id=datasets[-1].id) if datasets[-1].id != scroll else None
    start = asked_number(url, "offset") + len(datasets)
    if total is not None and start >= total:
        return None
    if start + limit <= MOST_OFFSET:
        return again(url, offset=start)
    name = asked(url, "domains")
    last = datasets[-1].id
    return ask(
        DISCOVERY, domains=name, only="dataset", order="dataset_id", limit=limit, scroll_id=last
    )


def _dataset(result: dict[str, Any], name: str) -> Dataset:
    resource = tree(result, "resource")
    number_ = text(resource, "id")
    page = text(result, "permalink") or f"https://{name}/d/{number_}"
    return Dataset(
        id=number_,
        title=text(resource, "name"),
        description=prose(resource, "description"),
        url=page,
        files=(_rows(host(page) or name, number_, text(resource, "name")),),
        licence=text(result, "metadata", "license"),
        modified=text(resource, "updatedAt"),
        publisher=text(resource, "attribution") or text(result, "owner", "display_name"),
        keywords=texts(result, "classification", "domain_tags"),
    )


def _rows(name: str, number_: str, title: str) -> File:
    return File(
        url=f"https://{name}{VIEWS}/{number_}/rows.csv?accessType=DOWNLOAD",
        name=f"{title or number_}.csv",
        format="csv",
        mime="text/csv",
    )
