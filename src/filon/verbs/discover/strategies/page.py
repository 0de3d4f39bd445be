"""A page as discovery keeps it: bounded, and plain data."""

from dataclasses import dataclass, fields
from typing import Any

from filon.core import Response
from filon.core.forms import record
from filon.page.datafile import is_data_file
from filon.page.domain import registered_domain
from filon.page.links import Link, links
from filon.page.text import page_text
from filon.page.url import extension, host

#: Of a longer text the beginning tells the topic; tens of thousands of pages are kept.
MOST_TEXT = 8_000
#: Links that are kept of a page: to other sites, one for each, and within its own.
MOST_ABROAD, MOST_WITHIN, MOST_FILES = 50, 150, 50
#: Of what a link says.
MOST_ANCHOR = 100
#: Platforms where every customer has a name of his own below a shared one.
_PLATFORMS = (
    "hub.arcgis.com",
    "opendatasoft.com",
    "socrata.com",
    "figshare.com",
    "github.io",
    "dataverse.org",
)
#: What is no page, whatever the server says.
_OTHER_FILES = "pdf doc docx ppt pptx jpg jpeg png gif svg ico mp3 mp4 wmv avi css js txt ps eps"
_NO_PAGE = frozenset(_OTHER_FILES.split())
#: Words in the address or text of a link that lead to data.
_PROMISING = ("data", "download", "catalog", "open", "statistic", "export", "csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """How something was met.

    operator: the way that led to it. searcher, query: who was asked for what.
    parent: the page (a hub, an example) or the search that led to it.
    """

    operator: str = ""
    searcher: str = ""
    query: str = ""
    parent: str = ""

    @property
    def way(self) -> dict[str, Any]:
        """The same as keywords, for what is met the same way."""
        return {entry.name: getattr(self, entry.name) for entry in fields(Met)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Met):
    """What was read of a page, and how it was met.

    abroad: links to other sites; anchors: what they say.
    within: links to pages of its own, the promising first.
    promising: how many of these may lead to data.
    files: addresses of data files.
    """

    url: str
    site: str
    title: str = ""
    meta: str = ""
    text: str = ""
    abroad: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    promising: int = 0
    files: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All that the page says."""
        return f"{self.meta} {self.text}"


def site_of(url: str, by: str = "domain") -> str:
    """Return the name of the site that a page belongs to.

    >>> site_of("https://www.data.bnf.fr/x"), site_of("https://a.opendatasoft.com/y")
    ('bnf.fr', 'a.opendatasoft.com')
    >>> site_of("https://www.data.bnf.fr/x", "host")
    'data.bnf.fr'
    """
    name = host(url).lower().removeprefix("www.")
    if by == "host":
        return name
    for platform in _PLATFORMS:
        if name.endswith(f".{platform}"):
            own = name.removesuffix(f".{platform}").rpartition(".")[2]
            return f"{own}.{platform}"
    return registered_domain(name)


def is_page(url: str) -> bool:
    """Say whether an address may be that of a page.

    >>> is_page("http://a.org/b.html"), is_page("http://a.org/b.pdf"), is_page("http://a.org/b.csv")
    (True, False, False)
    """
    return extension(url) not in _NO_PAGE and not is_data_file(url)


def read_page(response: Response, by: str) -> Page:
    """Return what an answer says; how the page was met, only who asked for it knows."""
    kind = response.header("content-type")
    told = page_text(response.body, kind)
    found = links(response.body, response.url, kind)
    site = site_of(response.url, by)
    promising, rest = _within(found, site, by)
    abroad = _abroad(found, site, by)
    return Page(
        url=response.url,
        site=site,
        title=told.title[:200],
        meta=told.meta[:MOST_TEXT],
        text=told.text[:MOST_TEXT],
        abroad=tuple(link.url for link in abroad),
        anchors=tuple(link.text[:MOST_ANCHOR] for link in abroad),
        within=(*promising, *rest)[:MOST_WITHIN],
        promising=min(len(promising), MOST_WITHIN),
        files=_files(found),
    )


def _abroad(found: list[Link], site: str, by: str) -> list[Link]:
    """Return the first link to each other site."""
    first: dict[str, Link] = {}
    for link in found:
        if len(first) < MOST_ABROAD and is_page(link.url):
            first.setdefault(site_of(link.url, by), link)
    first.pop(site, None)
    return list(first.values())


def _within(found: list[Link], site: str, by: str) -> tuple[list[str], list[str]]:
    """Return links to pages of the same site: those that promise data, and the others."""
    own = {link.url: link for link in found if is_page(link.url) and site_of(link.url, by) == site}
    promising = [url for url in own if _promises(own[url])]
    return promising, [url for url in own if not _promises(own[url])]


def _promises(link: Link) -> bool:
    told = f"{link.url[link.url.find('/', 8) :]} {link.text}".lower()
    return any(word in told for word in _PROMISING)


def _files(found: list[Link]) -> tuple[str, ...]:
    files = (link.url for link in found if link.tag == "a" and is_data_file(link.url))
    return tuple(dict.fromkeys(files))[:MOST_FILES]


#: A page in a declared state.
PAGE = record(Page)
