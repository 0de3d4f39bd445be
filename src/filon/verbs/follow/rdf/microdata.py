"""Microdata in HTML, as RDF: items are nodes, their properties are named by their type."""

import re
from collections.abc import Iterator

import pyoxigraph as ox
from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.page.url import resolve
from filon.verbs.follow.rdf.limits import Allowance
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


def microdata(parser: LexborHTMLParser, url: str, allowance: Allowance) -> Iterator[ox.Triple]:
    """Return the triples of all items of a page."""
    reader = _Reader(parser, url, allowance)
    for node in parser.css("[itemscope]"):
        if "itemprop" not in node.attributes:
            yield from reader.item(node, "", 0)[1]


class _Reader:
    """Reads the items of a page; the whole of them, however they refer to each other, once."""

    def __init__(self, parser: LexborHTMLParser, url: str, allowance: Allowance) -> None:
        self._url, self._allowance = url, allowance
        self._named: dict[str, LexborNode] = {}
        for node in parser.css("[itemref]") and parser.css("[id]"):
            self._named.setdefault(node.attributes.get("id") or "", node)
        self._items: dict[int, Subject] = {}

    def item(
        self, node: LexborNode, vocabulary: str, depth: int
    ) -> tuple[Subject, list[ox.Triple]]:
        """Return an item and its triples; none where it was read before."""
        if node.mem_id in self._items:
            return self._items[node.mem_id], []
        given = node.attributes
        identity = _iri(self._url, given.get("itemid") or "") if given.get("itemid") else None
        subject = self._items[node.mem_id] = identity or ox.BlankNode()
        kinds = [one for one in (given.get("itemtype") or "").split() if ":" in one]
        triples = [ox.Triple(subject, _TYPE, named) for kind in kinds if (named := _iri("", kind))]
        vocabulary = _vocabulary(kinds[0]) if kinds else vocabulary
        if depth > MAX_DEPTH:
            return subject, triples
        for element in self._properties(node):
            value, inner = self._value(element, vocabulary, depth)
            triples.extend(inner)
            for name in (element.attributes.get("itemprop") or "").split():
                within = vocabulary or f"{self._url}#"
                predicate = _iri("", name if ":" in name else f"{within}{name}")
                if predicate and value is not None:
                    triples.append(ox.Triple(subject, predicate, value))
        return subject, triples

    def _properties(self, item: LexborNode) -> Iterator[LexborNode]:
        """Return the elements with a property of an item: within it, not within another item."""
        pending = [child for child in item.iter() if child.is_element_node][::-1]
        for reference in (item.attributes.get("itemref") or "").split()[:MAX_REFERENCES]:
            if node := self._named.get(reference):
                pending.insert(0, node)
        while pending:
            node = pending.pop()
            given = node.attributes
            if "itemprop" in given:
                yield node
            if "itemscope" not in given:
                pending.extend([child for child in node.iter() if child.is_element_node][::-1])

    def _value(
        self, node: LexborNode, vocabulary: str, depth: int
    ) -> tuple[Subject | ox.Literal | None, list[ox.Triple]]:
        given, tag = node.attributes, node.tag or ""
        if "itemscope" in given:
            return self.item(node, vocabulary, depth + 1)
        if tag in _LINKS:
            return _iri(self._url, given.get(_LINKS[tag]) or ""), []
        if tag in _VALUES and _VALUES[tag] in given:
            return ox.Literal(given[_VALUES[tag]] or ""), []
        text = self._allowance.text(lambda: str(node.text(deep=True)))
        return None if text is None else ox.Literal(text.strip()), []


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
