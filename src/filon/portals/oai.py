"""OAI-PMH 2.0: what repositories tell harvesters; of their records the datasets are taken."""

from datetime import UTC, datetime
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.page.url import parse
from filon.portals.addresses import again, asked
from filon.portals.files import described
from filon.portals.since import Filters
from filon.portals.tolerant import local, number, texts_of, xml
from filon.portals.trouble import strange, trouble

#: The one format that every repository must know.
PREFIX = "oai_dc"
_PROBLEMS = {"badResumptionToken": "query", "cannotDisseminateFormat": "query"}


class OaiPmh(Filters):
    """A repository that can be harvested. Its root is the address that takes the verbs."""

    name = "oai-pmh"

    def confirm(self, root: str) -> Request:
        """Ask who it is."""
        known = "oai" in root.partition("://")[2].partition("/")[2].lower()
        return _ask(root if known else f"{root}/oai", verb="Identify")

    def confirmed(self, response: Response) -> str:
        """Return the address that takes the verbs."""
        root = None if trouble(response) else xml(response)
        fits = root is not None and local(root) == "OAI-PMH" and texts_of(root, "protocolVersion")
        return _base(response.url) if fits else ""

    def begin(self, base: str) -> Request:
        """Ask for the first records; how many that is, the repository decides."""
        return _ask(base, verb="ListRecords", metadataPrefix=PREFIX)

    def read(self, response: Response) -> Listing:
        """Read a list of records, in Dublin Core or DataCite."""
        if wrong := trouble(response):
            return wrong
        root = xml(response)
        if root is None or local(root) != "OAI-PMH":
            return strange("an answer of OAI-PMH")
        for error in (part for part in root if local(part) == "error"):
            code = error.get("code") or ""
            if code == "noRecordsMatch":
                return Listing(total=0)
            if code == "badArgument" and asked(response.url, "from"):  # it knows no dates
                return Listing(more=self.begin(_base(response.url)))
            if code == "badArgument" and _is_bare(response.url):
                return Listing(more=_ask(response.url, metadataPrefix=PREFIX))
            return Listing(
                problem=_PROBLEMS.get(code, "schema"), detail=f"{code}: {error.text or ''}"
            )
        found = [part for part in root.iter() if local(part) == "record"]
        token = next((part for part in root.iter() if local(part) == "resumptionToken"), None)
        datasets = tuple(_dataset(each) for each in found if _is_data(each))
        gone = tuple(name for each in found if _is_deleted(each) for name in _names(each)[:1])
        more, total = _more(response.url, token), _total(token)
        return Listing(datasets=datasets, more=more, total=total, gone=gone)

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for the records since a day: seconds are not known to every repository."""
        day = f"{moment.astimezone(UTC):%Y-%m-%d}"
        return _ask(base, verb="ListRecords", metadataPrefix=PREFIX, **{"from": day})


def _ask(base: str, **parameters: str) -> Request:
    """Return a request; the base may have parameters of its own, as pycsw's has."""
    return Request(url=again(base, **parameters).url)


def _base(url: str) -> str:
    own = ("verb", "metadataPrefix", "resumptionToken", "from")
    path, _, query = url.partition("?")
    others = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in own]
    return f"{path}?{'&'.join(others)}" if others else path


def _more(url: str, token: Any) -> Request | None:
    value = (token.text or "").strip() if token is not None else ""
    if not value:
        return None
    # The token stands alone, says the standard; pycsw wants the format as well, and says so once.
    both = asked(url, "resumptionToken") and asked(url, "metadataPrefix")
    prefix = {"metadataPrefix": PREFIX} if both else {}
    return _ask(_base(url), verb="ListRecords", resumptionToken=value, **prefix)


def _is_bare(url: str) -> bool:
    return bool(asked(url, "resumptionToken")) and not asked(url, "metadataPrefix")


def _total(token: Any) -> int | None:
    """Return how many records there are, publications among them."""
    return number(token.get("completeListSize")) if token is not None else None


def _is_deleted(record: Any) -> bool:
    header = next((part for part in record if local(part) == "header"), None)
    return header is not None and header.get("status") == "deleted"


def _names(record: Any) -> list[str]:
    """Return a record's name in its repository, and then what else identifies it."""
    return texts_of(record, "identifier")


def _is_data(record: Any) -> bool:
    if _is_deleted(record):
        return False
    general = [
        part.get("resourceTypeGeneral") or ""
        for part in record.iter()
        if local(part) == "resourceType"
    ]
    kinds = [name.lower() for name in (*texts_of(record, "type"), *general) if name]
    return not kinds or any("dataset" in kind or kind.endswith("data") for kind in kinds)


def _dataset(record: Any) -> Dataset:
    header = next(part for part in record.iter() if local(part) == "header")
    body = [part for part in record if local(part) != "header"]

    def all_of(name: str) -> list[str]:
        return [value for part in body for value in texts_of(part, name)]

    def first(name: str) -> str:
        return next(iter(all_of(name)), "")

    places = [value for value in (*all_of("identifier"), *all_of("relation")) if parse(value)]
    files = [file for place in places if (file := _file(place))]
    pages = [place for place in places if not _file(place)]
    return Dataset(
        id=next(iter(texts_of(header, "identifier")), first("identifier")),
        title=first("title"),
        description=first("description"),
        url=next(iter(pages), ""),
        files=tuple(dict.fromkeys(files)),
        licence=first("rights"),
        modified=next(iter(texts_of(header, "datestamp")), ""),
        publisher=first("publisher"),
        keywords=tuple(dict.fromkeys(all_of("subject"))),
    )


def _file(place: str) -> File | None:
    """Return an address that names a file; a record's own page is none."""
    file = described(place)
    return file if file and file.format not in ("", "html") else None
