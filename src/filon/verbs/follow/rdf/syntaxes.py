"""Which syntax a document is in: what its type says, its name, and how it begins."""

import re

from filon.page.url import extension

#: Media types as they should be, and as they are.
TYPES = {
    "text/turtle": "turtle",
    "application/turtle": "turtle",
    "application/x-turtle": "turtle",
    "text/anot+turtle": "turtle",
    "application/trig": "trig",
    "application/x-trig": "trig",
    "application/n-triples": "nt",
    "text/ntriples": "nt",
    "application/n-quads": "nquads",
    "text/x-nquads": "nquads",
    "text/n3": "n3",
    "text/rdf+n3": "n3",
    "application/n3": "n3",
    "application/rdf+xml": "rdfxml",
    "applications/rdf+xml": "rdfxml",
    "application/owl+xml": "rdfxml",
    "text/rdf": "rdfxml",
    "application/ld+json": "jsonld",
    "application/activity+json": "jsonld",
    "text/html": "html",
    "application/xhtml+xml": "html",
}
EXTENSIONS = {
    "ttl": "turtle",
    "trig": "trig",
    "nt": "nt",
    "nq": "nquads",
    "n3": "n3",
    "rdf": "rdfxml",
    "owl": "rdfxml",
    "rdfs": "rdfxml",
    "jsonld": "jsonld",
}
#: What an Accept header of a Linked Data client names, the quickest to read first. HTML is not
#: named: many servers ignore q-values and give it to whoever does.
ACCEPT = (
    "text/turtle, application/n-triples, application/n-quads, application/trig, "
    "application/rdf+xml, application/ld+json;q=0.9, text/n3;q=0.8, */*;q=0.1"
)
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_RDF_ROOT = re.compile(rb"<(?:[\w.-]+:)?RDF[\s>]|22-rdf-syntax-ns#")
_JSON = re.compile(rb"(?!\[\s*\]\s*\S)[\[{]\s*(?:[\"\[{\]}\d/-]|true|false|null|$)")
_TURTLE = re.compile(
    rb"^\s*(?:@prefix|@base|prefix\s|base\s|@keywords)|^\s*<[^<>\s]*>\s+(?:a\s|<|\{|[\w-]*:)"
    rb"|^\s*[\w.-]*:[\w.%-]*\s+(?:a\s|[\w-]*:|<)",
    re.IGNORECASE | re.MULTILINE,
)
_QUADS = re.compile(rb'^\s*(?:<[^>]*>|_:\S+)\s+<[^>]*>\s+(?:<[^>]*>|_:\S+|"[^\n]*)\s*\.\s*$', re.M)


def guesses(body: bytes, mime: str, url: str) -> list[str]:
    """Return the syntaxes that a document may be in, the most likely first; none for others.

    An XML document is RDF only if its root says so.

    >>> guesses(b"@prefix : <#> .", "text/plain", "http://a.org/x")
    ['turtle']
    """
    seen = _seen(body)
    named = [TYPES.get(mime, ""), EXTENSIONS.get(extension(url), "")]
    if seen == "html":
        return ["html"]
    if seen in ("rdfxml", "jsonld", "json", "xml"):
        # Whatever it is called: braces and angle brackets do not lie.
        first = "jsonld" if seen == "json" and "jsonld" in named else seen
        return [] if first == "xml" else [first]
    likely = [*named, seen]
    return list(dict.fromkeys(one for one in likely if one not in ("", "jsonld", "rdfxml", "html")))


def _seen(body: bytes) -> str:
    """Return the syntax that the beginning of a document shows."""
    head = body[:65_536].removeprefix(b"\xef\xbb\xbf").lstrip()
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "replace").encode()
    if _HTML.search(head[:2048]):
        return "html"
    if head.startswith(b"<") and not _TURTLE.match(head):
        if _RDF_ROOT.search(head):
            return "rdfxml"
        return "xml" if head.startswith(b"<?xml") or b"xmlns" in head[:2048] else "html"
    # A bracket may begin Turtle too: a blank node.
    if _JSON.match(head) and not _TURTLE.search(head):
        return "jsonld" if b'"@context"' in head else "json"
    if _QUADS.match(head):
        return "nt"
    return "turtle" if _TURTLE.search(head[:8192]) else ""
