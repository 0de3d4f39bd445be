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
#: Syntaxes that are no markup and no JSON: what begins with "<" may be one of them.
_TEXT = frozenset({"turtle", "trig", "nt", "nquads", "n3"})
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
#: What may stand before the first element: declarations, instructions, comments.
_PROLOGUE = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_RDF_ROOT = re.compile(
    rb"<(?:[\w.-]+:)?RDF[\s>]|(?:xmlns|<!ENTITY)[^<>=]*[=\s][\"'][^\"']*22-rdf-syntax-ns#"
)
_JSON = re.compile(rb"(?!\[\s*\]\s*\S)[\[{]\s*(?:[\"\[{\]}\d/-]|true|false|null|$)")
#: An IRI as people write it, also with spaces; a tag with attributes is none.
_REFERENCE = rb"<(?:[^<>\"\s]*|[A-Za-z][\w+.-]*:[^<>\"\n]*)>"
#: A statement that begins with an IRI or, in RDF 1.2, with a triple. Between tags there is seldom
#: a full stop, and their names are seldom addresses.
_STATEMENT = re.compile(
    rb"<<|(?=<>|<[^<>\n]*[:/#])" + _REFERENCE + rb"\s+(?:a\s|<|\{|[\w-]*:)|"
    rb"%b\s+(?:a|%b|[\w-]*:[\w.%%-]*)\s+(?:%b|\"[^\n]*|_:\S+|[\w-]*:\S*)\s*[.;,]"
    % ((_REFERENCE,) * 3)
)
#: The same, of a document that calls itself RDF.
_LIKELY = re.compile(rb"<<|%b\s*(?:a\s|<|\{|[\w-]*:)" % _REFERENCE)
_TURTLE = re.compile(
    rb"^[ \t]*(?:@prefix|@base|prefix\s|base\s|@keywords|%b\s+(?:a\s|<|\{|[\w-]*:)"
    rb"|[\w.-]*:[\w.%%-]*\s+(?:a\s|[\w-]*:|<))" % _REFERENCE,
    re.IGNORECASE | re.MULTILINE,
)
_QUADS = re.compile(
    rb'[ \t]*(?:%b|_:\S+)[ \t]+%b[ \t]+(?:%b|_:\S+|"[^\n]*)[ \t]*\.\s*$' % ((_REFERENCE,) * 3),
    re.MULTILINE,
)
#: Graphs with names, which Turtle does not have; rules are N3.
_GRAPHS = re.compile(rb"(?:>|:[\w.-]*)\s*\{")
#: How far into a document is looked.
_HEAD, _MARKUP_HEAD, _TEXT_HEAD = 65_536, 2_048, 8_192


def guesses(body: bytes, mime: str, url: str) -> list[str]:
    """Return the syntaxes that a document may be in, the most likely first; none for others.

    body: in UTF-8. An XML document is RDF only if its root says so.

    >>> guesses(b"@prefix : <#> .", "text/plain", "http://a.org/x")
    ['turtle']
    """
    named = [TYPES.get(mime, ""), EXTENSIONS.get(extension(url), "")]
    head = body[:_HEAD].lstrip()
    seen = _markup(head, named) or _text(head)
    if seen in ("html", "rdfxml", "jsonld", "json", "xml"):
        # Whatever it is called: braces and angle brackets do not lie.
        first = "jsonld" if seen == "json" and "jsonld" in named else seen
        return [] if first == "xml" else [first]
    likely = [one for one in (*named, seen) if one in _TEXT]
    if "nt" in likely:
        likely.append("turtle")  # of which it is a part
    if _GRAPHS.search(head) and b"=>" not in head:
        likely.append("trig")
    return list(dict.fromkeys(likely))


def _markup(head: bytes, named: list[str]) -> str:
    """Return "html", "rdfxml", "xml", or "" where a document is no markup."""
    if not head.startswith(b"<"):
        is_page = named[0] == "html" and _HTML.search(head[:_MARKUP_HEAD])
        return "html" if is_page and not _TURTLE.match(head) else ""
    element = _PROLOGUE.match(head)
    if _HTML.match(head, element.end() if element else 0):
        return "html"
    if (_LIKELY if _TEXT.intersection(named) else _STATEMENT).match(head):
        return ""
    if _HTML.search(head[:_MARKUP_HEAD]):
        return "html"
    if _RDF_ROOT.search(head):
        return "rdfxml"
    return "xml" if head.startswith(b"<?xml") or b"xmlns" in head[:_MARKUP_HEAD] else "html"


def _text(head: bytes) -> str:
    """Return the syntax that the beginning of a document shows which is no markup."""
    # A bracket may begin Turtle too: a blank node.
    if _JSON.match(head) and not _TURTLE.search(head):
        return "jsonld" if b'"@context"' in head else "json"
    if _QUADS.match(head):
        return "nt"
    return "turtle" if head.startswith(b"<<") or _TURTLE.search(head[:_TEXT_HEAD]) else ""
