"""RDF inside HTML: JSON-LD and Turtle in scripts, microdata and RDFa."""

import html
from collections.abc import Iterable, Mapping
from itertools import islice

import pyoxigraph as ox
from selectolax.lexbor import LexborHTMLParser

from filon.verbs.follow.rdf import jsonld
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.limits import Allowance, shallow_page
from filon.verbs.follow.rdf.microdata import SIGN as ITEM
from filon.verbs.follow.rdf.microdata import microdata
from filon.verbs.follow.rdf.rdfa import SIGNS, Literal, rdfa

#: Scripts that hold RDF; one page may have many.
MAX_SCRIPTS = 1_000
_SCRIPTS = {"text/turtle": ox.RdfFormat.TURTLE, "application/trig": ox.RdfFormat.TRIG}


def read_html(
    body: bytes, url: str, contexts: Mapping[str, jsonld.Json], most: int, document: Document
) -> None:
    """Add what an HTML page says in RDF to a document."""
    lowered = body.lower()
    has_scripts = b"ld+json" in lowered or b"text/turtle" in lowered or b"trig" in lowered
    has_items, has_rdfa = bool(ITEM.search(body)), bool(SIGNS.search(body))
    if not (has_scripts or has_items or has_rdfa):
        return
    body, document.broken = shallow_page(body)
    parser, allowance = LexborHTMLParser(body), Allowance(len(body))
    if has_scripts:
        _scripts(parser, url, contexts, most, document)
    if has_items:
        document.add(islice(microdata(parser, url, allowance), most), "microdata")
    if has_rdfa:
        found = rdfa(parser, url, allowance, most)
        triples = (triple for one in found if (triple := _triple(*one)))
        document.add(triples, "rdfa", meant=False)
    document.broken = document.broken or allowance.fault


def _scripts(
    parser: LexborHTMLParser,
    url: str,
    contexts: Mapping[str, jsonld.Json],
    most: int,
    document: Document,
) -> None:
    missing: set[str] = set()
    for node in parser.css("script[type]")[:MAX_SCRIPTS]:
        mime = (node.attributes.get("type") or "").partition(";")[0].strip().lower()
        text = node.text(deep=True)
        try:
            if mime == "application/ld+json":
                value, mended = _json(text)
                quads, unknown = jsonld.parse(value, url, contexts)
                missing |= unknown
                _keep(quads, "jsonld", most, document)
                document.mended = document.mended or mended
            elif mime in _SCRIPTS:
                syntax = _SCRIPTS[mime]
                quads = ox.parse(input=text.encode(), format=syntax, base_iri=url, lenient=True)
                _keep(quads, "turtle", most, document)
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            # One bad block does not spoil the page.
            document.broken = document.broken or str(error)
    document.contexts = tuple(sorted({*document.contexts, *missing}))


def _json(text: str) -> tuple[jsonld.Json, bool]:
    try:
        return jsonld.load(text)
    except ValueError:
        if "&quot;" not in text:
            raise
        return jsonld.load(html.unescape(text))[0], True


def _keep(quads: Iterable[ox.Quad], syntax: str, most: int, document: Document) -> None:
    kept: list[ox.Quad] = []
    try:
        for quad in islice(quads, most):
            if ":" in quad.predicate.value:
                kept.append(quad)  # what came before an error stays
    finally:
        document.add_quads(kept, syntax)


def _triple(subject: str, predicate: str, value: str | Literal) -> ox.Triple | None:
    try:
        return ox.Triple(_node(subject), ox.NamedNode(predicate), _object(value))
    except ValueError:
        return None  # not an IRI, or not a language


def _node(text: str) -> ox.NamedNode | ox.BlankNode:
    return ox.BlankNode(f"n{text[2:]}") if text.startswith("_:") else ox.NamedNode(text)


def _object(value: str | Literal) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(value, str):
        return _node(value)
    if value.datatype:
        return ox.Literal(value.value, datatype=ox.NamedNode(value.datatype))
    return ox.Literal(value.value, language=value.language or None)
