"""A page with all its links: those to its own pages by where they stand, and those abroad by text.

What a link to another site says is its own words and those around it, as far as no other link
stands there: lists describe what they link to beside the link.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.core import Response
from filon.page.base import Base
from filon.page.links import MAX_BODY, Link, base_of, readable, target_of
from filon.verbs.discover.strategies.page import Page, is_page, site_of

#: Of what stands around a link.
MOST_AROUND = 400
#: Links of a page within its site and to others that are looked at.
MOST_OWN, MOST_ABROAD = 400, 200
#: Elements that hold lists, not what belongs to one link.
_WHOLE = frozenset({"body", "html", "main", "table", "tbody", "ul", "ol", "article", "section"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A page, its links to pages of its own site, and to other sites one each."""

    page: Page
    own: tuple[Link, ...] = ()
    abroad: tuple[Link, ...] = ()


def reading_of(page: Page, found: Iterable[Link], response: Response, by: str) -> Reading:
    """Return a page with its links; those abroad with the text around them."""
    own: dict[str, Link] = {}
    abroad: dict[str, Link] = {}
    for link in found:
        if not is_page(link.url):
            continue
        site = site_of(link.url, by)
        if site == page.site:
            if len(own) < MOST_OWN:
                own.setdefault(link.url, link)
        elif site and len(abroad) < MOST_ABROAD:
            abroad.setdefault(site, link)
    if abroad:
        around = _texts({link.url for link in abroad.values()}, response)
        for site, link in abroad.items():
            abroad[site] = link._replace(around=around.get(link.url, link.text))
    return Reading(page, tuple(own.values()), tuple(abroad.values()))


def _texts(urls: set[str], response: Response) -> dict[str, str]:
    """Return by address the text of the largest element around its link that holds no other."""
    kind = response.header("content-type")
    document = LexborHTMLParser(readable(response.body[:MAX_BODY], kind))
    nodes = document.css("a[href],base[href]")
    base = Base(base_of(nodes, response.url))
    counts: dict[int, int] = {}
    texts: dict[str, str] = {}
    for node in nodes:
        url = target_of(base, node.attributes.get("href") or "") if node.tag == "a" else ""
        if url in urls and url not in texts:
            text = _widest(node, counts).text(separator=" ")
            texts[url] = " ".join(text.split())[:MOST_AROUND]
    return texts


def _widest(node: LexborNode, counts: dict[int, int]) -> LexborNode:
    while (parent := node.parent) is not None and parent.tag not in _WHOLE:
        number = parent.mem_id
        if number not in counts:
            counts[number] = len(parent.css("a[href]"))
        if counts[number] > 1:
            break
        node = parent
    return node
