"""What a graph says about where data can be had at once: VoID, DCAT, service descriptions."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyoxigraph as ox

from filon.page.url import extension
from filon.verbs.follow.rdf.dump import inner_name
from filon.verbs.follow.rdf.names import RDF
from filon.verbs.follow.rdf.syntaxes import EXTENSIONS, TYPES

VOID = "http://rdfs.org/ns/void#"
DCAT = "http://www.w3.org/ns/dcat#"
SD = "http://www.w3.org/ns/sparql-service-description#"
TERMS = "http://purl.org/dc/terms/"
_NAMESPACES = (VOID, DCAT, SD)
#: How people name RDF in catalogues, beside media types and endings.
FORMATS = frozenset(
    {
        *("rdf", "turtle", "ttl", "nt", "ntriples", "n-triples", "n-quads", "nquads", "nq", "n3"),
        *("trig", "owl", "jsonld", "json-ld", "rdf/xml", "rdfxml", "rdf-xml", "linked-data", "lod"),
    }
)
#: Of each kind of address, so many of one document.
MOST = 2_000


@dataclass(slots=True)
class Catalogue:
    """Addresses by what they are good for, each once and in order.

    dumps: with the prefixes of the URIs that they describe, as far as that is said.
    endpoints: SPARQL endpoints. described: those among them that this very graph describes.
    fallbacks: by dump, the endpoint that serves the same data.
    entries: resources that the data is best entered by.
    """

    dumps: dict[str, tuple[str, ...]] = field(default_factory=dict)
    endpoints: dict[str, tuple[str, ...]] = field(default_factory=dict)
    described: set[str] = field(default_factory=set)
    fallbacks: dict[str, str] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)


def is_rdf(name: str) -> bool:
    """Say whether a catalogue's word for a format means RDF.

    >>> is_rdf("Turtle"), is_rdf("application/rdf+xml"), is_rdf("CSV")
    (True, True, False)
    """
    word = name.strip().lower().rstrip("/").partition(";")[0]
    media = word.partition("media-types/")[2] or word
    last = word.rpartition("/")[2].removesuffix("_xml").replace("_", "-")
    return TYPES.get(media, "html") != "html" or word in FORMATS or last.lstrip(".") in FORMATS


def names_rdf(url: str) -> bool:
    """Say whether a URL's ending means RDF, packed or not.

    >>> names_rdf("http://a.org/all.nt.gz"), names_rdf("http://a.org/all.gz")
    (True, False)
    """
    return extension(inner_name(url)) in EXTENSIONS


def catalogue(triples: Iterable[ox.Triple]) -> Catalogue:
    """Return what triples say about dumps, endpoints and entries."""
    nodes: dict[str, dict[str, list[str]]] = {}
    for triple in triples:
        name, value = triple.predicate.value, triple.object
        if not (name.startswith(_NAMESPACES) or name.startswith(TERMS) or name == f"{RDF}type"):
            continue
        if isinstance(value, ox.NamedNode | ox.Literal):
            nodes.setdefault(str(triple.subject), {}).setdefault(name, []).append(value.value)
    found = Catalogue()
    for node, values in nodes.items():
        _void(values, found)
        _dcat(values, found)
        _service(node, values, found)
    return found


def _void(values: dict[str, list[str]], found: Catalogue) -> None:
    spaces = tuple(one for one in values.get(f"{VOID}uriSpace", ()) if _is_web(one))
    dumps = [url for url in values.get(f"{VOID}dataDump", ()) if _is_web(url)]
    for url in dumps[:MOST]:
        found.dumps.setdefault(url, spaces)
    for url in values.get(f"{VOID}sparqlEndpoint", ()):
        if _is_web(url) and dumps:
            found.fallbacks.update(dict.fromkeys(dumps, url))
        elif _is_web(url):
            found.endpoints.setdefault(url, spaces)
    for name in ("exampleResource", "rootResource"):
        entries = [url for url in values.get(f"{VOID}{name}", ()) if _is_web(url)]
        found.entries.extend(entries[: MOST - len(found.entries)])


def _dcat(values: dict[str, list[str]], found: Catalogue) -> None:
    names = (f"{DCAT}mediaType", f"{TERMS}format", f"{DCAT}compressFormat")
    formats = [value for name in names[:2] for value in values.get(name, ())]
    for name in ("downloadURL", "accessURL"):
        for url in values.get(f"{DCAT}{name}", ())[:MOST]:
            if _is_web(url) and (names_rdf(url) or any(is_rdf(one) for one in formats)):
                found.dumps.setdefault(url, ())
    standards = [*values.get(f"{TERMS}conformsTo", ()), *values.get(f"{TERMS}type", ())]
    for url in values.get(f"{DCAT}endpointURL", ()):
        if _is_web(url) and "sparql" in " ".join([*standards, url]).lower():
            found.endpoints.setdefault(url, ())


def _service(node: str, values: dict[str, list[str]], found: Catalogue) -> None:
    urls = values.get(f"{SD}endpoint", [])
    if f"{SD}Service" in values.get(f"{RDF}type", ()) and not urls:
        urls = [node.strip("<>")]
    for url in urls:
        if _is_web(url):
            found.endpoints.setdefault(url, ())
            found.described.add(url)


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://")) and len(url) > len("https://x")
