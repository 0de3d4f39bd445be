"""Listings of what a host has: VoID descriptions, sitemaps, and CKAN catalogues, read in pages.

A VoID description and a sitemap are asked for on suspicion, so they must pay: each domain is asked
at most once of each kind, and only when so much of it is known that a listing would save more
requests than the question costs, by what earlier questions brought.
"""

from collections import Counter
from dataclasses import replace

from filon.core import Response
from filon.core.forms import LIST, table
from filon.core.state import Stateful, stored
from filon.page import sitemap
from filon.page.domain import registered_domain
from filon.page.url import host, parse
from filon.portals import ckan
from filon.verbs.follow.rdf.catalogue import is_rdf, names_rdf
from filon.verbs.follow.strategies.brief import Candidate
from filon.verbs.follow.strategies.crawl import Crawl, Reading
from filon.verbs.follow.strategies.datasets import Dumps, Endpoints
from filon.verbs.follow.strategies.tasks import Task, Tasks, candidate_at

#: Where a VoID description stands if there is one; a sitemap is asked for where it is named.
VOID = "/.well-known/void"
KINDS = ("void", "sitemap")
#: What is believed of a kind of question before the first: one in twenty pays.
HITS, TRIES = 1.0, 20.0
#: The part of a domain's documents that a catalogue is expected to save or to make known.
SAVES = 0.5
#: Domains that are counted; beyond, nothing is asked on suspicion.
MOST_DOMAINS = 200_000


class Probes(Stateful):
    """Which questions are due, and whether those asked have paid.

    >>> probes = Probes()
    >>> sum(1 for _ in range(100) if "void" not in probes.due("a.org", ("void",)))
    99
    >>> probes.note("void", paid=False)
    >>> round(probes.chance("void"), 3)
    0.048
    """

    STATE = ("tries", "hits", "_known", "_asked")

    def __init__(self) -> None:
        self.tries: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._asked: set[str] = set()

    def due(self, domain: str, kinds: tuple[str, ...] = KINDS) -> list[str]:
        """Count a new document of a domain; return the questions of these kinds that are due."""
        if len(self._known) >= MOST_DOMAINS and domain not in self._known:
            return []
        self._known[domain] += 1
        known = self._known[domain]
        asked = [
            kind
            for kind in kinds
            if self.chance(kind) * SAVES * known >= 1 and f"{kind} {domain}" not in self._asked
        ]
        self._asked.update(f"{kind} {domain}" for kind in asked)
        return asked

    def chance(self, kind: str) -> float:
        """Return the chance that a question of a kind pays."""
        return (self.hits[kind] + HITS) / (self.tries[kind] + TRIES)

    def note(self, kind: str, *, paid: bool) -> None:
        """Take note of what a question brought."""
        self.tries[kind] += 1
        self.hits[kind] += paid

    def summary(self) -> dict[str, list[int]]:
        """Return, by kind, how many questions paid and how many were asked."""
        return {kind: [self.hits[kind], self.tries[kind]] for kind in sorted(self.tries)}


#: Pages that a CKAN catalogue is asked for; of a sitemap, the places that become candidates.
MOST_PAGES, MOST_PLACES = 100, 2_000
#: Sitemaps that one domain may name.
MOST_SITEMAPS = 20


class Listings(Stateful):
    """CKAN catalogues by the address of their API, and sitemaps by domain."""

    STATE = ("catalogues", "_pages", stored("_sitemaps", table(LIST)), "_within")

    def __init__(self, crawl: Crawl, tasks: Tasks, dumps: Dumps, endpoints: Endpoints) -> None:
        self._crawl, self._tasks = crawl, tasks
        self._dumps, self._endpoints = dumps, endpoints
        self.catalogues: dict[str, int] = {}  # packages seen so far
        self._pages: dict[str, int] = {}
        self._sitemaps: dict[str, list[str]] = {}  # those that robots.txt names, not asked for yet
        self._within: dict[str, int] = {}  # sitemaps that other sitemaps named

    # CKAN.

    def enter(self, body: bytes, url: str, origin: Candidate) -> None:
        """Begin to read the CKAN catalogue that a page belongs to, if it does to one."""
        api = ckan.api_of(body, url)
        if api and api not in self.catalogues and self._crawl.admits(api):
            self.catalogues[api] = self._pages[api] = 0
            self._turn(api, origin)

    def _turn(self, api: str, origin: Candidate) -> None:
        if self._pages[api] < MOST_PAGES:
            self._pages[api] += 1
            url = ckan.page_of(api, self.catalogues[api])
            self._crawl.mark(url)
            self._tasks.push(Task("ckan", candidate_at(url, "ckan", origin), api))

    def packages(self, task: Task, response: Response) -> Reading:
        """Queue the RDF that a page of a catalogue lists, and the next page."""
        listed = ckan.packages(response) if response.ok and not response.cut else None
        if listed is None:
            return Reading("failed")
        origin = replace(task.candidate, referrer=response.url)
        for url, word in listed.resources:
            if word.strip().lower().removeprefix("api/") == "sparql":
                self._endpoints.open(url, (), origin)
            elif is_rdf(word) or names_rdf(url):
                self._dumps.expect(url, (), origin)
        self.catalogues[task.name] += listed.packages
        if listed.packages and self.catalogues[task.name] < (listed.count or 0):
            self._turn(task.name, task.candidate)
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

    def ask(self, domain: str, origin: Candidate) -> None:
        """Ask for the sitemaps of a domain."""
        for url in self._sitemaps.pop(domain, ()):
            self._tasks.visit("sitemap", url, origin)

    def places(self, task: Task, response: Response) -> Reading:
        """Return what a sitemap lists, as candidates; queue datasets and further sitemaps."""
        origin = replace(task.candidate, referrer=response.url)
        named = sitemap.datasets(response.body, response.url)
        for url in named.dumps:
            self._dumps.expect(url, (), origin)
        for url in named.endpoints:
            self._endpoints.open(url, (), origin)
        found = sitemap.places(response.body, response.url, named=True)[:MOST_PLACES]
        if sitemap.is_index(response.body):
            self._further(found, origin)
            return Reading("nothing")
        depth = origin.depth + 1
        candidates = [
            replace(origin, uri=url, document=url, depth=depth)
            for url in found
            if self._crawl.claim(url)
        ]
        return Reading("nothing", candidates=candidates)

    def _further(self, urls: list[str], origin: Candidate) -> None:
        domain = registered_domain(host(origin.document))
        for url in urls[: MOST_SITEMAPS - self._within.get(domain, 0)]:
            self._within[domain] = self._within.get(domain, 0) + 1
            self._tasks.visit("sitemap", url, origin)
