"""Shortcuts: what an answer says about whole datasets, and the errands that this is worth.

Ground reads; here is decided what a reading is good for beside its links: a dump or an endpoint
that a catalogue names, a catalogue that a page belongs to, a context that a document needs.
"""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from filon.core import Find, Request, Response, Step
from filon.page import ckan, sitemap
from filon.page.domain import registered_domain
from filon.page.rdf.catalogue import catalogue, is_rdf, names_rdf
from filon.page.rdf.document import Document
from filon.page.rdf.dump import is_packed
from filon.page.url import host, join, parse
from filon.strategies.follow.brief import Lead
from filon.strategies.follow.coverage import Coverage
from filon.strategies.follow.errands import Errand, Errands
from filon.strategies.follow.negotiation import Negotiation
from filon.strategies.follow.probes import PATHS, Probes
from filon.strategies.follow.reading import Reading
from filon.strategies.follow.remote import Contexts, Waiting
from filon.strategies.follow.rounds import unpacked
from filon.strategies.follow.sparql import Endpoint

if TYPE_CHECKING:
    from filon.strategies.follow.ground import Ground

#: Pages that a CKAN catalogue is asked for; of a sitemap, the places that become leads.
MOST_PAGES, MOST_PLACES = 100, 2_000
#: Sitemaps that one domain may name; endpoints and dumps of one run.
MOST_SITEMAPS, MOST_ENDPOINTS, MOST_DUMPS = 20, 200, 20_000


class Shortcuts:
    """The errands of one run and what they taught."""

    def __init__(self, ground: "Ground") -> None:
        self._ground = ground
        self.errands = Errands()
        self.probes = Probes()
        self.coverage = Coverage()
        self.contexts = Contexts()
        self.negotiation = Negotiation()
        self.covered = 0
        self._endpoints: dict[str, Endpoint] = {}
        self._catalogues: dict[str, int] = {}  # CKAN: pages asked for
        self._dumps: dict[str, tuple[str, ...]] = {}
        self._fallbacks: dict[str, str] = {}
        self._sitemaps: dict[str, list[str]] = {}  # by domain, those that robots.txt names
        self._maps: dict[str, int] = {}  # by domain, how many sitemaps were asked for

    # What comes next.

    def propose(self) -> Step | None:
        """Return the next errand as a step."""
        while errand := self.errands.pop():
            return self.errands.send(errand, self._request(errand))
        return None

    def _request(self, errand: Errand) -> Request:
        if errand.kind == "sparql":
            return self._endpoints[errand.name].request()
        if errand.kind == "context":
            return self.contexts.request(errand.lead.document)
        if errand.kind == "ckan":
            headers = (("Accept", "application/json"),)
            return Request(url=errand.lead.document, headers=headers, max_bytes=20_000_000)
        request = self._ground.request(errand.lead)
        return replace(request, begins=True) if errand.kind == "dump" else request

    # What is seen.

    def met(self, lead: Lead) -> None:
        """Take note of a document that was mentioned; ask its domain for more where that pays."""
        domain = registered_domain(host(lead.document))
        for kind in self.probes.due(domain):
            root = "/".join(lead.document.split("/")[:3])
            named = self._sitemaps.pop(domain, []) if kind == "sitemap" else []
            for url in named or [root + PATHS[kind]]:
                self._push(kind, url, replace(_plain(lead), depth=max(0, lead.depth - 1)))

    def hear_sitemaps(self, urls: list[str]) -> None:
        """Take note of sitemaps that a robots.txt names; they are asked for when that pays."""
        for url in urls[:MOST_SITEMAPS]:
            known = self._sitemaps.setdefault(registered_domain(host(url)), [])
            if parse(url) and len(known) < MOST_SITEMAPS and parse(url) not in known:
                known.append(parse(url))

    def look(self, response: Response, document: Document, lead: Lead) -> list[Lead]:
        """Take note of what a document says about datasets; return resources to enter them by."""
        if "sitemap" in lead.roles and lead.referrer:
            self.probes.note("sitemap", paid=document.strict)
        if document.contexts:
            self._want_contexts(response, document, lead)
        if api := ckan.home(response.body, response.url):
            self._enter(api, lead)
        if not document.strict:
            return []
        spaces = self._dumps.get(lead.document, ())
        if spaces or "dump" in lead.roles or is_packed(response.body):
            whole = not (document.full or document.broken or response.cut or response.spool)
            self.coverage.learn(document.triples, spaces, whole=whole)
        return self._listed(document, response.url, lead)

    def _listed(self, document: Document, url: str, lead: Lead) -> list[Lead]:
        found = catalogue(document.triples)
        origin = replace(_plain(lead), referrer=url)
        self._fallbacks.update(found.fallbacks)
        for dump, spaces in found.dumps.items():
            self._expect(dump, spaces, origin)
        for endpoint, spaces in found.endpoints.items():
            self._open(endpoint, spaces, origin, described=endpoint in found.described)
        return [
            replace(
                origin, uri=entry, document=parse(entry), roles=("entry",), depth=lead.depth + 1
            )
            for entry in found.entries
            if parse(entry) and self._ground.claim(parse(entry))
        ]

    def _expect(self, url: str, spaces: tuple[str, ...], origin: Lead) -> None:
        """Take note that a URL is a dump, and queue it."""
        if len(self._dumps) < MOST_DUMPS:
            self._dumps[parse(url)] = spaces
            self._push("dump", url, origin)

    def _push(self, kind: str, url: str, origin: Lead, name: str = "") -> bool:
        """Queue an errand unless its URL was asked for, or is out of scope."""
        url = parse(url)
        if not url or not self._ground.claim(url):
            return False
        lead = replace(origin, uri=url, document=url, roles=(kind,), hops=0, variant="")
        self.errands.push(Errand(kind, lead, name))
        return True

    # Endpoints and catalogues.

    def _open(
        self, url: str, spaces: tuple[str, ...], origin: Lead, *, described: bool = False
    ) -> None:
        """Begin to read an endpoint: by its description, unless that was seen."""
        if url in self._endpoints or len(self._endpoints) >= MOST_ENDPOINTS:
            return
        if not self._ground.admits(url):
            return
        self._endpoints[url] = Endpoint(url, spaces)
        lead = replace(origin, uri=url, document=url, roles=("endpoint",), hops=0, variant="")
        if described or not self._push("endpoint", url, origin, url):
            self.errands.push(Errand("sparql", lead, url))

    def _enter(self, api: str, lead: Lead) -> None:
        """Begin to read a CKAN catalogue."""
        if api not in self._catalogues and self._ground.admits(api):
            self._catalogues[api] = 0
            self._turn(api, 0, lead)

    def _turn(self, api: str, start: int, lead: Lead) -> None:
        """Queue the next page of a CKAN catalogue."""
        if self._catalogues[api] < MOST_PAGES:
            self._catalogues[api] += 1
            url = f"{api}package_search?rows={ckan.ROWS}&start={start}"
            page = replace(_plain(lead), uri=url, document=url, roles=("ckan",))
            self.errands.push(Errand("ckan", page, api))

    def _want_contexts(self, response: Response, document: Document, lead: Lead) -> None:
        content_type = response.header("content-type")
        waiting = Waiting(response.url, content_type, response.body, asdict(lead), [])
        for url in self.contexts.want(document.contexts, waiting):
            origin = Lead(uri=url, document=url, referrer=response.url, roles=("context",))
            self.errands.push(Errand("context", origin, url))

    # What came back.

    def answer(self, step: Step, response: Response) -> Reading | None:
        """Return what the answer to an errand says; None: the step was no errand."""
        errand = self.errands.back(step)
        if errand is None:
            return None
        if errand.kind == "sparql":
            return self._page(errand, response)
        if errand.kind == "ckan":
            return self._packages(errand, response)
        if errand.kind == "context":
            return self._context(errand, response)
        if errand.kind == "sitemap" and response.ok and not response.redirects:
            return self._places(errand, response)
        return self._document(errand, step, response)

    def _document(self, errand: Errand, step: Step, response: Response) -> Reading:
        reading = self._ground.read(step, response, errand.lead)
        if reading.goal:
            self.errands.push(replace(errand, lead=reading.goal))
            return replace(reading, goal=None)
        if errand.kind in PATHS:
            self.probes.note(errand.kind, paid=reading.kind == "graph")
        elif errand.kind == "endpoint":
            self.errands.push(Errand("sparql", errand.lead, errand.name))
        elif reading.kind != "graph" and errand.lead.uri in self._fallbacks:
            self._open(self._fallbacks[errand.lead.uri], (), errand.lead)
        return reading

    def _page(self, errand: Errand, response: Response) -> Reading:
        endpoint = self._endpoints[errand.name]
        named, reading = endpoint.page_url, Reading("failed")
        moved = join(response.url, response.header("location")) if response.redirects else ""
        if moved and not endpoint.pages and errand.lead.hops < 3:
            endpoint.url = moved.partition("?")[0]
            errand = replace(errand, lead=replace(errand.lead, hops=errand.lead.hops + 1))
        elif not response.ok or response.cut:
            endpoint.refused(response)
        else:
            reading = self._told(endpoint, named, errand, response)
        if not endpoint.done:
            self.errands.push(errand)
        self._ground.kinds[reading.kind] += 1
        return reading

    def _told(self, endpoint: Endpoint, named: str, errand: Errand, response: Response) -> Reading:
        document = self._ground.document(response)
        answered = document.strict or response.mime != "text/html"
        if not answered or (document.broken and not document.triples):
            endpoint.refused(response)
            return Reading("failed", document)
        if not endpoint.take(document.triples):
            return Reading("nothing", document)
        self.coverage.learn(document.triples, endpoint.spaces)
        find = Find(kind="graph", url=named, name=endpoint.url, mime=response.mime)
        leads = self._ground.told(document, replace(response, url=named), errand.lead)
        return Reading("graph", document, None, leads, [find])

    def _packages(self, errand: Errand, response: Response) -> Reading:
        listed = ckan.packages(response.body) if response.ok and not response.cut else None
        self._ground.kinds["nothing" if listed else "failed"] += 1
        if listed is None:
            return Reading("failed")
        origin = replace(errand.lead, referrer=response.url)
        for url, word in listed.resources:
            if word.strip().lower().replace("api/", "") == "sparql":
                self._open(url, (), origin)
            elif is_rdf(word) or names_rdf(url):
                self._expect(url, (), origin)
        start = (self._catalogues[errand.name] - 1) * ckan.ROWS + listed.packages
        if listed.packages and start < (listed.count or 0):
            self._turn(errand.name, start, errand.lead)
        return Reading("nothing")

    def _places(self, errand: Errand, response: Response) -> Reading:
        self._ground.kinds["nothing"] += 1
        found, leads = sitemap.places(response.body, response.url), []
        semantic = sitemap.datasets(response.body, response.url)
        origin = replace(errand.lead, referrer=response.url)
        for dump in semantic.dumps:
            self._expect(dump, (), origin)
        for endpoint in semantic.endpoints:
            self._open(endpoint, (), origin)
        if not found and not semantic.dumps:
            self.probes.note("sitemap", paid=False)
        domain = registered_domain(host(response.url))
        for url in found[:MOST_PLACES]:
            if sitemap.is_index(response.body):
                self._maps[domain] = self._maps.get(domain, 0) + 1
                if self._maps[domain] <= MOST_SITEMAPS:
                    self._push("sitemap", url, origin)
            elif self._ground.claim(url):
                leads.append(replace(origin, uri=url, document=url, depth=origin.depth + 1))
        return Reading("nothing", leads=leads)

    def _context(self, errand: Errand, response: Response) -> Reading:
        if moved := self.contexts.moved(response, errand.lead.hops):
            lead = replace(errand.lead, document=moved, hops=errand.lead.hops + 1)
            self.errands.push(replace(errand, lead=lead))
            return Reading("redirect")
        leads: list[Lead] = []
        for one in self.contexts.take(errand.name, response):
            again = Response(
                url=one.url,
                status=200,
                headers=(("Content-Type", one.content_type),),
                body=one.body,
            )
            document = self._ground.document(again)
            leads.extend(self._ground.told(document, again, unpacked(one.lead)))
        return Reading("nothing", leads=leads)

    # What is left of it.

    def told(self) -> dict[str, Any]:
        """Say what the shortcuts brought, for people."""
        return {
            "probes": self.probes.told(),
            "covered": self.covered,
            "covered_prefixes": self.coverage.prefixes[:50],
            "dumps": len(self._dumps),
            "endpoints": {
                one.url: {"pages": one.pages, "triples": one.triples}
                for one in list(self._endpoints.values())[:50]
            },
            "catalogues": list(self._catalogues)[:50],
            "contexts": {"kept": len(self.contexts.known), "failed": self.contexts.failed},
            "accept": self.negotiation.told(),
        }

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "errands": self.errands.state(),
            "probes": self.probes.state(),
            "coverage": self.coverage.state(),
            "contexts": self.contexts.state(),
            "negotiation": self.negotiation.state(),
            "covered": self.covered,
            "endpoints": [[name, one.state()] for name, one in self._endpoints.items()],
            "catalogues": dict(self._catalogues),
            "dumps": [[url, list(spaces)] for url, spaces in self._dumps.items()],
            "fallbacks": dict(self._fallbacks),
            "sitemaps": {domain: list(urls) for domain, urls in self._sitemaps.items()},
            "maps": dict(self._maps),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.errands.restore(state["errands"])
        self.probes.restore(state["probes"])
        self.coverage.restore(state["coverage"])
        self.contexts.restore(state["contexts"])
        self.negotiation.restore(state["negotiation"])
        self.covered = state["covered"]
        self._endpoints = {name: Endpoint.restored(one) for name, one in state["endpoints"]}
        self._catalogues = dict(state["catalogues"])
        self._dumps = {url: tuple(spaces) for url, spaces in state["dumps"]}
        self._fallbacks = dict(state["fallbacks"])
        self._sitemaps = {domain: list(urls) for domain, urls in state["sitemaps"].items()}
        self._maps = dict(state["maps"])


def _plain(lead: Lead) -> Lead:
    """Return a lead without what only holds for how it was mentioned."""
    return replace(lead, properties=(), siblings=(), count=1, hops=0, variant="")
