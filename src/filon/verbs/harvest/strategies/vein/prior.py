"""How likely a link is a target before anything was learnt on the site: by what it looks like.

The extension says most, then a media type that the page gives with the link. Without these, a
`download` attribute, a folder or parameter that downloads have, or a format's name in the anchor
text, is a hint. These chances are where learning starts, not where it ends.
"""

import re

from filon.page import formats
from filon.page.links import Link
from filon.page.types import Types, housekeeping
from filon.page.url import extension

FILE, TYPED, HINTED, UNKNOWN, FOLDER, PAGE = 0.9, 0.8, 0.4, 0.1, 0.02, 0.02

_PAGES = frozenset(
    [
        "html",
        "htm",
        "xhtml",
        "shtml",
        "php",
        "php3",
        "asp",
        "aspx",
        "jsp",
        "jspx",
        "do",
        "cgi",
        "cfm",
        "pl",
    ]
)
_DOWNLOAD = re.compile(
    r"/(?:downloads?|dl|get-?file|attachments?|exports?|bitstreams?|datafile)(?:/|$)"
    r"|[?&](?:format|outputformat|accesstype|download|file|filename|export)=",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"\b(?:csv|tsv|xlsx?|ods|json|geojson|xml|zip|pdf|docx?|parquet|shp|kml|sav|dta)\b",
    re.IGNORECASE,
)


class Prior:
    """Chances by look. hints: whether more than the extension is looked at."""

    def __init__(self, types: Types, *, hints: bool = True) -> None:
        self._types = types
        self._hints = hints
        self._by_extension: dict[str, float] = {}

    def chance(self, link: Link) -> float:
        """Return the chance that a link is a target, dead links aside."""
        ending = extension(link.url)
        if ending in ("xml", "gz") and housekeeping(link.url):
            return UNKNOWN
        known = UNKNOWN
        if ending:
            known = self._of_extension(ending)
        if self._hints and known != FILE and "/" in link.hint:
            return self._of_type(link.hint)
        if known != UNKNOWN:
            return known
        if self._hints and (self._is_download(link, ending) or _FORMAT.search(link.text)):
            return HINTED
        return FOLDER if link.url.endswith("/") else UNKNOWN

    @staticmethod
    def _is_download(link: Link, ending: str) -> bool:
        # A file whose extension no format has is for download too, but not of a wanted type.
        return bool((link.hint and not ending) or _DOWNLOAD.search(link.url))

    def _of_type(self, mime: str) -> float:
        return TYPED if self._types.wants(mime) else PAGE

    def _of_extension(self, ending: str) -> float:
        known = self._by_extension.get(ending)
        if known is None:
            known = self._by_extension[ending] = self._look_up(ending)
        return known

    def _look_up(self, ending: str) -> float:
        if ending in _PAGES:
            return PAGE
        media = formats.FORMATS.get(formats.canonical(ending))
        if not media:
            return UNKNOWN  # a dot in a name, a version number
        return FILE if any(self._types.wants(mime) for mime in media) else PAGE
