"""What a page says of the files it links to: the link's words, the headings above, the licence.

One pass over a page tells it for all its links. Everything is bounded, and every text is one
line that can be stored anywhere: pages are other people's.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.page.base import Base
from filon.page.links import (
    MAX_BODY,
    MAX_LINKS,
    MAX_TEXT,
    base_of,
    href_of,
    readable,
    target_of,
    text_of,
)
from filon.page.readable import speaks
from filon.page.url import key
from filon.page.values import one_line, read_json

#: Of a heading; a page's title may be twice as long.
MAX_HEADING = 120
#: Of all headings above a link together.
MAX_HEADINGS = 400
#: Of an address or a name of a licence.
MAX_LICENCE = 300
#: How far up what belongs to a link is looked for.
MAX_CLIMB = 6
#: How many elements beside it or within it are looked at: a row may have a thousand cells.
MAX_NEAR = 60
#: Blocks of JSON-LD and how deep they are read: nested deeper, nobody else finds anything either.
MAX_BLOCKS, MAX_DEPTH = 20, 6

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SOURCES = ",".join(("a[href]", "area[href]", "iframe[src]", "base[href]", *_HEADINGS))
#: What holds one thing and its links, and where such a thing surely ends.
_ITEMS = frozenset({"li", "tr", "dd", "figure", "div"})
_LISTS = frozenset({"ul", "ol", "dl", "table", "tbody", "section", "main", "body", "html", "nav"})
#: One of these is in every page that tells a licence. A regular expression takes 20 times as long.
_TELLS_LICENCE = (b"icen", b"ICEN", b"publicdomain", b"dl-de")
_LICENCES = (
    "creativecommons.org/licenses/",
    "creativecommons.org/publicdomain/",
    "opendatacommons.org/licenses/",
    "nationalarchives.gov.uk/doc/open-government-licence",
    "etalab.gouv.fr/licence",
    "govdata.de/dl-de/",
)
_MARKED = (
    '[rel~="license"]',
    '[itemprop~="license"]',
    '[property$=":license"],[property="license"],[property$="/license"],[rel$=":license"]',
)
_META = re.compile(r"(?:dc|dct|dcterms)[.:](?:license|rights(?:\.license)?)", re.IGNORECASE)
_DEED = re.compile(r"^https?://(?:www\.)?|/?(?:deed|legalcode)(?:[._][\w-]*)?/?$|/+$")


class LinkContext(NamedTuple):
    """What stands at a link and round it.

    text: the link's own words. headings: those above it, the outermost first, " > " between them.
    around: what the row or item that holds it says, where its own words say nothing.
    licence: where the page tells one of this very file.
    """

    text: str = ""
    headings: str = ""
    around: str = ""
    licence: str = ""


NOWHERE = LinkContext()


class PageContext:
    """The title of a page, the licence it tells, and its links.

    >>> page = PageContext(b"<title>Figures</title><h2>People</h2><a href=1.csv>By region</a>",
    ...                    "http://a.org/")
    >>> page.title, page.link("http://a.org/1.csv")[:2]
    ('Figures', ('By region', 'People'))
    """

    def __init__(self, body: bytes, url: str, content_type: str = "") -> None:
        body = readable(body[:MAX_BODY], content_type)
        document = LexborHTMLParser(body)
        nodes = document.css(_SOURCES)[:MAX_LINKS]
        base = Base(base_of(nodes, url))
        title = document.css_first("title")
        self.title = one_line(title.text(), MAX_TEXT) if title else ""
        self.licence, self._of_files = "", dict[str, str]()
        if any(part in body for part in _TELLS_LICENCE):
            described = list(_described(document, base))
            self._of_files = {file: licence for file, licence in described if file}
            self.licence = _licence(document, base, [licence for _, licence in described])
        self._links = _links(nodes, base)
        self._by_key: dict[str, str] | None = None

    def __len__(self) -> int:
        return len(self._links)

    def link(self, *urls: str) -> LinkContext:
        """Return what stands at the first link to one of these addresses; else nothing."""
        found = next((self._links[url] for url in urls if url in self._links), None)
        if found is None:
            found = next(filter(None, map(self._alike, urls)), NOWHERE)
        licence = next((self._of_files[url] for url in urls if url in self._of_files), "")
        return found._replace(licence=licence or self.licence)

    def _alike(self, url: str) -> LinkContext | None:
        """Return the link whose address names the same page in another spelling."""
        if self._by_key is None:
            self._by_key = {key(link): link for link in self._links}
        same = self._by_key.get(key(url))
        return self._links[same] if same else None


def _links(nodes: list[LexborNode], base: Base) -> dict[str, LinkContext]:
    above: list[tuple[str, str]] = []
    headings = ""
    found: dict[str, LinkContext] = {}
    items: dict[int, str] = {}
    for node in nodes:
        tag = node.tag or ""
        if tag in _HEADINGS:
            if text := one_line(text_of(node), MAX_HEADING):
                above = [one for one in above if one[0] < tag] + [(tag, text)]
                headings = " > ".join(text for _, text in above)[-MAX_HEADINGS:]
            continue
        href = href_of(tag, node.attributes)
        target = target_of(base, href) if href else ""
        known = found.get(target)
        # A picture, or "CSV", may stand before the words that say what it is.
        if not target or (known and speaks(known.text)):
            continue
        text = _words(node)
        if known is None or speaks(text):
            around = "" if speaks(text) else _around(node, items)
            found[target] = LinkContext(text, headings, around)
    return found


def _words(node: LexborNode) -> str:
    """Return what a link says, or what is said of it where it shows no words."""
    text = text_of(node)
    if not text:
        attributes = node.attributes
        named = [attributes.get(name) for name in ("aria-label", "title", "alt")]
        within = islice(node.traverse(), MAX_NEAR)
        named += [inner.attributes.get("alt") for inner in within if inner.tag == "img"]
        text = next(filter(None, named), "")
    return one_line(text, MAX_TEXT)


def _around(node: LexborNode, items: dict[int, str]) -> str:
    """Return what the row, the item or the term says that a link belongs to.

    items: what was worked out already, by element: a row may hold a thousand links.
    """
    parent = node.parent
    for _ in range(MAX_CLIMB):
        if parent is None or parent.tag in _LISTS:
            return ""
        if parent.tag in _ITEMS:
            number = parent.mem_id
            if number not in items:
                items[number] = _item(parent)
            if speaks(items[number]):
                return items[number]
        parent = parent.parent
    return ""


def _item(node: LexborNode) -> str:
    """Return what one item says: of a row its first telling cell, of a definition the term.

    What is long is not the link's own: a division, or the menu in a table that lays out a page.
    """
    if node.tag == "tr":
        cells = (text_of(cell) for cell in _near(node.first_child, "next"))
        text = next(filter(speaks, cells), "")
    elif node.tag == "dd":
        terms = (text_of(term) for term in _near(node.prev, "prev") if term.tag == "dt")
        text = next(terms, "")
    else:
        text = text_of(node)
    is_own = node.tag == "li" or len(text) < MAX_HEADING
    return one_line(text, MAX_TEXT) if is_own else ""


def _near(node: LexborNode | None, way: str) -> Iterator[LexborNode]:
    """Yield an element and those beside it, one after the other, as far as a reader's eye goes."""
    for _ in range(MAX_NEAR):
        if node is None:
            return
        if not node.is_text_node:
            yield node
        node = getattr(node, way)


# Licences.


def _licence(document: LexborHTMLParser, base: Base, described: list[str]) -> str:
    """Return the one licence that a page tells, by the plainest mark; "" where it tells several."""
    marks = [_marked(document, selector, base) for selector in _MARKED]
    marks += [described, _meta(document), _linked(document, base)]
    for found in marks:
        licences = {_DEED.sub("", licence): licence for licence in reversed(found) if licence}
        if licences:
            return next(iter(licences.values())) if len(licences) == 1 else ""
    return ""


def _marked(document: LexborHTMLParser, selector: str, base: Base) -> list[str]:
    found = []
    for node in document.css(selector)[:MAX_TEXT]:
        attributes = node.attributes
        address = attributes.get("href") or attributes.get("resource") or ""
        text = target_of(base, address) if address else attributes.get("content") or text_of(node)
        found.append(one_line(text, MAX_LICENCE))
    return found


def _meta(document: LexborHTMLParser) -> list[str]:
    found = []
    for node in document.css("meta[name][content]"):
        name, content = node.attributes.get("name") or "", node.attributes.get("content") or ""
        rights = "license" not in name.lower()
        if _META.fullmatch(name.strip()) and not (rights and "licen" not in content.lower()):
            found.append(one_line(content, MAX_LICENCE))
    return found


def _linked(document: LexborHTMLParser, base: Base) -> list[str]:
    """Return the well-known licences that a page links to."""
    selector = ",".join(f'a[href*="{part}"]' for part in _LICENCES)
    hrefs = (node.attributes.get("href") or "" for node in document.css(selector)[:MAX_TEXT])
    return [one_line(target_of(base, href), MAX_LICENCE) for href in hrefs]


def _described(document: LexborHTMLParser, base: Base) -> Iterator[tuple[str, str]]:
    """Yield files and their licences, as schema.org says them; of the page: under ""."""
    for script in document.css('script[type*="ld+json"]')[:MAX_BLOCKS]:
        try:
            data = read_json(script.text(), strict=False)
        except ValueError:
            continue
        for address, licence in _walk(data, "", MAX_DEPTH):
            yield target_of(base, address) if address else "", licence


def _walk(data: Any, licence: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(data, list):
        for one in data:
            yield from _walk(one, licence, depth)
    elif isinstance(data, dict) and depth:
        if own := _said(data.get("license")):
            licence = own
            yield "", licence
        address = data.get("contentUrl")
        if licence and isinstance(address, str):
            yield address, licence
        for name, value in data.items():
            if name != "license" and isinstance(value, dict | list):
                yield from _walk(value, licence, depth - 1)


def _said(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("url") or value.get("@id") or value.get("name")
    return one_line(value, MAX_LICENCE) if isinstance(value, str) else ""
