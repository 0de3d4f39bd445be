"""CSW 2.0.2, the catalogue service of the OGC: GeoNetwork, pycsw, GeoNode and others speak it."""

from collections.abc import Iterator
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.page.url import parse
from filon.portals.addresses import ask, asked_number
from filon.portals.files import described
from filon.portals.tolerant import local, number, texts_of, xml
from filon.portals.trouble import strange, trouble

#: Servers answer with fewer where they have a bound of their own, and say where to go on.
MOST = 500
#: Records of these kinds are no datasets: they describe where datasets are served.
_NO_DATA = frozenset({"service", "application", "map"})
#: Protocols of services that look like downloads by their address.
_SERVICES = ("OGC:", "ESRI:", "WWW:LINK")


class Csw:
    """A catalogue service. Its root is the address of the service itself."""

    name = "csw"

    def confirm(self, root: str) -> Request:
        """Ask what it can."""
        known = root.rpartition("/")[2].lower().startswith(("csw", "pycsw"))
        return _ask(root if known else f"{root}/csw", request="GetCapabilities")

    def confirmed(self, response: Response) -> str:
        """Return the address of the service."""
        root = None if trouble(response) else xml(response)
        fits = root is not None and local(root) == "Capabilities" and "csw" in str(root.tag)
        return response.url.partition("?")[0] if fits else ""

    def begin(self, base: str) -> Request:
        """Ask for the first records."""
        return records(base)

    def read(self, response: Response) -> Listing:
        """Read a page of records."""
        return read(response)


def records(base: str, start: int = 1) -> Request:
    """Return the request for records from a place on."""
    return _ask(
        base,
        request="GetRecords",
        typeNames="csw:Record",
        elementSetName="full",
        resultType="results",
        outputSchema="http://www.opengis.net/cat/csw/2.0.2",
        maxRecords=MOST,
        startPosition=start,
    )


def _ask(base: str, **parameters: object) -> Request:
    request = ask(base.partition("?")[0], service="CSW", version="2.0.2", **parameters)
    return Request(url=request.url)


def read(response: Response) -> Listing:
    """Read a page of GetRecords."""
    if wrong := trouble(response):
        return wrong
    root = xml(response)
    if root is None or local(root) not in ("GetRecordsResponse", "ExceptionReport"):
        return strange("an answer of a CSW")
    if local(root) == "ExceptionReport":
        return Listing(
            problem="query", detail=next(iter(texts_of(root, "ExceptionText")), "refused")
        )
    results = next((part for part in root.iter() if local(part) == "SearchResults"), None)
    if results is None:
        return strange("a list of records")
    found = [part for part in results if local(part).endswith("Record")]
    kept = [each for each in found if not _NO_DATA & set(map(str.lower, texts_of(each, "type")))]
    total = number(results.get("numberOfRecordsMatched"))
    next_ = number(results.get("nextRecord")) or 0
    onward = found and next_ > asked_number(response.url, "startPosition", 1)
    within = total is None or next_ <= total
    return Listing(
        datasets=tuple(_dataset(each) for each in kept),
        more=records(response.url, next_) if onward and within else None,
        total=total,
    )


def _dataset(record: Any) -> Dataset:
    def first(name: str) -> str:
        return next(iter(texts_of(record, name)), "")

    files = dict.fromkeys(_files(record))
    known = {file.url for file in files}
    pages = (place for link, _, _ in _links(record) if (place := parse(link)) not in ("", *known))
    return Dataset(
        id=first("identifier"),
        title=first("title"),
        description=first("abstract") or first("description"),
        url=next(pages, ""),
        files=tuple(files),
        licence=first("rights") or first("accessRights"),
        modified=first("modified") or first("date"),
        publisher=first("publisher") or first("creator"),
        keywords=tuple(dict.fromkeys(texts_of(record, "subject"))),
    )


def _links(record: Any) -> Iterator[tuple[str, str, str]]:
    """Yield address, name and protocol of each link of a record."""
    for part in record:
        if local(part) in ("URI", "references", "source", "relation"):
            address = (part.text or "").strip()
            yield address, part.get("name") or "", part.get("protocol") or part.get("scheme") or ""


def _files(record: Any) -> Iterator[File]:
    for address, name, protocol in _links(record):
        if file := linked(address, name, protocol):
            yield file


def linked(address: str, name: str, protocol: str, mime: str = "") -> File | None:
    """Return the file that a link of a record leads to; None for services and pages.

    >>> linked("http://a.org/get/3", "roads.zip", "WWW:DOWNLOAD-1.0-http--download").format
    'zip'
    >>> linked("http://a.org/wms?service=WMS", "roads", "OGC:WMS")
    """
    file = described(address, name, "", mime)
    if file is None or "service=" in address.lower():
        return None
    if "DOWNLOAD" in protocol.upper():
        return file if file.format != "html" else None
    if protocol.upper().startswith(_SERVICES) and not parse(address).endswith(f".{file.format}"):
        return None
    return file if file.format not in ("", "html") else None
