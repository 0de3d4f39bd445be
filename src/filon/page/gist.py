"""What a page says, without its clock and its adverts: two looks at it are compared by that.

A page is read as its blocks of text in order, and as the set of its links. What moves at each look
is left out (page/noise.py); scripts, styles, comments, pictures and the fields of forms are not
looked at. A new row, a figure, a paragraph or a link makes another page of it.
"""

import re
from collections.abc import Callable, Collection, Iterator
from hashlib import blake2b
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from filon.page.base import Base
from filon.page.links import MAX_BODY, readable, target_of
from filon.page.look import is_fragment, text_of
from filon.page.mime import sniff
from filon.page.noise import is_advert, leads_to_file, longest_moving, still, still_url
from filon.page.url import host

#: Written down with every gist: those of other rules cannot be compared, and are made anew.
RULES = 1
#: More are beyond any page for people; the rest is not compared.
MAX_BLOCKS = 200_000
MAX_PLACE = 400
#: How far above a link to a file the row or item is looked for that it stands in.
MAX_CLIMB = 6

#: Where the address of a page is not known, its links are relative to this.
_SOMEWHERE = "http://page.invalid/0/0/0/0/0/0/0/0/"
_SILENT = ["script", "style", "noscript", "template", "svg", "canvas", "object", "noframes"]
_INLINE_TAGS = """
    a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp
    rt ruby s samp small span strike strong sub sup time tt u var wbr
"""
_INLINE = frozenset(_INLINE_TAGS.split())
_CELLS = frozenset({"td", "th", "dd"})
_ROWS = frozenset({"tr", "li", "dd", "dt", "p", "article"})
#: Too large to be noise, whatever they are called.
_WHOLE_TAGS = "html body main article table tbody tr td th ul ol dl form head title"
_WHOLE = frozenset(_WHOLE_TAGS.split())
_DIGITS = re.compile(r"\d+")
_FEED_CLOCK = re.compile(
    rb"<(?:\w+:)?(lastBuildDate|responseDate|generator)\b[^>]*>[^<]*</(?:\w+:)?\1>"
    rb"|<(pubDate|updated)>[^<]*</\2>(?=(?:(?!<(?:item|entry)\b).)*<(?:item|entry)\b)",
    re.DOTALL,
)
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/xml", "text/xml")
_FEED_HEAD_BYTES = 4096


class Gist(NamedTuple):
    """What a page says, as two hashes: of its text in order, and of where its links lead.

    It is a tuple of plain values, to be stored anywhere.
    """

    text: str
    links: str
    rules: int = RULES


class Block(NamedTuple):
    """A piece of text that stands alone.

    place: the elements that it is in, by tag, class and id, with numbers made alike.
    text: without what moves. links: where those in it lead.
    held: it stands beside a link to a file: nothing in it is noise.
    """

    place: str
    text: str
    links: tuple[str, ...] = ()
    held: bool = False


def gist(body: bytes, mime: str = "", *, url: str = "", noise: Collection[str] = ()) -> Gist:
    """Return what a page says.

    mime: the header Content-Type, as far as it is known. What is no page is taken as it is.
    url: the page's own address, by which links to others are told.
    noise: what else moves, as `Steady` has learnt it.

    >>> old = gist(b"<p>Figures<p>Last updated: 3 May 2026<!-- 0.2 s -->")
    >>> same(old, gist(b"<p>Figures<p>Last updated: 4 May 2026<!-- 0.3 s -->"))
    True
    >>> same(old, gist(b"<p>Figures<p><a href=may.csv>May</a><p>Last updated: 4 May 2026"))
    False
    """
    kind = sniff(body[:MAX_BODY], mime, url)
    if "html" not in kind and (mime or not is_fragment(text_of(body) or "")):
        return Gist(_hash(_without_clock(body, kind)), "")
    told = [block for block in blocks(body, mime, url=url) if not is_noise(block, noise)]
    text = "\n".join(block.text for block in told if block.text)
    links = sorted({link for block in told for link in block.links})
    return Gist(
        _hash(text.encode("utf-8", "replace")), _hash("\n".join(links).encode("utf-8", "replace"))
    )


def same(old: Gist, new: Gist) -> bool:
    """Say whether a page says what it said before, by gists of the same rules."""
    return old == new


def is_noise(block: Block, noise: Collection[str]) -> bool:
    """Say whether a block moves at every look, by its place or by its place and what it says."""
    if not noise or block.held:
        return False
    return place_name(block) in noise or skeleton_name(block) in noise


def place_name(block: Block) -> str:
    """Return a short name for where a block stands."""
    return _hash(block.place.encode("utf-8", "replace"))


def skeleton_name(block: Block) -> str:
    """Return a short name for where a block stands and what it says, whatever its numbers are."""
    text = _DIGITS.sub("0", block.text)
    return _hash(f"{block.place}|{text}".encode("utf-8", "replace"))


def blocks(body: bytes, mime: str = "", *, url: str = "") -> list[Block]:
    """Return the texts of a page in order, with the links in them."""
    document = LexborHTMLParser(readable(body[:MAX_BODY], mime))
    base = document.css_first("base[href]")
    address = target_of(Base(url or _SOMEWHERE), _attribute(base, "href")) if base else ""
    document.strip_tags(_SILENT)
    root = document.root
    return _Reader(document, Base(address or url or _SOMEWHERE), url).read(root) if root else []


class _Reader:
    """One walk over a page."""

    def __init__(self, document: LexborHTMLParser, base: Base, url: str) -> None:
        self._base, self._host = base, host(url) if url else ""
        self._above, self._rows = self._files(document)
        self._found: list[Block] = []
        self._texts: list[str] = []
        self._links: list[str] = []
        self._places = [""]
        self._cells = self._held = 0

    def _files(self, document: LexborHTMLParser) -> tuple[set[int], set[int]]:
        """Return the elements above links to files, and the rows that such links stand in."""
        above: set[int] = set()
        rows: set[int] = set()
        for node in document.css("a[href]"):
            if not leads_to_file(self._target(_attribute(node, "href"))):
                continue
            parent, row = node.parent, 0
            for height in range(10 * MAX_BLOCKS):
                if parent is None:
                    break
                number = parent.mem_id
                if not row and height < MAX_CLIMB and parent.tag in _ROWS:
                    rows.add(row := number)
                if number in above and (row or height >= MAX_CLIMB):
                    break
                above.add(number)
                parent = parent.parent
        return above, rows

    def read(self, root: LexborNode) -> list[Block]:
        for node, enters in _walk(root, self._enters):
            if enters:
                self._enter(node)
            else:
                self._leave(node)
            if len(self._found) >= MAX_BLOCKS:
                break
        self._cut()
        return self._found

    def _enters(self, node: LexborNode) -> bool:
        """Say whether an element is looked at: all but what is noise by its name or its link."""
        if not node.is_element_node:
            return False
        tag = node.tag or ""
        if tag in _WHOLE:
            return True
        if tag == "a" and is_advert(self._target(_attribute(node, "href"))):
            return False
        if tag == "iframe" and is_advert(self._target(_attribute(node, "src"))):
            return False
        attributes = node.attrs
        names = attributes.get("class") or ""
        if name := attributes.get("id"):
            names = f"{names} {name}"
        if not names or node.mem_id in self._above or self._held:
            return True
        longest = longest_moving(names)
        return not longest or len(node.text()) > longest

    def _enter(self, node: LexborNode) -> None:
        if node.is_text_node:
            self._texts.append(node.text_content or "")
            return
        tag = node.tag or ""
        if tag in ("a", "area"):
            self._link(node, _attribute(node, "href"))
        elif tag in ("iframe", "frame"):
            self._link(node, _attribute(node, "src"), framed=True)
        elif tag == "br":
            self._cut()
        if tag in _INLINE:
            return
        self._cut()
        self._places.append(f"{self._places[-1]}/{_step(node, tag)}"[:MAX_PLACE])
        self._cells += tag in _CELLS
        self._held += node.mem_id in self._rows

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if node.is_text_node or tag in _INLINE:
            return
        self._cut()
        self._places.pop()
        self._cells -= tag in _CELLS
        self._held -= node.mem_id in self._rows

    def _link(self, node: LexborNode, href: str, *, framed: bool = False) -> None:
        target = self._target(href)
        if not target:
            return
        # A picture that leads to another site is an advert or a badge.
        is_foreign = bool(self._host) and host(target) != self._host
        if is_foreign and not framed and not leads_to_file(target) and not node.text(strip=True):
            return
        self._links.append(still_url(target))

    def _target(self, href: str) -> str:
        return target_of(self._base, href) if href else ""

    def _cut(self) -> None:
        """End a block."""
        if not (self._texts or self._links):
            return
        text = " ".join("".join(self._texts).split())
        if text or self._links:
            held = self._held > 0 or any(map(leads_to_file, self._links))
            told = still(text, cell=self._cells > 0, beside_file=held)
            self._found.append(Block(self._places[-1], told, tuple(self._links), held))
        self._texts.clear()
        self._links.clear()


def _walk(
    root: LexborNode, enters: Callable[[LexborNode], bool]
) -> Iterator[tuple[LexborNode, bool]]:
    """Yield each element as it begins (True) and as it ends (False), and texts likewise."""
    node = root
    while True:
        wanted = node.is_text_node or enters(node)
        child = None
        if wanted:
            yield node, True
            child = node.first_child
        if child is not None:
            node = child
            continue
        if wanted:
            yield node, False
        while node.next is None:
            parent = node.parent
            if parent is None or parent.mem_id == root.mem_id:
                if parent is not None:
                    yield parent, False
                return
            node = parent
            yield node, False
        node = node.next


def _step(node: LexborNode, tag: str) -> str:
    attributes = node.attrs
    names = attributes.get("class") or ""
    name = attributes.get("id") or ""
    return _DIGITS.sub("0", f"{tag}.{' '.join(names.split())}#{name}") if names or name else tag


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


def _without_clock(body: bytes, kind: str) -> bytes:
    """Return a file as it is; of a feed, without when it was asked for."""
    if kind not in _FEEDS:
        return body
    head = body[:_FEED_HEAD_BYTES]
    return _FEED_CLOCK.sub(b"", head) + body[_FEED_HEAD_BYTES:]


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()
