"""Microdata in HTML, as RDF: items are nodes, their properties are named by their type."""

import re
from collections.abc import Iterator

import pyoxigraph as ox
from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.page.url import resolve
from filon.verbs.follow.rdf.names import RDF

SIGN = re.compile(rb"\bitemscope\b", re.IGNORECASE)
#: Items within items, and elements that an item names by itemref.
MAX_DEPTH, MAX_REFERENCES = 50, 100
_LINKS = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}
_VALUES = {"meta": "content", "data": "value", "meter": "value", "time": "datetime"}
Subject = ox.NamedNode | ox.BlankNode


def microdata(parser: LexborHTMLParser, url: str) -> Iterator[ox.Triple]:
    """Return the triples of all items of a page."""
    for node in parser.css("[itemscope]"):
        if "itemprop" not in node.attributes:
            yield from _item(node, url, parser, "", 0)[1]


def _item(
    node: LexborNode, url: str, parser: LexborHTMLParser, vocabulary: str, depth: int
) -> tuple[Subject, list[ox.Triple]]:
    given = node.attributes
    identity = _iri(url, given.get("itemid") or "") if given.get("itemid") else None
    subject: Subject = identity or ox.BlankNode()
    kinds = [one for one in (given.get("itemtype") or "").split() if ":" in one]
    triples = [ox.Triple(subject, _TYPE, named) for kind in kinds if (named := _iri("", kind))]
    vocabulary = _vocabulary(kinds[0]) if kinds else vocabulary
    if depth > MAX_DEPTH:
        return subject, triples
    for element in _properties(node, parser):
        value, inner = _value(element, url, parser, vocabulary, depth)
        triples.extend(inner)
        for name in (element.attributes.get("itemprop") or "").split():
            predicate = _iri("", name if ":" in name else f"{vocabulary or url + '#'}{name}")
            if predicate and value is not None:
                triples.append(ox.Triple(subject, predicate, value))
    return subject, triples


def _properties(item: LexborNode, parser: LexborHTMLParser) -> Iterator[LexborNode]:
    """Return the elements with a property of an item: within it, not within another item."""
    pending = [child for child in item.iter() if child.is_element_node][::-1]
    for reference in (item.attributes.get("itemref") or "").split()[:MAX_REFERENCES]:
        if re.fullmatch(r"[\w-]+", reference) and (node := parser.css_first(f"#{reference}")):
            pending.insert(0, node)
    while pending:
        node = pending.pop()
        given = node.attributes
        if "itemprop" in given:
            yield node
        if "itemscope" not in given:
            pending.extend([child for child in node.iter() if child.is_element_node][::-1])


def _value(
    node: LexborNode, url: str, parser: LexborHTMLParser, vocabulary: str, depth: int
) -> tuple[Subject | ox.Literal | None, list[ox.Triple]]:
    given, tag = node.attributes, node.tag or ""
    if "itemscope" in given:
        return _item(node, url, parser, vocabulary, depth + 1)
    if tag in _LINKS:
        return _iri(url, given.get(_LINKS[tag]) or ""), []
    if tag in _VALUES and _VALUES[tag] in given:
        return ox.Literal(given[_VALUES[tag]] or ""), []
    return ox.Literal(node.text(deep=True).strip()), []


def _vocabulary(kind: str) -> str:
    """Return where the names of an item's properties live, by its type."""
    if "#" in kind:
        return kind[: kind.index("#") + 1]
    return kind[: kind.rindex("/") + 1] if "/" in kind else kind


def _iri(base: str, text: str) -> ox.NamedNode | None:
    try:
        return ox.NamedNode(resolve(base, text.strip()) if base else text)
    except ValueError:
        return None


_TYPE = ox.NamedNode(f"{RDF}type")
