"""A sitemap, where there is nothing better: files by their names, datasets by their addresses."""

import re
from dataclasses import replace
from datetime import datetime

from filon.core import Request, Response
from filon.core.portal import Dataset, Listing
from filon.page import formats
from filon.page.dates import Span
from filon.page.sitemap import dates, places
from filon.page.types import housekeeping
from filon.page.url import extension
from filon.portals.files import described
from filon.portals.since import recent
from filon.portals.trouble import strange, trouble

PATH = "/sitemap.xml"
#: A portal's page of one dataset: the word, and then its name or number.
_DATASET = re.compile(
    r"/(?:datasets?|data-?sets?|jeux?-de-donnees|conjuntos?-de-datos|records?|articles/dataset"
    r"|package|explore/dataset|catalog(?:ue)?|d)/[^/?#]+",
    re.IGNORECASE,
)
_LIST = re.compile(r"sitemap[^/]*\.(?:xml|txt)(?:\.gz)?(?:\?.*)?$|\.xml\.gz$", re.IGNORECASE)


class Sitemaps:
    """What a site wants search engines to see."""

    name = "sitemap"
    whole = False

    def confirm(self, root: str) -> Request:
        """Ask for the sitemap."""
        return Request(url=root if _LIST.search(root) else f"{root}{PATH}")

    def confirmed(self, response: Response) -> str:
        """Return the address of a sitemap that names datasets, or other sitemaps."""
        page = self.read(response)
        return response.url if page.datasets or page.also else ""

    def begin(self, base: str) -> Request:
        """Ask for the sitemap."""
        return Request(url=base)

    def read(self, response: Response) -> Listing:
        """Read a sitemap, or an index of sitemaps."""
        if wrong := trouble(response):
            return wrong
        found = places(response.body, response.url)
        if not found and b"<urlset" not in response.body[:4096]:
            return strange("a sitemap")
        lists = tuple(Request(url=place) for place in found if _LIST.search(place))
        datasets = (_dataset(place) for place in found if not _LIST.search(place))
        told = dates(response.body, response.url)
        kept = (replace(each, modified=_written(told.get(each.id))) for each in datasets if each)
        return Listing(datasets=tuple(kept), also=lists)

    def since(self, base: str, moment: datetime) -> Request:
        """Ask for the sitemap."""
        return self.begin(base)

    def changes(self, response: Response, moment: datetime) -> Listing:
        """Read a sitemap by its dates; of an index what changed, or has no date, is asked for."""
        listing = recent(self.read(response), moment)
        told = dates(response.body, response.url) if listing.also else {}
        old = {place for place, span in told.items() if span.last < moment}
        return replace(listing, also=tuple(each for each in listing.also if each.url not in old))


def _written(span: Span | None) -> str:
    """Return the last moment that a date may mean, as it is written."""
    return span.last.isoformat(timespec="seconds") if span else ""


def _dataset(place: str) -> Dataset | None:
    is_file = formats.canonical(extension(place)) in formats.DATA and not housekeeping(place)
    file = described(place) if is_file else None
    if file:
        return Dataset(id=place, title=file.name, url=place, files=(file,))
    if not _DATASET.search(place):
        return None
    title = place.rstrip("/").rpartition("/")[2].replace("-", " ").replace("_", " ")
    return Dataset(id=place, title=title, url=place)
