"""What can be searched in a page or a text: its title, its words and its links."""

import re

from selectolax.lexbor import LexborHTMLParser

from filon.page.charset import to_utf8
from filon.page.links import MAX_BODY, links
from filon.page.tame import tame
from filon.page.text import page_text
from filon.services.search.index import MAX_TEXT, Document

_TEXT_TYPES = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
_PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})
#: A title taken from the first line of a text is no longer than this.
MAX_TITLE = 200


def readable(mime: str) -> bool:
    """Say whether there is something to read in such a file."""
    return mime in _PAGE_TYPES or mime in _TEXT_TYPES


def document(url: str, body: bytes, content_type: str) -> Document:
    """Return what can be searched.

    >>> document("http://a.org/", b"<title>Rain</title><p>in Spain", "text/html").text
    'in Spain'
    """
    if content_type.partition(";")[0].strip().lower() in _TEXT_TYPES:
        return _text(url, to_utf8(body[:MAX_BODY], content_type).decode("utf-8", "replace"))
    page = page_text(body, content_type)
    found = links(body, url, content_type) if url.startswith("http") else []
    parts = (page.description, page.keywords, page.text[:MAX_TEXT])
    return Document(
        url=url,
        title=page.title,
        text=" ".join(part for part in parts if part),
        links=tuple((link.url, link.text) for link in found if link.tag in ("a", "area", "iframe")),
    )


def canonical(body: bytes) -> str:
    """Return the address that a page says it has; "" where it says none that can be fetched."""
    tree = LexborHTMLParser(tame(to_utf8(body[:MAX_BODY])))
    node = tree.css_first("link[rel=canonical][href]")
    href = (node.attributes.get("href") or "") if node else ""
    return href if re.match(r"https?://[^/]", href) else ""


def _text(url: str, text: str) -> Document:
    first = next((line.strip(" #=-*") for line in text.splitlines() if line.strip(" #=-*")), "")
    addresses = re.findall(r"https?://[^\s<>\"')\]]+", text)
    named = tuple((address.rstrip(".,;"), "") for address in addresses)
    return Document(url=url, title=first[:MAX_TITLE], text=text, links=named)
