"""What an answer really is: the server's word, checked against the first bytes.

The server is believed unless it says nothing, says nothing in particular, or the bytes prove it
wrong. Bytes that prove nothing leave its word as it is.
"""

from filon.page import formats
from filon.page.look import (
    begins_page,
    is_fragment,
    is_page,
    table_type,
    text_of,
    tree_type,
    xml_type,
)
from filon.page.name import extension_of, file_name
from filon.page.signature import container, family, signature, signed

__all__ = ["file_name", "sniff"]

#: Types by which a server says "a file", or gives what it knows of no other name for.
GENERIC = frozenset(
    {
        "",
        "*/*",
        "application/binary",
        "application/data",
        "application/download",
        "application/file",
        "application/force-download",
        "application/octet-stream",
        "application/octetstream",
        "application/save",
        "application/unknown",
        "application/x-binary",
        "application/x-download",
        "application/x-force-download",
        "application/x-octet-stream",
        "application/x-unknown",
        "binary/octet-stream",
        "content/unknown",
        "text/plain",
        "unknown/unknown",
    }
)
_CSV = "text/csv"
_EXCEL = "application/vnd.ms-excel"
_TABLES = (_CSV, "text/tab-separated-values")


def sniff(body: bytes, claimed: str, url: str = "", disposition: str = "") -> str:
    """Return the media type that an answer really has.

    body: its beginning is enough. An empty one proves nothing.
    claimed, disposition: the headers Content-Type and Content-Disposition.

    >>> sniff(b"<!DOCTYPE html><h1>Not found", "text/csv", "http://example.org/a.csv")
    'text/html'
    >>> sniff(b"year,gdp\\n2019,1\\n2020,2\\n", "application/octet-stream", "http://example.org/get")
    'text/csv'
    """
    media = claimed.partition(";")[0].strip().lower()
    proven = container(body)
    if not proven and "html" in media and begins_page(body):
        return media  # as most answers are
    text = None if proven else text_of(body)
    if text and text[0] == "<" and "html" in media and is_page(text):
        return media  # as most answers are, whatever they are called
    name = extension_of(file_name(url, disposition))
    if not body:
        return media or formats.mime_of(name)
    if proven:
        return _against_signature(signature(body, name), media)
    if text is None:
        return _binary(media, name)
    return _text(text, media, name)


def _against_signature(proven: str, media: str) -> str:
    """Keep the claim where it names the same thing; two names for one format are both right."""
    if family(proven) != family(media):
        return proven
    plain_container = media in formats.DATA["zip"] and proven != "application/zip"
    return proven if plain_container else media


def _binary(media: str, name: str) -> str:
    """Bytes without a signature: a name may say what they are, a text type cannot."""
    by_name = formats.mime_of(name)
    if media in GENERIC:
        known = by_name and not by_name.startswith("text/") and not signed(by_name)
        return by_name if known else _unknown(media)
    return media


def _unknown(media: str) -> str:
    return media or "application/octet-stream"


def _text(text: str, media: str, name: str) -> str:
    if "html" in media:
        return _claimed_page(text, media, name)
    if is_page(text):
        return media if _excel_page(text, media) else _page_type(text)
    if media in GENERIC:
        return _generic_text(text, media, name)
    return _claimed_otherwise(text, media, name)


def _claimed_page(text: str, media: str, name: str) -> str:
    """Believe "text/html" unless there is no markup at all and it looks like a file."""
    if text.lstrip().startswith("<"):
        feed = "" if is_page(text) else xml_type(text)
        return feed if feed and "html" not in feed and not is_fragment(text) else media
    if is_fragment(text):
        return media
    by_name = formats.mime_of(name)
    if by_name in _TABLES and "<" not in text:
        return by_name  # a table may have one column, and then looks like nothing
    rows = 2 if by_name in _TABLES else 4
    return tree_type(text) or table_type(text, rows=rows) or media


def _excel_page(text: str, media: str) -> bool:
    """Excel opens HTML tables, and half of the web's "xls" exports are such: those are files."""
    if media not in formats.DATA["xls"]:
        return False
    low = text.lower()
    return "schemas-microsoft-com:office" in low or ("<table" in low[:3000] and "<a " not in low)


def _page_type(text: str) -> str:
    return "application/xhtml+xml" if xml_type(text) == "application/xhtml+xml" else "text/html"


def _generic_text(text: str, media: str, name: str) -> str:
    by_name = formats.mime_of(name)
    looks = xml_type(text) or tree_type(text)
    if looks:
        # A name may be more exact than a look: GeoJSON is JSON, GML is XML.
        return by_name if _narrows(by_name, looks) else looks
    if by_name and by_name not in GENERIC and "html" not in by_name and not signed(by_name):
        return by_name
    return table_type(text) or media or "text/plain"


def _narrows(by_name: str, looks: str) -> bool:
    kinds = {
        "application/json": ("json", "jsonl", "geojson", "topojson", "jsonld"),
        "application/x-ndjson": ("jsonl",),
        "application/xml": ("xml", "kml", "gml", "rdf"),
    }
    return any(formats.mime_of(name) == by_name for name in kinds.get(looks, ()))


def _claimed_otherwise(text: str, media: str, name: str) -> str:
    """A claim that text contradicts: a binary format, or a table that is a tree."""
    if signed(media):
        return _generic_text(text, media, name)
    if media in formats.DATA["csv"]:
        return xml_type(text) or tree_type(text) or media
    if media in formats.DATA["xml"]:
        return _narrower_xml(text, media)
    return media


def _narrower_xml(text: str, media: str) -> str:
    narrow = xml_type(text)
    return narrow if narrow and narrow != "application/xml" else media
