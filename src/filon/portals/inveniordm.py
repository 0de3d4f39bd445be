"""InvenioRDM: the records API, of which the datasets are taken. Zenodo runs it, too."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import quote

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals.addresses import again, ask, asked_number, before
from filon.portals.files import described
from filon.portals.question import Questioned
from filon.portals.since import Filters, stamp
from filon.portals.tolerant import number, parsed, prose, text, texts, tree, trees
from filon.portals.trouble import strange, trouble

RECORDS = "/api/records"
SIZE = 100
#: Some installations refuse more to those who are not signed in.
SMALL_SIZE = 25
#: The search behind it reaches no further.
WINDOW = 10_000
_DATASETS = "metadata.resource_type.id:dataset"


class InvenioRdm(Filters, Questioned):
    """A repository on InvenioRDM."""

    name = "inveniordm"
    api, asked = RECORDS, {"size": 1}

    def fits(self, reply: Any) -> bool:
        """It counts its records."""
        hits = tree(reply, "hits")
        return isinstance(hits.get("hits"), list) and number(hits, "total") is not None

    def begin(self, base: str) -> Request:
        """Ask for the first hundred datasets."""
        return ask(f"{base}{RECORDS}", q=_DATASETS, sort="oldest", size=SIZE, page=1)

    def read(self, response: Response) -> Listing:
        """Read a page of records."""
        size = asked_number(response.url, "size", SIZE)
        if response.status == 400 and size > SMALL_SIZE:
            return Listing(more=again(response.url, size=SMALL_SIZE, page=1))
        if wrong := trouble(response):
            return wrong
        reply = parsed(response)
        if not isinstance(tree(reply, "hits").get("hits"), list):
            return strange("an answer of InvenioRDM's records")
        found = trees(reply, "hits", "hits")
        total = number(reply, "hits", "total")
        root = before(response.url, RECORDS)
        kept = tuple(_dataset(hit, root) for hit in found if _is_data(hit))
        page = asked_number(response.url, "page", 1)
        if not found or page * size >= (total or 0):
            return Listing(datasets=kept, total=total)
        if (page + 1) * size > WINDOW:
            why = f"The search shows no more than {WINDOW:,} of {total:,} datasets."
            return Listing(datasets=kept, total=total, problem="query", detail=why)
        return Listing(datasets=kept, total=total, more=again(response.url, page=page + 1))

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for the datasets whose record was updated, or that have a new version."""
        query = f"{_DATASETS} AND updated:[{stamp(moment)} TO *]"
        return again(self.begin(base).url, q=query)


def _is_data(hit: dict[str, Any]) -> bool:
    kind = tree(hit, "metadata", "resource_type")
    name = text(kind, "id") or text(kind, "type")
    return name.startswith("dataset") or not name


def _dataset(hit: dict[str, Any], root: str) -> Dataset:
    name, about = text(hit, "id"), tree(hit, "metadata")
    rights = trees(about, "rights") or trees(about, "license")
    return Dataset(
        id=name,
        title=text(about, "title"),
        description=prose(about, "description"),
        url=text(hit, "links", "self_html") or f"{root}/records/{name}",
        files=tuple(_files(hit, f"{root}{RECORDS}/{name}")),
        licence=text(rights[0], "id") if rights else "",
        modified=text(hit, "updated"),
        publisher=text(about, "publisher"),
        keywords=tuple(word for each in trees(about, "subjects") if (word := text(each, "subject")))
        or texts(about, "keywords"),
    )


def _files(hit: dict[str, Any], record: str) -> Iterator[File]:
    """Yield the files that a hit names; where it only counts them, the archive of them all."""
    files = hit.get("files")
    entries = at_entries(files)
    for entry in entries:
        key = text(entry, "key")
        address = f"{record}/files/{quote(key)}/content" if key else ""
        media = text(entry, "mimetype")
        file = described(address, key, "", media, number(entry, "size"))
        if file:
            yield file
    if not entries and number(files, "count"):
        archive = described(f"{record}/files-archive", "files.zip", "zip")
        if archive:
            yield archive


def at_entries(files: Any) -> list[dict[str, Any]]:
    """Return the entries of a record's files: a list, a list in an object, or an object by name."""
    if isinstance(files, list):
        return trees(files)
    entries = tree(files).get("entries")
    if isinstance(entries, dict):
        return [{"key": key} | entry for key, entry in entries.items() if isinstance(entry, dict)]
    return trees(entries)
