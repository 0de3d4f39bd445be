"""ArcGIS Hub: its DCAT-US feed, and the search API (OGC API - Records) where that fails."""

from dataclasses import replace
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals import dcat_us
from filon.portals.addresses import again, ask, asked_number, before
from filon.portals.files import described
from filon.portals.question import Questioned
from filon.portals.since import ListsAll
from filon.portals.tolerant import number, parsed, prose, text, texts, tree, trees
from filon.portals.trouble import strange, trouble

SEARCH = "/api/search/v1"
ITEMS = f"{SEARCH}/collections/dataset/items"
FEED = "/api/feed/dcat-us/1.1.json"
DOWNLOAD = "/api/download/v1/items"
LIMIT = 100
#: Layers of these kinds can be had as tables; the others are maps, apps and documents.
_LAYERS = frozenset({"feature service", "feature layer", "table", "map service"})
#: The same layer each time: one is enough.
_FORMATS = ("csv", "geojson", "kml", "zip", "gpkg", "xlsx")


class ArcgisHub(ListsAll, Questioned):
    """A site of ArcGIS Hub, under its own name or *.hub.arcgis.com."""

    name = "arcgishub"
    api = SEARCH

    def fits(self, reply: Any) -> bool:
        """It links to its own search."""
        links = " ".join(text(link, "href") for link in trees(reply, "links"))
        return SEARCH in links

    def begin(self, base: str) -> Request:
        """Ask for the feed: all in one answer."""
        return ask(f"{base}{FEED}")

    def read(self, response: Response) -> Listing:
        """Read the feed, or a page of the search."""
        if ITEMS in response.url:
            return _items(response)
        page = dcat_us.read(response)
        root = before(response.url, FEED)
        if page.problem and root:  # switched off, still being made, or too long
            return replace(page, more=ask(f"{root}{ITEMS}", limit=LIMIT, startindex=1))
        return replace(page, datasets=tuple(map(_marked, page.datasets)))


def _marked(dataset: Dataset) -> Dataset:
    """Mark the formats in which a layer is offered again."""
    first = next((file for file in dataset.files if file.format in _FORMATS), None)
    files = (
        replace(file, again=file is not first and file.format in _FORMATS) for file in dataset.files
    )
    return replace(dataset, files=tuple(files))


def _items(response: Response) -> Listing:
    if wrong := trouble(response):
        return wrong
    reply = parsed(response)
    if not isinstance(tree(reply).get("features"), list):
        return strange("a list of ArcGIS Hub's search")
    root = before(response.url, ITEMS)
    found, total = trees(reply, "features"), number(reply, "numberMatched")
    start = asked_number(response.url, "startindex", 1) + len(found)
    ends = not found or (total is not None and start > total)
    return Listing(
        datasets=tuple(_dataset(feature, root) for feature in found),
        more=None if ends else again(response.url, startindex=start),
        total=total,
    )


def _dataset(feature: dict[str, Any], root: str) -> Dataset:
    about = tree(feature, "properties")
    name = text(feature, "id") or text(about, "id")
    return Dataset(
        id=name,
        title=text(about, "title"),
        description=prose(about, "description") or prose(about, "snippet"),
        url=f"{root}/datasets/{name}",
        files=_layer(root, name) if text(about, "type").lower() in _LAYERS else _linked(about),
        licence=prose(about, "license") or prose(about, "licenseInfo"),
        modified=text(about, "modified"),
        publisher=text(about, "source") or text(about, "owner"),
        keywords=texts(about, "tags"),
    )


def _layer(root: str, name: str) -> tuple[File, ...]:
    item, _, layer = name.partition("_")
    address = f"{root}{DOWNLOAD}/{item}/csv?layers={layer or 0}"
    file = described(address, f"{name}.csv", "csv")
    return (file,) if file else ()


def _linked(about: dict[str, Any]) -> tuple[File, ...]:
    file = described(text(about, "url"), text(about, "name"))
    return (file,) if file and file.format not in ("", "html") else ()
