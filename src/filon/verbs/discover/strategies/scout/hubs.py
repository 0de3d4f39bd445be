"""Pages whose links are worth following, told by the good sites among them.

Every page that was read is remembered by what it links to. When one of those sites turns out to be
good, the page becomes a hub and its other links are candidates: no service for backlinks is needed.
"""

from collections.abc import Iterable

from filon.core.forms import KEYS, TUPLE, each, pairs
from filon.core.state import Stateful, stored
from filon.verbs.discover.strategies.page import Page, site_of

#: Pages that are remembered, the newest.
MOST_PAGES = 3_000
#: Sites that are remembered as not good, the newest.
MOST_BAD = 20_000


class Hubs(Stateful):
    """Links of pages that were read, by page and by site."""

    STATE = (
        stored("_links", pairs(each(TUPLE))),
        stored("_good", KEYS),
        stored("_bad", KEYS),
    )

    def __init__(self, by: str) -> None:
        self._by = by
        self._links: dict[str, list[tuple[str, str]]] = {}
        self._naming: dict[str, dict[str, None]] = {}
        self._good: dict[str, None] = {}
        self._bad: dict[str, None] = {}

    def remember(self, page: Page) -> bool:
        """Take in a page; True if it links to a good site already."""
        links = list(zip(page.abroad, page.anchors, strict=True))
        if not links:
            return False
        sites = [site_of(url, self._by) for url, _ in links]
        if any(site in self._good for site in sites):
            return True
        self._links[page.url] = links
        for site in sites:
            self._naming.setdefault(site, {})[page.url] = None
        if len(self._links) > MOST_PAGES:
            self._forget(next(iter(self._links)))
        return False

    def _forget(self, url: str) -> list[tuple[str, str]]:
        links = self._links.pop(url, [])
        for target, _ in links:
            site = site_of(target, self._by)
            naming = self._naming.get(site, {})
            naming.pop(url, None)
            if not naming:
                self._naming.pop(site, None)
        return links

    def standing(self, links: Iterable[tuple[str, str]]) -> tuple[int, int]:
        """Return how many of the sites that some links lead to are good, and how many are known."""
        sites = {site_of(url, self._by) for url, _ in links}
        good = len(sites & self._good.keys())
        return good, good + len(sites & self._bad.keys())

    def bad(self, site: str) -> None:
        """Take note of a site that is not good."""
        if site not in self._good:
            self._bad[site] = None
            if len(self._bad) > MOST_BAD:
                del self._bad[next(iter(self._bad))]

    def good(self, site: str) -> list[tuple[str, list[tuple[str, str]]]]:
        """Take note of a good site; return the pages that become hubs by it, and their links."""
        self._good[site] = None
        self._bad.pop(site, None)
        return [(url, self._forget(url)) for url in list(self._naming.get(site, {}))]

    def restored(self) -> None:
        """Note again which hubs name a site."""
        self._naming = {}
        for url, told in self._links.items():
            for target, _ in told:
                self._naming.setdefault(site_of(target, self._by), {})[url] = None
