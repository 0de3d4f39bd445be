"""What a page says: its title, what it says of itself, and what a reader sees of it."""

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from filon.page.charset import to_utf8
from filon.page.limits import limited

#: Longer pages are cut: no topic needs more.
MAX_BODY = 2 * 1024 * 1024
#: Of a title, a description and keywords; some pages hide whole dictionaries there.
MAX_META = 2_000
#: What no reader sees.
_SILENT = ["script", "style", "noscript", "template", "svg"]
_NAMED = ("description", "keywords")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The texts of a page, white space collapsed.

    text: the visible text, links included, without the title.
    """

    title: str = ""
    description: str = ""
    keywords: str = ""
    text: str = ""

    @property
    def meta(self) -> str:
        """Title, description and keywords one after the other."""
        return " ".join(part for part in (self.title, self.description, self.keywords) if part)


def page_text(body: bytes, content_type: str = "") -> PageText:
    """Read a page in any charset.

    >>> page = page_text(b"<title>A b</title><meta name=Keywords content='x, y'><p>c<br>d<script>e")
    >>> page.meta, page.text
    ('A b x, y', 'c d')
    """
    page = to_utf8(body[:MAX_BODY], content_type)
    if content_type.partition(";")[0].strip().lower() == "text/plain":
        return PageText(text=_plain(page.decode("utf-8", "replace")))
    document = LexborHTMLParser(limited(page))
    title = document.css_first("title")
    meta = _named(document)
    # A title that stands in the body, as in old pages, is no text of it.
    document.strip_tags([*_SILENT, "title"])
    shown = document.body.text(separator=" ") if document.body else ""
    return PageText(
        title=_plain(title.text())[:MAX_META] if title else "",
        description=meta["description"],
        keywords=meta["keywords"],
        text=_plain(shown),
    )


def _named(document: LexborHTMLParser) -> dict[str, str]:
    """Return what the first meta element of each name says."""
    meta = dict.fromkeys(_NAMED, "")
    for node in document.css("meta[name][content]"):
        attributes = node.attributes
        name = (attributes.get("name") or "").strip().lower()
        if name in meta and not meta[name]:
            meta[name] = _plain(attributes.get("content") or "")[:MAX_META]
    return meta


def _plain(text: str) -> str:
    """Collapse white space; half a character of a broken page can be stored nowhere."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
