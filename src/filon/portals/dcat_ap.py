"""DCAT-AP and DCAT of any kind: a catalogue as RDF, in pages where it is long (Hydra)."""

import re
from collections import defaultdict
from datetime import datetime
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.page.url import join
from filon.page.url import parse as web
from filon.portals.addresses import again
from filon.portals.files import described
from filon.portals.since import Filters, stamp
from filon.portals.tolerant import MOST_TEXT, number
from filon.portals.trouble import strange, trouble

PATHS = ("/catalog.ttl", "/catalog.jsonld", "/catalog.xml")
ENDINGS = (".ttl", ".jsonld", ".xml", ".rdf", ".n3", ".nt", ".dcat")
_DCAT, _DCT = "http://www.w3.org/ns/dcat#", "http://purl.org/dc/terms/"
_HYDRA, _RDF = "http://www.w3.org/ns/hydra/core#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_FOAF, _SCHEMA = "http://xmlns.com/foaf/0.1/", "http://www.w3.org/2006/vcard/ns#"
_ACCEPT = (("Accept", "text/turtle, application/ld+json;q=0.9, application/rdf+xml;q=0.8"),)
#: The address of the endpoint of ckanext-dcat, which takes `modified_since`.
_OF_CKAN = re.compile(r"/catalog\.(?:ttl|jsonld|xml|rdf|n3)$")
#: A catalogue of so many statements is far beyond what fits into an answer.
MOST_TRIPLES = 2_000_000

Node = NamedNode | BlankNode | Literal
Graph = dict[Any, dict[str, list[Any]]]


class DcatAp(Filters):
    """A catalogue in Turtle, JSON-LD or RDF/XML."""

    name = "dcat-ap"

    def confirm(self, root: str) -> Request:
        """Ask for the catalogue; a root that names one is taken as it is."""
        known = root.partition("?")[0].endswith(ENDINGS) or "/dcat" in root or "format" in root
        return Request(url=root if known else f"{root}{PATHS[0]}", headers=_ACCEPT)

    def confirmed(self, response: Response) -> str:
        """Return the address of the catalogue."""
        page = self.read(response)
        return response.url if page.datasets and not page.problem else ""

    def begin(self, base: str) -> Request:
        """Ask for the catalogue."""
        return Request(url=base, headers=_ACCEPT)

    def read(self, response: Response) -> Listing:
        """Read the catalogue, or a page of it."""
        if wrong := trouble(response):
            return wrong
        graph = _graph(response)
        found = _of_type(graph, f"{_DCAT}Dataset") if graph else []
        if graph is None or not (found or _of_type(graph, f"{_DCAT}Catalog")):
            return strange("a DCAT catalogue")
        totals = (number(_text(about, f"{_HYDRA}totalItems")) for about in graph.values())
        return Listing(
            datasets=tuple(_dataset(graph, subject, response.url) for subject in found),
            more=_more(graph, response.url),
            total=next((total for total in totals if total is not None), None),
        )

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for what was modified where CKAN's extension writes the catalogue, else for all."""
        if not _OF_CKAN.search(base.partition("?")[0]):
            return self.begin(base)
        return Request(url=again(base, modified_since=stamp(moment)).url, headers=_ACCEPT)


def _graph(response: Response) -> Graph | None:
    """Return the statements by subject and predicate, in order; None where it is no RDF."""
    graph: Graph = defaultdict(lambda: defaultdict(list))
    try:
        quads = parse(response.body, format=_format(response), base_iri=response.url, lenient=True)
        for count, quad in enumerate(quads):
            if count >= MOST_TRIPLES:
                break
            graph[quad.subject][quad.predicate.value].append(quad.object)
    except (SyntaxError, ValueError):
        return None
    return graph


def _format(response: Response) -> RdfFormat:
    by_type = RdfFormat.from_media_type(response.mime) if response.mime else None
    if by_type and response.mime not in ("application/xml", "text/xml", "application/json"):
        return by_type
    start = response.body.lstrip()[:1]
    return {b"<": RdfFormat.RDF_XML, b"{": RdfFormat.JSON_LD, b"[": RdfFormat.JSON_LD}.get(
        start, RdfFormat.TURTLE
    )


def _of_type(graph: Graph, kind: str) -> list[Any]:
    return [
        subject
        for subject, about in graph.items()
        if any(_value(each) == kind for each in about.get(f"{_RDF}type", ()))
    ]


def _more(graph: Graph, url: str) -> Request | None:
    for name in ("next", "nextPage"):
        for about in graph.values():
            if (
                place := join(url, _text(about, f"{_HYDRA}{name}"))
                if f"{_HYDRA}{name}" in about
                else ""
            ):
                return Request(url=place, headers=_ACCEPT) if place != url else None
    return None


def _dataset(graph: Graph, subject: Any, url: str) -> Dataset:
    about = graph[subject]
    shares = [graph[share] for share in about.get(f"{_DCAT}distribution", ()) if share in graph]
    files = (_file(graph, share) for share in shares)
    own = subject.value if isinstance(subject, NamedNode) else ""
    return Dataset(
        id=own or _text(about, f"{_DCT}identifier") or _text(about, f"{_DCT}title"),
        title=_text(about, f"{_DCT}title"),
        description=_text(about, f"{_DCT}description"),
        url=_text(about, f"{_DCAT}landingPage") or web(own),
        files=tuple(file for file in files if file),
        licence=_named(graph, about, f"{_DCT}license")
        or next((name for share in shares if (name := _named(graph, share, f"{_DCT}license"))), ""),
        modified=_text(about, f"{_DCT}modified"),
        publisher=_named(graph, about, f"{_DCT}publisher"),
        keywords=tuple(dict.fromkeys(_value(word) for word in about.get(f"{_DCAT}keyword", ()))),
    )


def _file(graph: Graph, share: dict[str, list[Any]]) -> File | None:
    address = _text(share, f"{_DCAT}downloadURL")
    form, media = _named(graph, share, f"{_DCT}format"), _named(graph, share, f"{_DCAT}mediaType")
    media = media.partition("media-types/")[2] or media
    size = number(_text(share, f"{_DCAT}byteSize"))
    title = _text(share, f"{_DCT}title")
    file = described(address or _text(share, f"{_DCAT}accessURL"), title, form, media, size)
    return file if file and (address or file.format not in ("", "html")) else None


def _text(about: dict[str, list[Any]], predicate: str) -> str:
    """Return the first value, in English where there are several languages."""
    values = about.get(predicate, ())
    english = [each for each in values if isinstance(each, Literal) and each.language == "en"]
    return _value([*english, *values][0])[:MOST_TEXT] if values else ""


def _named(graph: Graph, about: dict[str, list[Any]], predicate: str) -> str:
    """Return a value, or the name of the thing that it is."""
    for value in about.get(predicate, ()):
        inner = graph.get(value) if not isinstance(value, Literal) else None
        names = (f"{_FOAF}name", f"{_DCT}title", f"{_SCHEMA}fn", f"{_RDF}value")
        label = next((text for name in names if inner and (text := _text(inner, name))), "")
        if label or not isinstance(value, BlankNode):
            return label or _value(value)
    return ""


def _value(node: Any) -> str:
    return node.value if isinstance(node, NamedNode | Literal) else ""
