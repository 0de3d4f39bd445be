"""Reads a document's RDF, whatever it is called and however it stands in it."""

from collections.abc import Mapping
from itertools import islice

import pyoxigraph as ox

from filon.verbs.follow.rdf import jsonld
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.embedded import read_html
from filon.verbs.follow.rdf.files import FAULTS, FORMATS, asserted, to_utf8
from filon.verbs.follow.rdf.limits import Shallow, explode
from filon.verbs.follow.rdf.results import is_results, rows
from filon.verbs.follow.rdf.syntaxes import TYPES, guesses

#: Triples that are read of one document, unless told otherwise.
MOST = 1_000_000


def read(
    body: bytes,
    url: str,
    content_type: str = "",
    *,
    contexts: Mapping[str, jsonld.Json] | None = None,
    most: int = MOST,
) -> Document:
    """Return what a document says in RDF.

    contexts: remote JSON-LD contexts at hand, by `jsonld.name`, beside those that are shipped.
    most: how many triples are wanted; what is beyond is not read.
    """
    mime = content_type.partition(";")[0].strip().lower()
    document = Document()
    known = {**jsonld.CONTEXTS, **contexts} if contexts else jsonld.CONTEXTS
    body = to_utf8(body, content_type)
    faults: list[str] = []
    tried = guesses(body, mime, url)
    for syntax in tried:
        document.broken = ""
        if syntax == "html":
            read_html(body, url, known, most, document)
        elif syntax in ("jsonld", "json"):
            _read_json(body, url, known, most, document)
        else:
            _read_file(body, url, syntax, most, document)
        if document.any:
            break
        faults.append(document.broken)
    else:
        document.broken = next(filter(None, faults), "") or _misnamed(body, mime, tried)
    document.full = len(document.triples) >= most
    return document


def _misnamed(body: bytes, mime: str, tried: list[str]) -> str:
    """Return a complaint about a document that claims to be RDF and is something else."""
    named = TYPES.get(mime, "html")
    if named == "html" or named in tried or not body.strip():
        return ""
    return f"it calls itself {mime}, but is {tried[0] if tried else 'something else'}"


def _read_file(body: bytes, url: str, syntax: str, most: int, document: Document) -> None:
    kept: list[ox.Quad] = []
    if syntax == "rdfxml" and explode(body):
        document.broken = "its entities stand for too much text"
        return
    shallow = Shallow(iter((body,)), syntax)
    try:
        body = b"".join(shallow)
        quads = ox.parse(input=body, format=FORMATS[syntax], base_iri=url, lenient=True)
        for quad in islice(asserted(quads) if syntax == "n3" else quads, most):
            kept.append(quad)
    except FAULTS as error:
        document.broken = str(error)
    document.broken = shallow.fault or document.broken
    document.add_quads(kept, syntax)


def _read_json(
    body: bytes, url: str, contexts: Mapping[str, jsonld.Json], most: int, document: Document
) -> None:
    kept: list[ox.Quad] = []
    meant = False
    try:
        value, document.mended = jsonld.load(body.decode("utf-8", "replace"))
        if is_results(value):
            document.add(islice(rows(value), most), "results")
            return
        value = jsonld.beginning(value, most)
        meant = jsonld.has_keywords(value)
        quads, missing = jsonld.parse(value, url, contexts)
        document.contexts = tuple(sorted(missing))
        for quad in islice(quads, most):
            if ":" in quad.predicate.value:
                kept.append(quad)
            else:
                document.unnamed = True
    except (*FAULTS, RecursionError) as error:
        document.broken = str(error)
    document.add_quads(kept, "jsonld", meant=meant)
    if kept and not meant:
        document.strict = False
