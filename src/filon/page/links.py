"""All links of a page in one pass, with anchor text and tag path (section 2.2 of the paper).

A tag path names each element from the root to the link: its tag, "." and its classes in document
order, "#" and its id: `/html/body.home page/div.row#main/a.btn`. Two links with the same path
look alike to whoever made the page.

Everything is bounded, since pages are other people's: bytes, links, path and text.
"""

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.page.base import Base
from filon.page.charset import to_utf8
from filon.page.described import Described, described
from filon.page.limits import limited
from filon.page.surroundings import Surroundings
from filon.page.url import join

#: Longer pages are cut: 8 MB is far beyond any page for people, and parses in a quarter second.
MAX_BODY = 8 * 1024 * 1024
#: A directory listing may hold this many files.
MAX_LINKS = 100_000
#: The longest real tag paths have some 1,500 characters; deeper elements are left out.
MAX_PATH = 4_000
MAX_STEP = 1_000
MAX_TEXT = 200
#: How many nodes are looked at for one text.
MAX_TEXT_NODES = 60

_SOURCES = "a[href],area[href],iframe[src],frame[src],link[rel],meta[http-equiv],base[href]"
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)
_SELF_CLOSED = re.compile(
    rb"<(script|style|title|textarea|iframe|noscript|a|div|span|p)\b([^<>]*)/>", re.IGNORECASE
)
# What most pages have that is not to be fetched: `join` would find out too, for more.
_ELSEWHERE = ("javascript:", "mailto:", "data:", "tel:")
_STEPS = frozenset({"next", "prev", "previous"})
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_FEED = re.compile(r"(?:^|[/?=.])(?:feed|rss|atom)\d*(?:[/?&.]|$)", re.IGNORECASE)
_CHORE = re.compile(r"oembed|wp-json|rest_route|xmlrpc|jsonapi", re.IGNORECASE)
#: What a `link` in the head of a page leads to, see `head_kind`.
STEP, ALTERNATE, FEED, CHORE = "step", "alternate", "feed", "chore"
HEADS = frozenset({STEP, ALTERNATE, FEED, CHORE})
#: What a page names to machines alone, see `described`: asked for as a kind of `link` is.
DESCRIBED = "described"
#: What is read around a link, see `links`.
NEAREST, ALONE = "nearest", "alone"
_BLOCK_TAGS = """
    p li td th tr dt dd div section article aside header footer nav main figure figcaption
    blockquote h1 h2 h3 h4 h5 h6 caption address fieldset form body
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_SILENT = frozenset({"script", "style"})

#: Tells whether a URL is of interest.
Wanted = Callable[[str], bool]
#: Tells by URL, tag path and text whether a link is of interest where it stands.
Placed = Callable[[str, str, str], bool]
#: An element that links, and where it leads.
Linked = tuple[LexborNode, str]


class Link(NamedTuple):
    """One link of a page. A tuple, because a page has a hundred and a dataclass costs twice that.

    url: absolute, without fragment.
    path: the tag path; of a `link` with its relation, as /html/head/link[next].
    text: the anchor text, white space collapsed.
    tag: "a", "area", "iframe", "frame", "link" or "meta"; "data" of what is described.
    around: what stands around the link, where it was asked for.
    hint: what the page says it leads to: a media type (`type=`), or "download", or nothing.
    """

    url: str
    path: str
    text: str
    tag: str
    around: str = ""
    hint: str = ""


def links(
    body: bytes,
    url: str,
    content_type: str = "",
    *,
    around: str = "",
    wanted: Wanted | None = None,
    placed: Placed | None = None,
    heads: Collection[str] = HEADS,
) -> list[Link]:
    """Return the links of a page in document order, repeated ones included.

    around: with what stands around each: NEAREST, the text of the nearest block; ALONE, words and
    marks of the largest part of the page that leads nowhere else, see `Surroundings`; or nothing.
    wanted: tells whether a URL is of interest, asked once a link and in this order. Most links of
    a page are the site's menu; where they stand need not be worked out.
    placed: tells the same of a link that is wanted, by where it stands, before anybody looks at
    what is around it.
    heads: the kinds of `link` in its head that count; with DESCRIBED what it describes to machines
    comes last.

    Characters beyond ASCII in a query are sent as UTF-8, whatever the page is in: a browser
    would send those of the page's own charset.

    >>> link, = links(b'<base href="/d/"><p class=x><a href=1.csv>The data</a>', "http://a.org/")
    >>> link.url, link.path, link.text
    ('http://a.org/d/1.csv', '/html/body/p.x/a', 'The data')
    """
    page = readable(body[:MAX_BODY], content_type)
    document = LexborHTMLParser(page)
    nodes = document.css(_SOURCES)
    tags = [node.tag or "" for node in nodes]
    base = Base(base_of(nodes, url) if "base" in tags else url)
    known, anywhere = base.known, base.anywhere
    paths: dict[int, str] = {}
    same: dict[str, str] = {}
    linked: list[Linked] = []
    for tag, node in zip(tags[:MAX_LINKS], nodes, strict=False):
        if tag == "a":  # nearly all, and of most of them nothing else is asked
            href = node.attrs.get("href") or ""
        else:
            if tag == "link" and _is_dull(node.attrs.get("rel") or ""):
                continue  # nearly all of them
            attributes = node.attributes
            if tag == "link" and head_kind(attributes) not in heads:
                continue
            other = href_of(tag, attributes)
            if other is None:
                continue
            href = other
        target = anywhere.get(href)
        if target is None:
            target = known.get(href)
            if target is None:
                target = target_of(base, href)
        if target:
            linked.append((node, target))
    chosen = linked if wanted is None else [pair for pair in linked if wanted(pair[1])]
    data = _data(described(document, page), base, wanted) if DESCRIBED in heads else []
    if not chosen:
        return data
    stand: list[tuple[LexborNode, str, str, str, str, str]] = []
    for node, target in chosen:
        tag, attributes = node.tag or "", node.attributes
        path = _path(node, tag, attributes, paths)
        text = text_of(node) if tag == "a" else _label(attributes)
        if placed is None or placed(target, path, text):
            hint = _hint(attributes) if "type" in attributes or "download" in attributes else ""
            stand.append((node, target, same.setdefault(path, path), text, tag, hint))
    if around == ALONE:
        of = Surroundings(_near(linked, [each[:2] for each in stand], url)).of
    else:
        of = _Blocks().of if around else _nothing
    return [
        Link(target, path, text, tag, of(node, target), hint)
        for node, target, path, text, tag, hint in stand
    ] + data


def _data(told: list[Described], base: Base, wanted: Wanted | None) -> list[Link]:
    """Return as links what a page describes to machines."""
    return [
        Link(target, one.path, one.text, "data", "", one.hint)
        for one in told
        if (target := target_of(base, one.address)) and (wanted is None or wanted(target))
    ]


def _near(linked: list[Linked], chosen: list[Linked], url: str) -> list[Linked]:
    """Return the links to elsewhere that bound what stands around the chosen ones.

    Those are these themselves, wherever they stand, and the one before and after each: a part of
    the page that holds a chosen link and one to another place holds one of them that does so.
    """
    elsewhere = [pair for pair in linked if pair[1] != url]
    if len(chosen) * 3 >= len(elsewhere):
        return elsewhere
    new = {target for _, target in chosen}
    at = [place for place, (_, target) in enumerate(elsewhere) if target in new]
    near = {place + step for place in at for step in (-1, 0, 1)}
    return [pair for place, pair in enumerate(elsewhere) if place in near]


def readable(body: bytes, content_type: str) -> bytes:
    """Return a page as the parser takes it: UTF-8, and nothing that keeps it busy for minutes."""
    page = limited(to_utf8(body, content_type))
    if "xhtml" in content_type:
        # An HTML parser takes <script/> for open and swallows the rest of the page.
        page = _SELF_CLOSED.sub(rb"<\1\2></\1>", page)
    return page


def base_of(nodes: list[LexborNode], url: str) -> str:
    """Return what relative links are relative to: the first base element counts."""
    for node in nodes:
        if node.tag == "base":
            return join(url, node.attributes.get("href") or "") or url
    return url


def href_of(tag: str, attributes: dict[str, str | None]) -> str | None:
    """Return the address that an element names, or None if it is no link to follow."""
    if tag in ("a", "area"):
        return attributes.get("href") or ""
    if tag in ("iframe", "frame"):
        return attributes.get("src") or None
    if tag == "link":
        return attributes.get("href") if head_kind(attributes) else None
    if tag == "meta" and (attributes.get("http-equiv") or "").strip().lower() == "refresh":
        match = _REFRESH.match(attributes.get("content") or "")
        return match[1].strip() or None if match else None
    return None


def head_kind(attributes: dict[str, str | None]) -> str:
    """Return what a `link` in the head leads to, or "" if it is no link to follow.

    STEP: the page before or after this one. ALTERNATE: the page in another language, its data in
    another format. FEED: news of the page or of the site. CHORE: what software of the site asks for
    by itself, or the same page for another screen.
    """
    named = attributes.get("rel") or ""
    if _is_dull(named):
        return ""
    relations = named.lower().split()
    if "stylesheet" in relations:
        return ""
    if not _STEPS.isdisjoint(relations):
        return STEP
    if "alternate" not in relations:
        return ""
    mime, href = _media_type(attributes), attributes.get("href") or ""
    if "oembed" in mime or attributes.get("media") or _CHORE.search(href):
        return CHORE
    is_feed = mime in _FEED_TYPES or (not attributes.get("hreflang") and _FEED.search(href))
    return FEED if is_feed else ALTERNATE


@lru_cache(maxsize=256)
def _is_dull(relations: str) -> bool:
    """Tell whether a `link` is none to follow by its relations alone."""
    named = relations.lower()
    return "alternate" not in named and "next" not in named and "prev" not in named


def target_of(base: Base, href: str) -> str:
    """Return where an address leads; "" where that is not on the web."""
    return "" if href.startswith(_ELSEWHERE) else base.join(href)


def _path(
    node: LexborNode, tag: str, attributes: dict[str, str | None], paths: dict[int, str]
) -> str:
    """Return the tag path of a link; its ancestors' paths are worked out once a page."""
    waiting: list[tuple[int, LexborNode]] = []
    path = ""
    parent = node.parent
    while parent is not None:
        number = parent.mem_id
        known = paths.get(number)
        if known is not None:
            path = known
            break
        waiting.append((number, parent))
        parent = parent.parent
    for number, element in reversed(waiting):
        name = element.tag or ""
        if name[:1] != "-" and len(path) < MAX_PATH:
            path += _step(name, element.attributes)
        paths[number] = path
    if tag == "link":
        tag = f"link[{' '.join(sorted((attributes.get('rel') or '').lower().split()))}]"
    return path + _step(tag, attributes)


def _step(tag: str, attributes: dict[str, str | None]) -> str:
    step = "/" + tag
    if classes := attributes.get("class"):
        names = " ".join(classes.split())
        if names:
            step += "." + names
    if name := attributes.get("id"):
        step += "#" + name
    return step[:MAX_STEP]


def _label(attributes: dict[str, str | None]) -> str:
    """Return what an element without text says of itself."""
    text = attributes.get("alt") or attributes.get("title") or ""
    return " ".join(text.split())[:MAX_TEXT]


def text_of(node: LexborNode) -> str:
    """Return the beginning of a node's text, white space collapsed."""
    child = node.first_child
    if child is None:
        return ""
    if child.next is None and child.is_text_node:
        return " ".join((child.text_content or "").split())[:MAX_TEXT]
    parts: list[str] = []
    room = MAX_TEXT * 2
    for count, inner in enumerate(node.traverse(include_text=True)):
        if inner.is_text_node and (inner.parent is None or inner.parent.tag not in _SILENT):
            part = (inner.text_content or "")[:room]
            parts.append(part)
            room -= len(part.strip())
        if room <= 0 or count > MAX_TEXT_NODES:
            break
    return " ".join("".join(parts).split())[:MAX_TEXT]


def _hint(attributes: dict[str, str | None]) -> str:
    """Return the media type that an element names, or that it is for download."""
    mime = _media_type(attributes)
    if "/" in mime:
        return mime[:MAX_TEXT]
    return "download" if "download" in attributes else ""


def _media_type(attributes: dict[str, str | None]) -> str:
    return (attributes.get("type") or "").partition(";")[0].strip().lower()


class _Blocks:
    """The texts of a page's blocks; each is read once."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def of(self, node: LexborNode, target: str) -> str:
        """Return the text of the nearest block that holds a link, wherever that leads."""
        parent = node.parent
        for _ in range(MAX_TEXT_NODES):
            if parent is None or parent.tag in _BLOCKS:
                break
            parent = parent.parent
        if parent is None:
            return ""
        known = self._known.get(parent.mem_id)
        if known is None:
            known = self._known[parent.mem_id] = text_of(parent)
        return known


def _nothing(node: LexborNode, target: str) -> str:
    return ""
