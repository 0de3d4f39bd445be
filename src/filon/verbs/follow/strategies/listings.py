"""Listings: CKAN catalogues, read in pages, and sitemaps, also the semantic ones."""

from dataclasses import replace
from typing import TYPE_CHECKING

from filon.core import Response
from filon.core.forms import LIST, table
from filon.core.state import Stateful, stored
from filon.page import sitemap
from filon.page.domain import registered_domain
from filon.page.url import host, parse
from filon.portals import ckan
from filon.verbs.follow.rdf.catalogue import is_rdf, names_rdf
from filon.verbs.follow.strategies.brief import Lead
from filon.verbs.follow.strategies.dumps import Dumps
from filon.verbs.follow.strategies.endpoints import Endpoints
from filon.verbs.follow.strategies.errands import Errand, Errands, lead_to
from filon.verbs.follow.strategies.reading import Reading

if TYPE_CHECKING:
    from filon.verbs.follow.strategies.ground import Ground

#: Pages that a CKAN catalogue is asked for; of a sitemap, the places that become leads.
MOST_PAGES, MOST_PLACES = 100, 2_000
#: Sitemaps that one domain may name.
MOST_SITEMAPS = 20


class Listings(Stateful):
    """CKAN catalogues by the address of their API, and sitemaps by domain."""

    STATE = ("catalogues", "_pages", stored("_sitemaps", table(LIST)), "_within")

    def __init__(
        self, ground: "Ground", errands: Errands, dumps: Dumps, endpoints: Endpoints
    ) -> None:
        self._ground, self._errands = ground, errands
        self._dumps, self._endpoints = dumps, endpoints
        self.catalogues: dict[str, int] = {}  # packages seen so far
        self._pages: dict[str, int] = {}
        self._sitemaps: dict[str, list[str]] = {}  # those that robots.txt names, not asked for yet
        self._within: dict[str, int] = {}  # sitemaps that other sitemaps named

    # CKAN.

    def enter(self, body: bytes, url: str, origin: Lead) -> None:
        """Begin to read the CKAN catalogue that a page belongs to, if it does to one."""
        api = ckan.api_of(body, url)
        if api and api not in self.catalogues and self._ground.admits(api):
            self.catalogues[api] = self._pages[api] = 0
            self._turn(api, origin)

    def _turn(self, api: str, origin: Lead) -> None:
        if self._pages[api] < MOST_PAGES:
            self._pages[api] += 1
            url = ckan.page_of(api, self.catalogues[api])
            self._ground.mark(url)
            self._errands.push(Errand("ckan", lead_to(url, "ckan", origin), api))

    def packages(self, errand: Errand, response: Response) -> Reading:
        """Queue the RDF that a page of a catalogue lists, and the next page."""
        listed = ckan.packages(response) if response.ok and not response.cut else None
        if listed is None:
            return Reading("failed")
        origin = replace(errand.lead, referrer=response.url)
        for url, word in listed.resources:
            if word.strip().lower().removeprefix("api/") == "sparql":
                self._endpoints.open(url, (), origin)
            elif is_rdf(word) or names_rdf(url):
                self._dumps.expect(url, (), origin)
        self.catalogues[errand.name] += listed.packages
        if listed.packages and self.catalogues[errand.name] < (listed.count or 0):
            self._turn(errand.name, errand.lead)
        return Reading("nothing")

    # Sitemaps.

    def hear(self, urls: list[str]) -> None:
        """Take note of sitemaps that a robots.txt names."""
        for url in filter(None, map(parse, urls[:MOST_SITEMAPS])):
            known = self._sitemaps.setdefault(registered_domain(host(url)), [])
            if len(known) < MOST_SITEMAPS and url not in known:
                known.append(url)

    def has_sitemaps(self, domain: str) -> bool:
        """Say whether there are sitemaps that were not asked for."""
        return domain in self._sitemaps

    def ask(self, domain: str, origin: Lead) -> None:
        """Ask for the sitemaps of a domain."""
        for url in self._sitemaps.pop(domain, ()):
            self._errands.visit("sitemap", url, origin)

    def places(self, errand: Errand, response: Response) -> Reading:
        """Return what a sitemap lists, as leads; queue datasets and further sitemaps."""
        origin = replace(errand.lead, referrer=response.url)
        named = sitemap.datasets(response.body, response.url)
        for url in named.dumps:
            self._dumps.expect(url, (), origin)
        for url in named.endpoints:
            self._endpoints.open(url, (), origin)
        found = sitemap.places(response.body, response.url)[:MOST_PLACES]
        if sitemap.is_index(response.body):
            self._further(found, origin)
            return Reading("nothing")
        depth = origin.depth + 1
        leads = [
            replace(origin, uri=url, document=url, depth=depth)
            for url in found
            if self._ground.claim(url)
        ]
        return Reading("nothing", leads=leads)

    def _further(self, urls: list[str], origin: Lead) -> None:
        domain = registered_domain(host(origin.document))
        for url in urls[: MOST_SITEMAPS - self._within.get(domain, 0)]:
            self._within[domain] = self._within.get(domain, 0) + 1
            self._errands.visit("sitemap", url, origin)
