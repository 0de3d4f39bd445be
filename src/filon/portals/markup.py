"""schema.org Dataset and DataCatalog in a page, as JSON-LD: what dataset search engines read."""

from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.page.charset import to_utf8
from filon.page.values import read_json
from filon.portals.files import described
from filon.portals.tolerant import number, prose, text, texts, trees
from filon.portals.trouble import strange, trouble

#: Nested deeper, nothing is found that search engines would.
_DEPTH = 6


class Markup:
    """Pages that describe their datasets to search engines."""

    name = "schema.org"

    def confirm(self, root: str) -> Request:
        """Ask for the page."""
        return Request(url=root)

    def confirmed(self, response: Response) -> str:
        """Return the page's address."""
        return response.url if self.read(response).datasets else ""

    def begin(self, base: str) -> Request:
        """Ask for the page."""
        return Request(url=base)

    def read(self, response: Response) -> Listing:
        """Read all datasets that a page describes."""
        if (wrong := trouble(response)) and not response.ok:
            return wrong
        found = [each for block in blocks(response) for each in _datasets(block, _DEPTH)]
        if not found:
            return strange("a page with schema.org Dataset markup")
        return Listing(datasets=tuple(_dataset(each, response.url) for each in found))


def blocks(response: Response) -> Iterator[Any]:
    """Yield the JSON-LD of a page, block by block; those that are broken are passed over."""
    if b"ld+json" not in response.body:
        return
    page = LexborHTMLParser(to_utf8(response.body, response.header("content-type")))
    for script in page.css('script[type*="ld+json"]'):
        try:
            yield read_json(script.text(), strict=False)
        except ValueError:
            continue


def _datasets(node: Any, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(node, list):
        for each in node:
            yield from _datasets(each, depth)
    elif isinstance(node, dict) and depth:
        if "Dataset" in _kinds(node):
            yield node
            return
        for value in node.values():
            if isinstance(value, dict | list):
                yield from _datasets(value, depth - 1)


def _kinds(node: dict[str, Any]) -> set[str]:
    return {kind.rpartition("/")[2].rpartition(":")[2] for kind in texts(node, "@type")}


def _dataset(node: dict[str, Any], url: str) -> Dataset:
    page = text(node, "url") or text(node, "@id") or url
    files = (_file(share) for share in trees(node, "distribution"))
    return Dataset(
        id=text(node, "@id") or text(node, "identifier") or page,
        title=text(node, "name"),
        description=prose(node, "description"),
        url=page,
        files=tuple(file for file in files if file),
        licence=text(node, "license", "url") or text(node, "license"),
        modified=text(node, "dateModified") or text(node, "datePublished"),
        publisher=text(node, "publisher") or text(node, "creator"),
        keywords=texts(node, "keywords"),
    )


def _file(share: dict[str, Any]) -> File | None:
    address = text(share, "contentUrl") or text(share, "url")
    form = text(share, "encodingFormat") or text(share, "fileFormat")
    return described(address, text(share, "name"), form, form, number(share, "contentSize"))
