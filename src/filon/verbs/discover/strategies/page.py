"""A page as discovery keeps it: bounded, and plain data; its words, and whose site it is.

Some words are those of data portals, as learnt beforehand. Sites are the same site that have the
same words in the same order, or the same list of datasets. A text is known by 64 bits that hardly
change where little of it does (Charikar's simhash, over three words in a row).
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any

import mmh3
import numpy as np

from filon.core import Request, Response
from filon.core.forms import Form, record, table
from filon.core.state import Stateful, stored
from filon.learn.rank.vectors import tokens
from filon.page.datafile import is_data_file
from filon.page.domain import registered_domain
from filon.page.links import Link, links
from filon.page.text import page_text
from filon.page.types import UNWANTED
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
#: Pages for people are shorter.
MOST_BYTES = 5_000_000
_PAGES = ("text/html", "application/xhtml+xml", "text/plain", "")
_ACCEPT = (("Accept", "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5"),)
#: A longer one is taken to say something, without a look.
EMPTY_BYTES = 2_000
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


def page_request(url: str) -> Request:
    """Return the request for a page: what is no text is not wanted, nor what is too long."""
    return Request(url=url, headers=_ACCEPT, unwanted=UNWANTED, max_bytes=MOST_BYTES)


def trouble(response: Response) -> str:
    """Return why an answer is no page that can be read; "" if it is one."""
    if response.ok and not response.cut and response.mime in _PAGES:
        return "empty" if _says_nothing(response) else ""
    if response.error or not 200 <= response.status < 300:
        return response.error or str(response.status)
    return "cut" if response.cut else "no page"


def _says_nothing(response: Response) -> bool:
    """Say whether a page has no text and leads nowhere: a soft error, or a site that is gone."""
    if len(response.body) > EMPTY_BYTES:
        return False
    content = page_text(response.body, response.header("content-type"))
    if content.meta.strip() or content.text:
        return False
    page = page_of(response, links_in(response), "host")
    return not (page.abroad or page.within or page.files)


def read_page(response: Response, by: str) -> Page:
    """Return what an answer says; how the page was met, only who asked for it knows."""
    return page_of(response, links_in(response), by)


def links_in(response: Response) -> list[Link]:
    """Return all links of an answer."""
    return links(response.body, response.url, response.header("content-type"))


def page_of(response: Response, found: list[Link], by: str) -> Page:
    """Return what an answer says whose links are known."""
    content = page_text(response.body, response.header("content-type"))
    site = site_of(response.url, by)
    promising, rest = _within(found, site, by)
    abroad = _abroad(found, site, by)
    return Page(
        url=response.url,
        site=site,
        title=content.title[:200],
        meta=content.meta[:MOST_TEXT],
        text=content.text[:MOST_TEXT],
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
    promising = [url for url in own if promises(own[url])]
    return promising, [url for url in own if not promises(own[url])]


def promises(link: Link) -> bool:
    """Say whether the address or the text of a link speaks of data."""
    text = f"{link.url[link.url.find('/', 8) :]} {link.text}".lower()
    return any(word in text for word in _PROMISING)


def _files(found: list[Link]) -> tuple[str, ...]:
    files = (link.url for link in found if link.tag == "a" and is_data_file(link.url))
    return tuple(dict.fromkeys(files))[:MOST_FILES]


#: A page in a declared state.
PAGE = record(Page)


#: A shorter one is a piece of something; a page that says less of itself is taken as a whole.
SHORTEST_WORD, FEWEST_WORDS = 3, 3


def meta_words(page: Page) -> list[str]:
    """Return the words that a page says of itself; of all its words where it says too little."""
    found = _long(tokens(page.meta))
    return found if len(found) >= FEWEST_WORDS else _long(tokens(page.text))


def all_words(page: Page) -> list[str]:
    """Return the words of a page that are made of letters."""
    return words_of(page.words)


def words_of(text: str) -> list[str]:
    """Return the words of a text that are made of letters and tell something."""
    return [word for word in _long(tokens(text)) if word.isalpha()]


def frequent(
    pages: Iterable[Page], words: Callable[[Page], list[str]], used: Iterable[str], most: int
) -> list[str]:
    """Return the words that pages have most often, without those used; equals by the alphabet."""
    counts = Counter(word for page in pages for word in words(page))
    for word in used:
        counts.pop(word, None)
    return [word for word, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:most]]


def _long(found: Iterable[str]) -> list[str]:
    return [word for word in found if len(word) >= SHORTEST_WORD and not word.isdigit()]


@cache
def shipped() -> dict[str, Any]:
    """Return what was learnt of portals beforehand, and the words that all of them have."""
    file = resources.files("filon.verbs.discover.strategies") / "portals.json"
    return dict(json.loads(file.read_text(encoding="utf-8")))


@cache
def _portal_words() -> dict[str, tuple[float, float]]:
    """Return the words of portals with their rarity and weight, as learnt beforehand."""
    model = shipped()
    return {
        word: (idf, weight)
        for word, idf, weight in zip(model["words"], model["idf"], model["weights"], strict=True)
    }


def portal_score(words: list[str]) -> float:
    """Return how much some words are those of a portal; above 0 is yes.

    It is what `LinearModel.scores` returns, for one text and without matrices.
    """
    counts, known = Counter(words), _portal_words()
    most = max(counts.values(), default=1)
    length = total = 0.0
    for word, count in counts.items():
        if word in known:
            idf, weight = known[word]
            value = (0.5 + 0.5 * count / most) * idf
            length += value * value
            total += value * weight
    intercept = float(shipped()["intercept"])
    return intercept + (total / math.sqrt(length) if length else 0.0)


#: Texts that differ in so few bits are one text; shorter ones say too little.
NEAR_BITS, SHORTEST_TEXT = 3, 40
#: Titles that must be the same, of so many at least.
ALIKE, FEWEST_TITLES = 0.8, 5
MOST_TITLES = 100


def simhash(words: list[str]) -> int:
    """Return the bits of a text; 0 where it is too short to tell."""
    if len(words) < SHORTEST_TEXT:
        return 0
    grams = {" ".join(words[at : at + 3]) for at in range(len(words) - 2)}
    hashes = np.array(
        sorted(mmh3.hash64(gram.encode(), signed=False)[0] for gram in grams), dtype=np.uint64
    )
    bits = (hashes[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    ones = bits.sum(axis=0) * 2 > len(hashes)
    return int(sum(1 << at for at in range(64) if ones[at]))


#: Bits as text, since some stores have no whole numbers so long.
BITS = Form(lambda bits: f"{bits:x}", lambda text: int(text, 16))


class Mirrors(Stateful):
    """What is known of every site that counts, to tell another address of it."""

    STATE = (
        stored("_texts", table(BITS)),
        "_named",
        stored("_titles", table(Form(sorted, frozenset))),
    )

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._named: dict[str, str] = {}
        self._titles: dict[str, frozenset[str]] = {}

    def of_text(self, title: str, words: list[str]) -> str:
        """Return the site whose page says the same under the same title; "" if there is none."""
        bits = simhash([title.lower(), *words])
        if not bits:
            return ""
        for site, known in self._texts.items():
            if self._named[site] == title and (bits ^ known).bit_count() <= NEAR_BITS:
                return site
        return ""

    def of_titles(self, titles: Iterable[str]) -> str:
        """Return the site that lists the same datasets; "" if there is none."""
        listed = _title_set(titles)
        if len(listed) < FEWEST_TITLES:
            return ""
        for site, known in self._titles.items():
            if len(listed & known) >= ALIKE * max(1, len(listed | known)):
                return site
        return ""

    def add(self, site: str, title: str, words: list[str], titles: Iterable[str]) -> None:
        """Take note of a site."""
        if bits := simhash([title.lower(), *words]):
            self._texts[site], self._named[site] = bits, title
        if len(listed := _title_set(titles)) >= FEWEST_TITLES:
            self._titles[site] = listed

    def forget(self, site: str) -> None:
        """Forget a site that does not count after all."""
        self._texts.pop(site, None)
        self._named.pop(site, None)
        self._titles.pop(site, None)


def _title_set(titles: Iterable[str]) -> frozenset[str]:
    return frozenset([title.lower() for title in titles if title][:MOST_TITLES])
