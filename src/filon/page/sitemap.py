"""The addresses that sitemaps and feeds list: indexes, URL sets, texts, RSS and Atom, also gzipped.

Read with patterns, not with an XML parser: what is wanted is one element, files are often broken,
and entities that expand without end expand to nothing here.
"""

import codecs
import html
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from filon.page.dates import Span, dated
from filon.page.url import join

#: The protocol's own bounds are 50,000 addresses and 50 MB; feeds are far smaller. A text may have
#: as many lines that are none.
MAX_BYTES = 50 * 1024 * 1024
MAX_PLACES = 50_000
MAX_LINES = 2 * MAX_PLACES

_ROOT = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex|rss|rdf|feed)[\s>]", re.IGNORECASE)
# No part of a pattern passes a "<": a file of nothing but openings takes no longer than another.
_TEXT = rb"\s*((?:<!\[CDATA\[)?[^<]*)"
_LOC = re.compile(rb"<(?:\w+:)?loc>" + _TEXT, re.IGNORECASE)
# A `guid` is an address only where it is a permanent link, and then a whole one.
_RSS = re.compile(
    rb"<link(?:\s[^<>]*)?>" + _TEXT + rb"|<enclosure\s[^<>]*?url=[\"']([^\"'<]+)"
    rb"|<guid(?![^<>]*\sispermalink\s*=\s*[\"']?false)(?:\s[^<>]*)?>"
    rb"\s*((?:<!\[CDATA\[\s*)?https?://[^<]*)",
    re.IGNORECASE,
)
# Of an entry's links some lead to the feed itself, to comments on it, to what programs talk to.
_ATOM = re.compile(
    rb"<(?:\w+:)?link\s(?![^<>]*\brel=[\"'](?:self|replies|edit|edit-media|hub|service|search)[\"'])"
    rb"[^<>]*?href=[\"']([^\"'<]+)",
    re.IGNORECASE,
)
# Where an entry begins, and what it says of its date: of several the latest counts.
_ENTRY = re.compile(rb"<(?:\w+:)?(?:url|sitemap|item|entry)[\s>]", re.IGNORECASE)
_DATE = re.compile(
    rb"<(?:\w+:)?(?:lastmod|pubdate|date|updated|modified|published)(?:\s[^<>]*)?>" + _TEXT,
    re.IGNORECASE,
)
# A text with an address a line. Any text may begin with an address: a name or a link must say so.
_NAMES_TEXT = re.compile(r"sitemap[^/?]*\.txt(?:\.gz)?(?:\?|$)", re.IGNORECASE)
_LINE = re.compile(rb"[^\s\0][^\r\n]*")
_ADDRESS = re.compile(rb"https?://\S+\s*$", re.IGNORECASE)
_PATTERNS = {b"urlset": _LOC, b"sitemapindex": _LOC, b"rss": _RSS, b"rdf": _RSS, b"feed": _ATOM}


#: The semantic sitemap extension: where the data is as a whole.
_DUMP = re.compile(rb"<(?:\w+:)?dataDumpLocation>" + _TEXT, re.IGNORECASE)
_ENDPOINT = re.compile(rb"<(?:\w+:)?sparqlEndpointLocation(?:\s[^<>]*)?>" + _TEXT, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Datasets:
    """What a semantic sitemap names beside pages."""

    dumps: tuple[str, ...]
    endpoints: tuple[str, ...]


def datasets(body: bytes, url: str) -> Datasets:
    """Return the dumps and endpoints that a semantic sitemap names.

    >>> datasets(b"<urlset><sc:dataDumpLocation>/all.nt</sc:dataDumpLocation></urlset>",
    ...          "http://a.org/s.xml").dumps
    ('http://a.org/all.nt',)
    """
    body = _text(body)
    if b"DumpLocation" not in body and b"EndpointLocation" not in body:
        return Datasets((), ())
    found = [
        tuple(
            dict.fromkeys(
                place for match in kind.finditer(body) if (place := join(url, _plain(match[1])))
            )
        )
        for kind in (_DUMP, _ENDPOINT)
    ]
    return Datasets(found[0], found[1])


def is_index(body: bytes) -> bool:
    """Say whether a sitemap lists sitemaps."""
    root = _ROOT.search(_text(body[:65_536]), 0, 4096)
    return root is not None and root[1].lower() == b"sitemapindex"


def names_text(url: str) -> bool:
    """Say whether a URL looks like that of a sitemap in plain text.

    >>> names_text("http://example.org/Sitemap-2.txt.gz"), names_text("http://example.org/all.txt")
    (True, False)
    """
    return _NAMES_TEXT.search(url) is not None


def places(body: bytes, url: str, *, named: bool = False) -> list[str]:
    """Return the absolute URLs that a sitemap or feed lists, in order; empty if it is neither.

    named: it was named as a sitemap, so it may be a plain text, whatever its URL looks like.

    >>> places(b"<urlset><url><loc>/a?b=1&amp;c=2</loc></url></urlset>", "http://example.org/s.xml")
    ['http://example.org/a?b=1&c=2']
    """
    found: dict[str, None] = {}
    for place, _ in _named(_text(body), url, named=named):
        found[place] = None
        if len(found) >= MAX_PLACES:
            break
    return list(found)


def dates(body: bytes, url: str) -> dict[str, Span]:
    """Return when the addresses changed that a sitemap, an index or a feed lists, as it says.

    What has no date, or none that can be read, is left out.

    >>> index = b"<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2024-05-01</lastmod></sitemap>"
    >>> dates(index, "http://example.org/s.xml")["http://example.org/a.xml"].first.isoformat()
    '2024-05-01T00:00:00+00:00'
    """
    body = _text(body)
    entries = [match.start() for match in _ENTRY.finditer(body)]
    told: dict[int, Span] = {}
    for match in _DATE.finditer(body):
        entry = bisect_right(entries, match.start())
        span = dated(_plain(match[1])) if entry else None
        if span and (entry not in told or span.last > told[entry].last):
            told[entry] = span
    found: dict[str, Span] = {}
    for place, start in _named(body, url) if told else ():
        if (span := told.get(bisect_right(entries, start))) and len(found) < MAX_PLACES:
            found[place] = max(span, found.get(place, span))
    return found


def _named(body: bytes, url: str, *, named: bool = False) -> Iterator[tuple[str, int]]:
    """Yield what a sitemap or feed names, and where it stands in the file."""
    root = _ROOT.search(body, 0, 4096)
    if root is None and (named or names_text(url)):
        yield from _lines(body, url)
    for match in _PATTERNS[root[1].lower()].finditer(body) if root else ():
        text = next(group for group in (*match.groups(), b"") if group is not None)
        address = _plain(text)
        if address and (place := join(url, address)):
            yield place, match.start()


def _lines(body: bytes, url: str) -> Iterator[tuple[str, int]]:
    """Yield what a text names that begins with an address; a line that is none is passed over."""
    lines = islice(_LINE.finditer(body.removeprefix(codecs.BOM_UTF8)), MAX_LINES)
    for count, line in enumerate(lines):
        address = _ADDRESS.match(line[0][:4096])
        if not (address or count):
            return
        place = join(url, line[0].decode("utf-8", "replace").strip()) if address else ""
        if place:
            yield place, line.start()


def _plain(text: bytes) -> str:
    """Return the text of an element, whether escaped or in a CDATA section."""
    text = text.strip().removeprefix(b"<![CDATA[").removesuffix(b"]]>")
    return html.unescape(text.decode("utf-8", "replace").strip())[:4096]


def _text(body: bytes) -> bytes:
    """Return a sitemap as text in UTF-8, at most MAX_BYTES of it: no other has addresses in it."""
    body = _unzipped(body)[:MAX_BYTES]
    codec = _wide(body[:2])
    return body.decode(codec, "replace").encode("utf-8", "replace") if codec else body


def _wide(first: bytes) -> str:
    """Return which UTF-16 a file begins in, by its mark or by its first character; "": none."""
    if first in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    if len(first) == 2 and 0 in first and any(first):
        return "utf-16-be" if first[0] == 0 else "utf-16-le"
    return ""


def _unzipped(body: bytes) -> bytes:
    """Return a gzipped sitemap as text, at most MAX_BYTES of it."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    try:
        return zlib.decompressobj(31).decompress(body, MAX_BYTES)
    except zlib.error:
        return b""
