"""OpenDataSoft (Huwise): the explore API, version 2.1."""

from datetime import datetime
from functools import partial
from typing import Any, ClassVar
from urllib.parse import quote

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals.addresses import again, ask, asked_number, before
from filon.portals.files import described
from filon.portals.question import Questioned
from filon.portals.since import Filters, stamp
from filon.portals.tolerant import number, parsed, prose, text, texts, tree, trees
from filon.portals.trouble import beginning, strange, too_long, trouble

CATALOG = "/api/explore/v2.1/catalog/"
EXPORT = "exports/json"
LIMIT = 100  # the documented most
MOST_OFFSET = 10_000  # of offset and limit together; beyond, the export has all in one answer
#: Every dataset with records can be had in these; the first is enough for most.
FORMATS = ("csv", "xlsx", "parquet")


class OpenDataSoft(Filters, Questioned):
    """A domain of OpenDataSoft: asked for one dataset, it says how many there are."""

    name = "opendatasoft"
    api, question = CATALOG, "datasets"
    asked: ClassVar = {"limit": 1}

    def fits(self, reply: Any) -> bool:
        """Say whether this is a page of the catalogue."""
        results = isinstance(tree(reply).get("results"), list)
        return results and number(reply, "total_count") is not None

    def begin(self, base: str) -> Request:
        """Ask for the first hundred."""
        return ask(f"{base}{CATALOG}datasets", limit=LIMIT, offset=0)

    def read(self, response: Response) -> Listing:
        """Read a page of the catalogue, or its export."""
        root = before(response.url, CATALOG)
        if response.ok and too_long(response) and EXPORT in response.url:
            return beginning(response, "results", partial(_dataset, root=root))
        if wrong := trouble(response):
            return wrong
        reply = parsed(response)
        if EXPORT in response.url and isinstance(reply, list):
            return Listing(datasets=_datasets(trees(reply), root), total=len(reply))
        if not isinstance(tree(reply).get("results"), list):
            return strange("an answer of the explore API")
        found, total = trees(reply, "results"), number(reply, "total_count")
        more = _more(response.url, root, len(found), total)
        return Listing(datasets=_datasets(found, root), more=more, total=total)

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for those whose `modified` is later; a publisher may have set it by hand."""
        return again(self.begin(base).url, where=f"modified>=date'{stamp(moment)}'")


def _more(url: str, root: str, found: int, total: int | None) -> Request | None:
    start = asked_number(url, "offset") + found
    if not found or (total is not None and start >= total):
        return None
    if root and total is not None and total > MOST_OFFSET:
        return ask(f"{root}{CATALOG}{EXPORT}")
    return again(url, offset=start)


def _datasets(found: list[dict[str, Any]], root: str) -> tuple[Dataset, ...]:
    return tuple(_dataset(each, root) for each in found)


def _dataset(entry: dict[str, Any], root: str) -> Dataset:
    name = text(entry, "dataset_id")
    metas = tree(entry, "metas", "default")
    title = text(metas, "title") or name
    exports = _exports(root, name) if entry.get("has_records") is not False else ()
    extra = (_attachment(each) for each in trees(entry, "attachments"))
    return Dataset(
        id=name,
        title=title,
        description=prose(metas, "description"),
        url=f"{root}/explore/dataset/{quote(name)}/",
        files=exports + tuple(file for file in extra if file),
        licence=text(metas, "license"),
        modified=text(metas, "modified"),
        publisher=text(metas, "publisher"),
        keywords=texts(metas, "keyword"),
    )


def _exports(root: str, name: str) -> tuple[File, ...]:
    where = f"{root}{CATALOG}datasets/{quote(name)}/exports/"
    files = (described(f"{where}{form}", f"{name}.{form}", form) for form in FORMATS)
    return tuple(
        File(url=f.url, name=f.name, format=f.format, mime=f.mime, again=f.format != FORMATS[0])
        for f in files
        if f
    )


def _attachment(entry: dict[str, Any]) -> File | None:
    return described(text(entry, "url"), text(entry, "title"), "", text(entry, "mimetype"))
