"""What a text looks like: a page, a tree, a table, or just text."""

import csv
import re

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CONTROLS = bytes(set(range(32)) - {9, 10, 12, 13, 27})
_LOOK_BYTES, _FIRST_BYTES = 16 * 1024, 512
_PREAMBLE = re.compile(r"\s*(?:(?:<\?xml[^>]*\?>|<!--.*?-->)\s*)*", re.DOTALL)
# A whole page, or what a server writes when it has nothing better: no file begins like this.
_PAGE = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|noscript|iframe)\b",
    re.IGNORECASE,
)
# A piece of a page.
_FRAGMENT = re.compile(
    r"<(?:div|p|span|table|tr|td|a|b|i|br|hr|h[1-6]|ul|ol|li|dl|font|center|img|form|section|nav"
    r"|article|header|footer|main|pre|strong|em|input|button)\b",
    re.IGNORECASE,
)
_ROOT = re.compile(r"(?:<!(?:doctype|DOCTYPE)[^>]*>\s*)?<(?:[\w.-]+:)?([\w.-]+)[\s/>]")
_ROOTS = {
    "rss": "application/rss+xml",
    "feed": "application/atom+xml",
    "kml": "application/vnd.google-earth.kml+xml",
    "rdf": "application/rdf+xml",
    "svg": "image/svg+xml",
    "html": "application/xhtml+xml",
}
_JSON = re.compile(
    r"\s*(?:\{\s*(?:\"|\}\s*$)|\[\s*(?:[\[{\"]|-?\d[\d.eE+-]*\s*[,\]]|(?:true|false|null)\s*[,\]]|\]\s*$))"
)
_JSON_LINES = re.compile(r"\{[^\n]*\}\s*\n\{")
_TURTLE = re.compile(r"(?:\s*#[^\n]*\n)*\s*(?:@prefix|@base|PREFIX)\s", re.IGNORECASE)
_DELIMITERS = {",": "text/csv", ";": "text/csv", "\t": "text/tab-separated-values", "|": "text/csv"}


def text_of(body: bytes) -> str | None:
    """Return the beginning of a text, or None if the bytes are no text."""
    head = body[:_LOOK_BYTES]
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return head[len(mark) :].decode(codec, "replace")
    if len(head.translate(None, _CONTROLS)) < len(head):
        return None
    try:
        return head.decode("utf-8")
    except UnicodeDecodeError:
        return head.decode("cp1252", "replace")


def begins_page(body: bytes) -> bool:
    """Say whether bytes are surely a text that begins as an HTML page does; the first tell it.

    >>> begins_page(b"<!DOCTYPE html><p>"), begins_page(b"<html>\\x00"), begins_page(b"<p>")
    (True, False, False)
    """
    first = body[:_FIRST_BYTES]
    if first[:1] != b"<" or not first.isascii():
        return False
    text = first.decode("ascii")
    begun = _PAGE.match(text, _start(text))
    if not begun or (begun.end() == len(text) < len(body)):
        return False
    head = body[:_LOOK_BYTES]
    return len(head.translate(None, _CONTROLS)) == len(head)


def is_page(text: str) -> bool:
    """Say whether a text begins as an HTML page does.

    >>> is_page("<!-- x --> <!DOCTYPE html><p>"), is_page("<kml>"), is_page("a,b")
    (True, False, False)
    """
    return _PAGE.match(text, _start(text)) is not None


def is_fragment(text: str) -> bool:
    """Say whether a text begins as a piece of a page does, or has its elements further on."""
    return begins_fragment(text) or _FRAGMENT.search(text) is not None


def begins_fragment(text: str) -> bool:
    """Say whether a text begins as a piece of a page does.

    >>> begins_fragment(" <p>one"), begins_fragment("<rows><p>one</p></rows>")
    (True, False)
    """
    return _FRAGMENT.match(text, _start(text)) is not None


def _start(text: str) -> int:
    match = _PREAMBLE.match(text)
    return match.end() if match else 0


def xml_type(text: str) -> str:
    """Return the media type of an XML document by its root element; "" if it is none."""
    declared = text.lstrip().startswith("<?xml")
    root = _ROOT.match(text, _start(text))
    if not declared and not (root and "xmlns" in text[:2000]):
        return ""
    return _ROOTS.get(root[1].lower(), "application/xml") if root else "application/xml"


def tree_type(text: str) -> str:
    """Return the media type of JSON, JSON lines or Turtle; "" if it is none."""
    if _JSON.match(text):
        return "application/x-ndjson" if _JSON_LINES.match(text) else "application/json"
    return "text/turtle" if _TURTLE.match(text) else ""


def table_type(text: str, *, rows: int = 3) -> str:
    """Return the media type of a table: several lines with as many cells each; "" if it is none.

    >>> table_type("a;b\\n1;2\\n3;4\\n"), table_type("Well, this\\nis just\\ntext, you see\\n")
    ('text/csv', '')
    """
    lines = [line for line in text.splitlines()[:50] if line.strip()]
    if len(text) >= _LOOK_BYTES // 4:
        lines = lines[:-1]
    if len(lines) < rows:
        return ""
    for delimiter, media in _DELIMITERS.items():
        widths = _widths(lines, delimiter)
        if len(set(widths)) != 1:
            continue
        # Two columns may be chance (a comma in each of three sentences): ask for more lines.
        if widths[0] > 2 or len(widths) >= rows + 2 or _terse(lines):
            return media
    return ""


def _terse(lines: list[str]) -> bool:
    """Lines of a table are short or have no sentences in them."""
    return not any(". " in line or ", " in line for line in lines)


def _widths(lines: list[str], delimiter: str) -> list[int]:
    if delimiter not in lines[0]:
        return []
    try:
        return [len(row) for row in csv.reader(lines, delimiter=delimiter)]
    except csv.Error:
        return []
