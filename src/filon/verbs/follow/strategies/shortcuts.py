"""Shortcuts: what an answer says about whole datasets, and the errands that this is worth.

Ground reads; here is decided what a reading is good for beside its links: a dump or an endpoint
that a catalogue names, a catalogue that a page belongs to, a context that a document needs.
"""

from dataclasses import asdict, replace
from typing import Any

from filon.core import Request, Response, Step
from filon.core.state import Stateful
from filon.page.domain import registered_domain
from filon.page.url import host, origin, parse
from filon.verbs.follow.rdf.catalogue import catalogue
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.strategies.brief import LEAD, Lead
from filon.verbs.follow.strategies.contexts import Contexts, Waiting
from filon.verbs.follow.strategies.crawl import Ground, Reading
from filon.verbs.follow.strategies.datasets import Dumps, Endpoints
from filon.verbs.follow.strategies.listings import KINDS, VOID, Listings, Probes
from filon.verbs.follow.strategies.negotiation import Negotiation
from filon.verbs.follow.strategies.tasks import Errand, Errands, lead_to

#: The longest dump that is downloaded whole: the web keeps it in a file. Of a longer one, and for
#: whoever decides what comes next, the beginning must do.
MOST_DUMP_BYTES = 1024**3


class Shortcuts(Stateful):
    """The errands of one run and what they taught. covered: documents that needed no request."""

    STATE = (
        "errands",
        "probes",
        "contexts",
        "negotiation",
        "dumps",
        "endpoints",
        "listings",
        "covered",
    )

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.covered = 0
        self.probes, self.contexts, self.negotiation = Probes(), Contexts(), Negotiation()
        self.errands = Errands(ground.claim)
        self.dumps = Dumps(self.errands)
        self.endpoints = Endpoints(ground, self.errands, self.dumps.coverage)
        self.listings = Listings(ground, self.errands, self.dumps, self.endpoints)

    def propose(self) -> Step | None:
        """Return the next errand as a step."""
        errand = self.errands.pop()
        return self.errands.send(errand, self._request(errand)) if errand else None

    def _request(self, errand: Errand) -> Request:
        if errand.kind == "sparql":
            return self.endpoints.request(errand.name)
        if errand.kind == "context":
            return self.contexts.request(errand.lead.document)
        request = self._ground.request(errand.lead)
        if errand.kind == "ckan":
            return replace(request, headers=(("Accept", "application/json"),))
        if errand.kind == "dump":
            return replace(request, begins=True, max_bytes=MOST_DUMP_BYTES)
        return request

    # What is seen.

    def met(self, lead: Lead) -> None:
        """Take note of a document that was mentioned; ask its domain for more where that pays."""
        domain = registered_domain(host(lead.document))
        source = replace(lead, depth=max(0, lead.depth - 1))
        kinds = KINDS if self.listings.has_sitemaps(domain) else KINDS[:1]
        for kind in self.probes.due(domain, kinds):
            if kind == "sitemap":
                self.listings.ask(domain, source)
            else:
                root = origin(lead.document)
                self.errands.visit("void", root + VOID, source)

    def look(self, response: Response, document: Document, lead: Lead) -> list[Lead]:
        """Take note of what a document says about datasets; return resources to enter them by."""
        if lead.roles == ("sitemap",):
            self.probes.note("sitemap", paid=document.strict)
        origin = replace(lead, referrer=response.url)
        self._want(response, document, lead)
        self.listings.enter(response.body, response.url, origin)
        if not document.strict:
            return []
        self.dumps.read(response, document, lead)
        return self._listed(document, origin)

    def _listed(self, document: Document, origin: Lead) -> list[Lead]:
        found = catalogue(document.triples)
        for dump, spaces in found.dumps.items():
            self.dumps.expect(dump, spaces, origin, found.fallbacks.get(dump, ""))
        for endpoint, spaces in found.endpoints.items():
            self.endpoints.open(endpoint, spaces, origin, described=endpoint in found.described)
        leads = [lead_to(url, "entry", origin) for entry in found.entries if (url := parse(entry))]
        return [
            replace(lead, depth=origin.depth + 1)
            for lead in leads
            if self._ground.claim(lead.document) and not self._ground.covered(lead)
        ]

    def _want(self, response: Response, document: Document, lead: Lead) -> None:
        """Ask for the contexts that a document names, and let it wait for them."""
        if not document.contexts:
            return
        content_type = response.header("content-type")
        waiting = Waiting(response.url, content_type, response.body, asdict(lead), [])
        for url in self.contexts.want(document.contexts, waiting):
            # Whatever the scope: what is read of it is the document, not the context.
            self._ground.mark(parse(url))
            origin = Lead(uri=url, document=url, referrer=response.url, roles=("context",))
            self.errands.push(Errand("context", origin, url))

    # What came back.

    def answer(self, step: Step, response: Response) -> Reading | None:
        """Return what the answer to an errand says; None: the step was no errand."""
        errand = self.errands.back(step)
        if errand is None:
            return None
        takers = {
            "sparql": self.endpoints.page,
            "ckan": self.listings.packages,
            "context": self._context,
        }
        if errand.kind == "sitemap" and response.ok:
            takers["sitemap"] = self.listings.places
        if errand.kind not in takers:
            return self._document(errand, step, response)
        reading = takers[errand.kind](errand, response)
        self._ground.kinds[reading.kind] += 1
        return reading

    def _document(self, errand: Errand, step: Step, response: Response) -> Reading:
        reading = self._ground.read(step, response, errand.lead)
        if reading.goal:
            self.errands.push(replace(errand, lead=reading.goal))
            return replace(reading, goal=None)
        if errand.kind in KINDS:
            self.probes.note(errand.kind, paid=reading.kind == "graph")
        elif errand.kind == "endpoint":
            self.endpoints.begin(errand.name, errand.lead)
        elif reading.kind != "graph" and (instead := self.dumps.fallback(errand.lead.uri)):
            self.endpoints.open(instead, (), errand.lead)
        return reading

    def _context(self, errand: Errand, response: Response) -> Reading:
        if moved := self.contexts.moved(response, errand.lead.hops):
            self._ground.mark(moved)
            lead = replace(errand.lead, document=moved, hops=errand.lead.hops + 1)
            self.errands.push(replace(errand, lead=lead))
            return Reading("redirect")
        leads: list[Lead] = []
        for one in self.contexts.take(errand.name, response):
            headers = (("Content-Type", one.content_type),)
            again = Response(url=one.url, status=200, headers=headers, body=one.body)
            document = self._ground.document(again)
            leads.extend(self._ground.told(document, again, LEAD.read(one.lead)))
        return Reading("nothing" if response.ok else "failed", leads=leads)

    # What is left of it.

    def told(self) -> dict[str, Any]:
        """Say what the shortcuts brought, for people."""
        return {
            "probes": self.probes.told(),
            "covered": self.covered,
            "covered_prefixes": list(self.dumps.coverage.prefixes[:50]),
            "dumps": len(self.dumps),
            "endpoints": self.endpoints.told(),
            "catalogues": dict(list(self.listings.catalogues.items())[:50]),
            "contexts": {"kept": len(self.contexts.known), "failed": self.contexts.failed},
            "accept": self.negotiation.told(),
        }
