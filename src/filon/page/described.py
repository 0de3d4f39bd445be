"""Data that a page names to machines alone: schema.org in JSON-LD, and `contentUrl` in microdata.

Portals whose pages are put together by scripts link to their files nowhere else. Everything is
bounded, and what is broken names nothing: pages are other people's.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.page import formats
from filon.page.values import one_line, read_json

#: Of a page: blocks of JSON-LD, how deep they are read (of lists, too), how much is looked at, and
#: how many addresses are taken. A catalogue in one page may hold thousands.
MAX_BLOCKS, MAX_DEPTH, MAX_NODES, MAX_DESCRIBED = 50, 16, 200_000, 10_000
#: Of a name.
MAX_NAME = 200
#: How far up what an element belongs to is looked for.
MAX_CLIMB = 20

#: What is read.
_FILES = frozenset({"DataDownload", "Dataset", "DataFeed"})
_KINDS = _FILES | {"DataCatalog"}
#: What stands in every page that has it: one look at the bytes of most pages is enough.
_VOCABULARY, _MARKED = b"schema.org", b"contentUrl"
_BEGIN, _BYTES = b"Data", tuple(kind.encode() for kind in sorted(_KINDS))
#: What a thing without a type is by the property that it is the value of.
_BY_PROPERTY = {"distribution": "DataDownload", "dataset": "Dataset"}
#: What describes no data of the page: the meaning of words, and what refers to the thing.
_PASSED_OVER = frozenset({"@context", "@reverse"})
#: A thing of which nothing is said, in microdata.
_THING = "thing"
_COMMA = re.compile(r",(\s*[\]}])")


class Described(NamedTuple):
    """An address that a description names.

    path: where it stands, as a tag path: /ld+json/DataDownload/contentUrl.
    text: what the thing is called. hint: its media type, or "download", as of a `Link`.
    """

    address: str
    path: str
    text: str
    hint: str


def described(document: LexborHTMLParser, page: bytes) -> list[Described]:
    """Return what a page describes.

    page: its bytes, in UTF-8; a look at them shows of most pages that there is nothing.

    >>> page = b'''<script type="application/ld+json">{"@context": "https://schema.org",
    ... "@type": "Dataset", "name": "Rain", "distribution": {"contentUrl": "/r.csv",
    ... "encodingFormat": "CSV"}}</script>'''
    >>> one, = described(LexborHTMLParser(page), page)
    >>> one.address, one.text, one.path, one.hint
    ('/r.csv', 'Rain', '/ld+json/DataDownload/contentUrl', 'text/csv')
    """
    found = list[Described]()
    if _VOCABULARY not in page:
        return found
    if _BEGIN in page and b"ld+json" in page and any(kind in page for kind in _BYTES):
        found += islice(_of_scripts(document), MAX_DESCRIBED)
    if _MARKED in page and b"itemprop" in page:
        found += _of_microdata(document)
    return found[:MAX_DESCRIBED]


# JSON-LD.


def _of_scripts(document: LexborHTMLParser) -> Iterator[Described]:
    scripts = document.css('script[type*="ld+json"]')[:MAX_BLOCKS]
    blocks = [_read(script.text()) for script in scripts]
    for node, kind, name in islice(_things(blocks), MAX_NODES):
        if kind:
            yield from _addresses(node, kind, name)


def _read(text: str) -> Any:
    """Return what a block holds; None where it cannot be read, even without stray commas."""
    for each in (text, _COMMA.sub(r"\1", text)):
        try:
            return read_json(each, strict=False)
        except ValueError:
            continue
    return None


def _things(blocks: list[Any]) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield the objects of JSON-LD in order, with their kind, if they are data, and their name."""
    waiting: list[tuple[Any, str, str, int]] = [(blocks, "", "", 0)]
    while waiting:
        value, within, name, depth = waiting.pop()
        inner: list[tuple[str, Any]] = []
        if isinstance(value, list):
            inner = [(within, each) for each in value[:MAX_NODES]]
        elif isinstance(value, dict):
            value = {_last(key): each for key, each in value.items()}
            kind = _kind(value, within)
            name = next(_texts(value.get("name")), name)
            yield value, kind, name
            inner = [(key, each) for key, each in value.items() if key not in _PASSED_OVER]
        if depth < MAX_DEPTH:
            waiting += [
                (each, key, name, depth + 1)
                for key, each in reversed(inner)
                if isinstance(each, dict | list)
            ]


def _kind(node: dict[str, Any], within: str) -> str:
    """Return which kind of data a thing is; "": it is none."""
    types = [_last(each) for each in _texts(node.get("@type"))]
    return next((each for each in types if each in _KINDS), _BY_PROPERTY.get(within, ""))


def _last(name: str) -> str:
    """Return a name without its vocabulary: "schema:url" and "https://schema.org/url" are "url"."""
    return name.rpartition("/")[2].rpartition(":")[2]


def _addresses(node: dict[str, Any], kind: str, name: str) -> Iterator[Described]:
    text = one_line(name, MAX_NAME)
    files = list(_texts(node.get("contentUrl"))) if kind in _FILES else []
    for address in files:
        yield Described(_written(address), f"/ld+json/{kind}/contentUrl", text, _hint(node))
    if kind == "DataDownload" and files:
        return  # its `url` is the page that it stands on
    for address in _texts(node.get("url")):
        yield Described(_written(address), f"/ld+json/{kind}/url", text, "")


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts that a property has: one, or several, or as things."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            each = each.get("@id") or each.get("@value") or each.get("url")
        if isinstance(each, str) and each.strip():
            yield each.strip()


def _written(address: str) -> str:
    """Return an address as it is meant: some write JSON as if it were HTML."""
    return address.replace("&amp;", "&")


def _hint(node: dict[str, Any]) -> str:
    told = [*_texts(node.get("encodingFormat")), *_texts(node.get("fileFormat"))]
    return next(filter(None, map(_media_type, told)), "download")


def _media_type(told: str) -> str:
    """Return the media type that is written, as such, as an address, or as a format; "": none."""
    name = told.partition("media-types/")[2] or told.partition(";")[0].strip()
    name = name.lower()[:MAX_NAME]
    if "/" in name:
        return "" if "://" in name else name
    return formats.mime_of(formats.canonical(name.removeprefix(".")))


# Microdata.


def _of_microdata(document: LexborHTMLParser) -> Iterator[Described]:
    hints: dict[int, str] = {}
    for node in document.css('[itemprop~="contentUrl"]')[:MAX_DESCRIBED]:
        attributes = node.attributes
        if node.tag in ("a", "area") and attributes.get("href"):
            continue  # it is a link, and met as such
        address = attributes.get("href") or attributes.get("content") or attributes.get("src")
        scope = _scope(node)
        kind = _kind_of(scope)
        if kind is None or not (address or (address := node.text().strip())):
            continue
        number = scope.mem_id if scope else 0
        if number not in hints:
            hints[number] = _hint_of(scope)
        yield Described(address, f"/microdata/{kind}/contentUrl", "", hints[number])


def _scope(node: LexborNode) -> LexborNode | None:
    """Return the element of the thing that a property belongs to."""
    parent = node.parent
    for _ in range(MAX_CLIMB):
        if parent is None or "itemscope" in parent.attributes:
            return parent
        parent = parent.parent
    return None


def _kind_of(scope: LexborNode | None) -> str | None:
    """Return which kind of data a thing is; None: it is a picture, a film, something else."""
    if scope is None:
        return _THING
    types = [each.rpartition("/")[2] for each in (scope.attributes.get("itemtype") or "").split()]
    return next((each for each in types if each in _FILES), None if types else _THING)


def _hint_of(scope: LexborNode | None) -> str:
    format_ = scope.css_first('[itemprop~="encodingFormat"]') if scope else None
    told = (format_.attributes.get("content") or format_.text()) if format_ else ""
    return _media_type(told.strip()) or "download"
