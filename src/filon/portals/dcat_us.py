"""DCAT-US 1.1, Project Open Data: one JSON document, data.json, that lists a whole catalogue."""

from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals.addresses import JSON
from filon.portals.files import described
from filon.portals.since import ListsAll
from filon.portals.tolerant import number, parsed, prose, text, texts, tree, trees
from filon.portals.trouble import beginning, strange, too_long, trouble

PATH = "/data.json"
_DISTRIBUTION = ("dcat:distribution", "distribution")


class DcatUs(ListsAll):
    """A data.json, whatever software writes it."""

    name = "dcat-us"

    def confirm(self, root: str) -> Request:
        """Ask for the catalogue itself."""
        known = root.endswith(".json")
        return Request(url=root if known else f"{root}{PATH}", headers=JSON)

    def confirmed(self, response: Response) -> str:
        """Return the address of the catalogue."""
        page = read(response)
        return response.url if page.datasets or not page.problem else ""

    def begin(self, base: str) -> Request:
        """Ask for the catalogue."""
        return Request(url=base, headers=JSON)

    def read(self, response: Response) -> Listing:
        """Read the catalogue."""
        return read(response)


def read(response: Response) -> Listing:
    """Read a data.json; of one that did not come whole, the datasets that did."""
    if response.ok and too_long(response):
        return beginning(response, "dataset", dataset)
    if wrong := trouble(response):
        return wrong
    reply = parsed(response)
    if not isinstance(reply, list) and not isinstance(tree(reply).get("dataset"), list):
        return strange("a data.json of DCAT-US")
    found = trees(reply if isinstance(reply, list) else reply["dataset"])
    if isinstance(reply, list) and not all(
        "distribution" in each or "title" in each for each in found
    ):
        return strange("a data.json of DCAT-US")
    return Listing(datasets=tuple(map(dataset, found)), total=len(found))


def dataset(entry: dict[str, Any]) -> Dataset:
    """Return a dataset as DCAT-US describes it."""
    page = text(entry, "landingPage")
    shares = [share for name in _DISTRIBUTION for share in trees(entry, name)]
    files = (_file(share) for share in shares)
    return Dataset(
        id=text(entry, "identifier") or page or text(entry, "title"),
        title=text(entry, "title"),
        description=prose(entry, "description"),
        url=page,
        files=tuple(file for file in files if file),
        licence=text(entry, "license"),
        modified=text(entry, "modified"),
        publisher=text(entry, "publisher"),
        keywords=texts(entry, "keyword"),
    )


def _file(share: dict[str, Any]) -> File | None:
    """Return what a distribution offers: a download; where there is none, what looks like one."""
    media, form = text(share, "mediaType"), text(share, "format")
    size = number(share, "byteSize")
    title = text(share, "title")
    if address := text(share, "downloadURL"):
        return described(address, title, form, media, size)
    file = described(text(share, "accessURL"), title, form, media, size)
    return file if file and file.format not in ("", "html") else None
