"""Dataverse: the search API, once for the datasets and once for the files."""

from datetime import datetime
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals.addresses import again, ask, asked, asked_number, before
from filon.portals.files import described
from filon.portals.question import Questioned
from filon.portals.since import stamp
from filon.portals.tolerant import number, parsed, prose, text, texts, tree, trees
from filon.portals.trouble import strange, trouble

VERSION = "/api/info/version"
SEARCH = "/api/search"
PER_PAGE = 1000  # the documented most


class Dataverse(Questioned):
    """An installation of Dataverse, or of a collection in it."""

    name = "dataverse"
    whole = False
    api = VERSION

    def fits(self, reply: Any) -> bool:
        """It tells its version."""
        return text(reply, "status") == "OK" and bool(text(reply, "data", "version"))

    def begin(self, base: str) -> Request:
        """Ask for the first thousand datasets."""
        return _search(base, "dataset", 0)

    def read(self, response: Response) -> Listing:
        """Read a page of datasets, or one of files, each as a part of its dataset."""
        if wrong := trouble(response):
            return wrong
        reply = parsed(response)
        if not isinstance(tree(reply, "data").get("items"), list):
            return strange("an answer of Dataverse's search")
        root, kind = before(response.url, SEARCH), asked(response.url, "type")
        found = trees(reply, "data", "items")
        total = number(reply, "data", "total_count")
        more = _more(response.url, len(found), total)
        if kind == "file":
            return Listing(datasets=tuple(_part(each, root) for each in found), more=more)
        return Listing(datasets=tuple(map(_dataset, found)), more=more, total=total)

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for datasets with a new major version, which every change of a file makes."""
        return again(self.begin(base).url, fq=f"dateSort:[{stamp(moment)} TO *]")

    def changes(self, response: Response, moment: datetime) -> Listing:
        """Read a page of datasets, or one of the files that were published since."""
        return self.read(response)


def _search(root: str, kind: str, start: int) -> Request:
    return ask(
        f"{root}{SEARCH}",
        q="*",
        type=kind,
        sort="name",
        order="asc",
        per_page=PER_PAGE,
        start=start,
    )


def _more(url: str, found: int, total: int | None) -> Request | None:
    start = asked_number(url, "start") + found
    if found and total is not None and start < total:
        return again(url, start=start)
    return again(url, type="file", start=0) if asked(url, "type") == "dataset" and start else None


def _dataset(item: dict[str, Any]) -> Dataset:
    name = text(item, "global_id")
    return Dataset(
        id=name or text(item, "url"),
        title=text(item, "name"),
        description=prose(item, "description"),
        url=text(item, "url"),
        modified=text(item, "updatedAt") or text(item, "published_at"),
        publisher=text(item, "publisher") or text(item, "name_of_dataverse"),
        keywords=texts(item, "keywords") or texts(item, "subjects"),
    )


def _part(item: dict[str, Any], root: str) -> Dataset:
    """Return a file as a part of its dataset."""
    file = _file(item, root)
    return Dataset(
        id=text(item, "dataset_persistent_id") or text(item, "dataset_id"),
        title=text(item, "dataset_name"),
        files=(file,) if file else (),
    )


def _file(item: dict[str, Any], root: str) -> File | None:
    address = text(item, "url") or f"{root}/api/access/datafile/{text(item, 'file_id')}"
    media = text(item, "file_content_type")
    return described(address, text(item, "name"), "", media, number(item, "size_in_bytes"))
