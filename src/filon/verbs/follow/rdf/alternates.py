"""Where a page says that its RDF is: in its Link headers, and in its head."""

import json
import re

from selectolax.lexbor import LexborHTMLParser

from filon.core import Response
from filon.page.url import extension, join
from filon.verbs.follow.rdf.syntaxes import EXTENSIONS, TYPES

#: Relations whose goal describes the page or is the page in another form.
RELATIONS = frozenset({"alternate", "describedby", "meta", "linkset", "item", "cite-as"})
#: Goals of one page that are followed.
MOST = 20
#: How much of a list of choices is read.
_MOST_LIST_BYTES = 200_000
#: A choice as headers write it: {"paper.ttl" 0.9 {type text/turtle} {language en}}.
_VARIANT = re.compile(r'\{\s*"([^"]*)"\s+([01](?:\.\d+)?)((?:\s*\{[^{}]*\})*)')
_VARIANT_TYPE = re.compile(r"\{\s*type\s+([^{}\s]*)\s*\}", re.IGNORECASE)
_SIGN = re.compile(rb"<link\b[^>]*(?:rdf|turtle|ld\+json|n-triples|n3|trig)", re.IGNORECASE)
_LINK = re.compile(r'<([^<>]*)>((?:\s*;\s*[\w*!-]+\s*(?:=\s*(?:"[^"]*"|[^",;\s]*))?)*)')
_PARAMETER = re.compile(r';\s*([\w*!-]+)\s*=\s*(?:"([^"]*)"|([^",;\s]*))')


def alternates(response: Response) -> list[str]:
    """Return the URLs of documents with RDF that an answer names, each once."""
    named = [*_headers(response), *_head(response), *_linkset(response)]
    return list(dict.fromkeys(url for url in named if url and url != response.url))[:MOST]


def choices(response: Response) -> list[str]:
    """Return the URLs that an answer offers instead of itself (300), those with RDF first.

    They stand in Link headers, in an Alternates header (RFC 2295), or in a list of links; of the
    last those with RDF count, as there may be others.
    """
    offered: list[tuple[bool, float, str]] = []
    for name, value in response.headers:
        if name.lower() == "alternates":
            for url, quality, parameters in _VARIANT.findall(value[:20_000]):
                mime = _VARIANT_TYPE.search(parameters)
                is_rdf = _is_rdf(mime[1]) if mime else _names_rdf(join(response.url, url))
                offered.append((not is_rdf, -float(quality), join(response.url, url)))
    listed = [*_headers(response), *(url for *_, url in sorted(offered, key=lambda one: one[:2]))]
    for node in LexborHTMLParser(response.body[:_MOST_LIST_BYTES]).css("a[href]")[:MOST]:
        url = join(response.url, node.attributes.get("href") or "")
        if _is_rdf(node.attributes.get("type") or "") or _names_rdf(url):
            listed.append(url)
    return list(dict.fromkeys(url for url in listed if url and url != response.url))[:MOST]


def _headers(response: Response) -> list[str]:
    values = [value for name, value in response.headers if name.lower() == "link"]
    return [url for value in values for url in _links(value[:20_000], response.url)]


def _links(text: str, base: str) -> list[str]:
    """Return the goals of links as headers write them."""
    found = []
    for target, rest in _LINK.findall(text):
        parameters = {key.lower(): quoted or bare for key, quoted, bare in _PARAMETER.findall(rest)}
        relations = set(parameters.get("rel", "").lower().split())
        if relations & {"describedby", "linkset"} or (
            relations & RELATIONS and _is_rdf(parameters.get("type", ""))
        ):
            found.append(join(base, target))
    return found


def _linkset(response: Response) -> list[str]:
    """Return the goals of a document of links (RFC 9264), in either of its forms."""
    if response.mime == "application/linkset":
        return _links(response.body[:200_000].decode("utf-8", "replace"), response.url)
    if response.mime != "application/linkset+json":
        return []
    try:
        groups = json.loads(response.body)["linkset"]
        pairs = [(name, one) for group in groups for name in group for one in group[name]]
        return [
            join(response.url, one["href"])
            for name, one in pairs
            if name in RELATIONS and isinstance(one, dict) and _is_rdf(one.get("type", ""))
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _head(response: Response) -> list[str]:
    if not _SIGN.search(response.body):
        return []
    found = []
    for node in LexborHTMLParser(response.body).css("link[rel][href]"):
        given = node.attributes
        relations = set((given.get("rel") or "").lower().split())
        if relations & RELATIONS and _is_rdf(given.get("type") or ""):
            found.append(join(response.url, given.get("href") or ""))
    return found


def _is_rdf(mime: str) -> bool:
    return TYPES.get(mime.partition(";")[0].strip().lower(), "html") != "html"


def _names_rdf(url: str) -> bool:
    return extension(url) in EXTENSIONS
