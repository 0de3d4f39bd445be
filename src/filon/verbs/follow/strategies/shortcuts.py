"""Shortcuts: what an answer says about whole datasets, and the tasks that this is worth.

Ground reads; here is decided what a reading is good for beside its links: a dump or an endpoint
that a catalogue names, a catalogue that a page belongs to, a context that a document needs.
"""

from dataclasses import asdict, replace
from typing import Any

from filon.core import Request, Response, Step
from filon.core.state import Stateful, stored
from filon.page.domain import registered_domain
from filon.page.url import host, origin, parse
from filon.verbs.follow.rdf.catalogue import catalogue
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.strategies.brief import CANDIDATE, Candidate
from filon.verbs.follow.strategies.contexts import Contexts, Waiting
from filon.verbs.follow.strategies.crawl import Crawl, Reading
from filon.verbs.follow.strategies.datasets import Dumps, Endpoints
from filon.verbs.follow.strategies.listings import KINDS, VOID, Listings, Probes
from filon.verbs.follow.strategies.negotiation import Negotiation
from filon.verbs.follow.strategies.tasks import Task, Tasks, candidate_at

#: The longest dump that is downloaded whole: the web keeps it in a file. Of a longer one, and for
#: whoever decides what comes next, the beginning must do.
MOST_DUMP_BYTES = 1024**3


class Shortcuts(Stateful):
    """The tasks of one run and what they taught. covered: documents that needed no request."""

    STATE = (
        stored("tasks", key="errands"),
        "probes",
        "contexts",
        "negotiation",
        "dumps",
        "endpoints",
        "listings",
        "covered",
    )

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self.covered = 0
        self.probes, self.contexts, self.negotiation = Probes(), Contexts(), Negotiation()
        self.tasks = Tasks(crawl.claim)
        self.dumps = Dumps(self.tasks)
        self.endpoints = Endpoints(crawl, self.tasks, self.dumps.coverage)
        self.listings = Listings(crawl, self.tasks, self.dumps, self.endpoints)

    def propose(self, busy: frozenset[str]) -> Step | None:
        """Return the next task as a step; busy: hosts that must not be asked now."""
        task = self.tasks.pop(busy)
        return self.tasks.send(task, self._request(task)) if task else None

    def _request(self, task: Task) -> Request:
        if task.kind == "sparql":
            return self.endpoints.request(task.name)
        if task.kind == "context":
            return self.contexts.request(task.candidate.document)
        request = self._crawl.request(task.candidate)
        if task.kind == "ckan":
            return replace(request, headers=(("Accept", "application/json"),))
        if task.kind == "dump":
            return replace(request, begins=True, max_bytes=MOST_DUMP_BYTES)
        return request

    # What is seen.

    def met(self, candidate: Candidate) -> None:
        """Take note of a document that was mentioned; ask its domain for more where that pays."""
        domain = registered_domain(host(candidate.document))
        source = replace(candidate, depth=max(0, candidate.depth - 1))
        kinds = KINDS if self.listings.has_sitemaps(domain) else KINDS[:1]
        for kind in self.probes.due(domain, kinds):
            if kind == "sitemap":
                self.listings.ask(domain, source)
            else:
                root = origin(candidate.document)
                self.tasks.visit("void", root + VOID, source)

    def look(self, response: Response, document: Document, candidate: Candidate) -> list[Candidate]:
        """Take note of what a document says about datasets; return resources to enter them by."""
        if candidate.roles == ("sitemap",):
            self.probes.note("sitemap", paid=document.strict)
        origin = replace(candidate, referrer=response.url)
        self._want(response, document, candidate)
        self.listings.enter(response.body, response.url, origin)
        if not document.strict:
            return []
        self.dumps.read(response, document, candidate)
        return self._listed(document, origin)

    def _listed(self, document: Document, origin: Candidate) -> list[Candidate]:
        found = catalogue(document.triples)
        for dump, spaces in found.dumps.items():
            self.dumps.expect(dump, spaces, origin, found.fallbacks.get(dump, ""))
        for endpoint, spaces in found.endpoints.items():
            self.endpoints.open(endpoint, spaces, origin, described=endpoint in found.described)
        candidates = [
            candidate_at(url, "entry", origin) for entry in found.entries if (url := parse(entry))
        ]
        return [
            replace(candidate, depth=origin.depth + 1)
            for candidate in candidates
            if self._crawl.claim(candidate.document) and not self._crawl.covered(candidate)
        ]

    def _want(self, response: Response, document: Document, candidate: Candidate) -> None:
        """Ask for the contexts that a document names, and let it wait for them."""
        if not document.contexts:
            return
        content_type = response.header("content-type")
        waiting = Waiting(response.url, content_type, response.body, asdict(candidate), [])
        for url in self.contexts.want(document.contexts, waiting):
            # Whatever the scope: what is read of it is the document, not the context.
            self._crawl.mark(parse(url))
            origin = Candidate(uri=url, document=url, referrer=response.url, roles=("context",))
            self.tasks.push(Task("context", origin, url))

    # What came back.

    def observe(self, step: Step, response: Response) -> Reading | None:
        """Return what the answer to a task says; None: the step was no task."""
        task = self.tasks.back(step)
        if task is None:
            return None
        takers = {
            "sparql": self.endpoints.page,
            "ckan": self.listings.packages,
            "context": self._context,
        }
        if task.kind == "sitemap" and response.ok:
            takers["sitemap"] = self.listings.places
        if task.kind not in takers:
            return self._document(task, step, response)
        reading = takers[task.kind](task, response)
        self._crawl.kinds[reading.kind] += 1
        return reading

    def _document(self, task: Task, step: Step, response: Response) -> Reading:
        reading = self._crawl.read(step, response, task.candidate)
        if reading.goal:
            self.tasks.push(replace(task, candidate=reading.goal))
            return replace(reading, goal=None)
        if task.kind in KINDS:
            self.probes.note(task.kind, paid=reading.kind == "graph")
        elif task.kind == "endpoint":
            self.endpoints.begin(task.name, task.candidate)
        elif reading.kind != "graph" and (instead := self.dumps.fallback(task.candidate.uri)):
            self.endpoints.open(instead, (), task.candidate)
        return reading

    def _context(self, task: Task, response: Response) -> Reading:
        if moved := self.contexts.moved(response, task.candidate.hops):
            self._crawl.mark(moved)
            candidate = replace(task.candidate, document=moved, hops=task.candidate.hops + 1)
            self.tasks.push(replace(task, candidate=candidate))
            return Reading("redirect")
        candidates: list[Candidate] = []
        for one in self.contexts.take(task.name, response):
            headers = (("Content-Type", one.content_type),)
            again = Response(url=one.url, status=200, headers=headers, body=one.body)
            document = self._crawl.document(again)
            candidates.extend(self._crawl.mentioned(document, again, CANDIDATE.read(one.candidate)))
        return Reading("nothing" if response.ok else "failed", candidates=candidates)

    # What is left of it.

    def summary(self) -> dict[str, Any]:
        """Say what the shortcuts brought, for people."""
        return {
            "probes": self.probes.summary(),
            "covered": self.covered,
            "covered_prefixes": list(self.dumps.coverage.prefixes[:50]),
            "dumps": len(self.dumps),
            "endpoints": self.endpoints.summary(),
            "catalogues": dict(list(self.listings.catalogues.items())[:50]),
            "contexts": {"kept": len(self.contexts.known), "failed": self.contexts.failed},
            "accept": self.negotiation.summary(),
        }
