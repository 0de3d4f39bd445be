"""How likely a link is a target before anything was learnt on the site: by what it looks like.

The extension says most. Without one, a folder or parameter that downloads have, or a format's
name in the anchor text, is a hint. These chances are where learning starts, not where it ends.
"""

import re

from filon.page import formats
from filon.page.links import Link
from filon.page.types import Types, housekeeping
from filon.page.url import extension

FILE, HINTED, UNKNOWN, FOLDER, PAGE = 0.9, 0.4, 0.1, 0.02, 0.02

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
        if ending:
            known = self._by_extension.get(ending)
            if known is None:
                known = self._by_extension[ending] = self._of_extension(ending)
            if known != UNKNOWN:
                return known
        if self._hints and (_DOWNLOAD.search(link.url) or _FORMAT.search(link.text)):
            return HINTED
        return FOLDER if link.url.endswith("/") else UNKNOWN

    def _of_extension(self, ending: str) -> float:
        if ending in _PAGES:
            return PAGE
        media = formats.FORMATS.get(formats.canonical(ending))
        if not media:
            return UNKNOWN  # a dot in a name, a version number
        return FILE if any(self._types.wants(mime) for mime in media) else PAGE
