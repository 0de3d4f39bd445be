"""The Linked Data web as a strategy sees it: what an answer says, and which documents are new.

Every strategy that follows stands on this, so that all agree on what a document is, on scope, on
redirects and on what counts as a find.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import mmh3
import numpy as np

from filon.core import Find, Request, Response, Step
from filon.page.rdf.alternates import alternates
from filon.page.rdf.document import Document
from filon.page.rdf.mentions import Mention, mentions, siblings
from filon.page.rdf.reader import read
from filon.page.rdf.syntaxes import ACCEPT
from filon.page.types import UNWANTED
from filon.page.url import join, parse
from filon.strategies.follow.brief import Brief, Lead

#: A longer chain of redirects has no end.
MOST_HOPS = 10
#: Triples that are read of one document for its links; the output reads them all.
MOST_TRIPLES = 200_000
#: New documents that one document may name.
MOST_LEADS = 20_000
#: Of a longer document this much is read.
MOST_BYTES = 50_000_000


@dataclass(slots=True)
class Reading:
    """What an answer turned out to be.

    kind: "graph" (it has RDF), "nothing" (it has none), "redirect", or "failed".
    goal: where a redirect leads, if that is new.
    leads: documents that are mentioned here for the first time.
    """

    kind: str
    document: Document = field(default_factory=Document)
    goal: Lead | None = None
    leads: list[Lead] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)


class Ground:
    """Seen documents, scope, reading."""

    def __init__(self, brief: Brief, *, with_siblings: bool = False) -> None:
        self.brief = brief
        self.kinds: Counter[str] = Counter()
        self.triples = 0
        self._with_siblings = with_siblings
        self._seen: set[int] = set()
        self._homes = frozenset(brief.scope.home(parse(seed)) for seed in brief.seeds)

    def seeds(self) -> list[Lead]:
        """Return the leads to start with; each document once."""
        leads = []
        for uri in self.brief.seeds:
            document = parse(uri)
            if document and self._claim(document):
                leads.append(Lead(uri=uri, document=document, roles=("seed",)))
        return leads

    def request(self, lead: Lead, accept: str = ACCEPT, method: str = "GET") -> Request:
        """Return the request for a document: RDF if it can be had."""
        return Request(
            url=lead.document,
            method=method,
            headers=(("Accept", accept),),
            unwanted=UNWANTED,
            max_bytes=MOST_BYTES,
        )

    def read(self, step: Step, response: Response, lead: Lead) -> Reading:
        """Say what an answer is, and which documents it is the first to mention."""
        reading = self._read(step, response, lead)
        self.kinds[reading.kind] += 1
        return reading

    def _read(self, step: Step, response: Response, lead: Lead) -> Reading:
        if response.redirects:
            return Reading("redirect", goal=self._goal(response, lead))
        if not response.ok:
            return Reading("failed")
        if response.cut or step.request.method == "HEAD":
            return Reading("nothing")
        content_type = response.header("content-type")
        document = read(response.body, response.url, content_type, most=MOST_TRIPLES)
        named = self._alternates(response, lead) if self.brief.shortcuts else []
        if not document.strict:
            return Reading("nothing", document, None, named)
        self.triples += len(document.triples)
        find = Find(
            kind="graph",
            url=response.url,
            name=lead.uri,
            mime=response.mime,
            parent=lead.referrer,
        )
        leads = [*named, *self._leads(document, response, lead)]
        return Reading("graph", document, None, leads, [find])

    def _goal(self, response: Response, lead: Lead) -> Lead | None:
        url = join(response.url, response.header("location"))
        if not url or lead.hops >= MOST_HOPS or not self._claim(url):
            return None
        return replace(lead, document=url, hops=lead.hops + 1)

    def _leads(self, document: Document, response: Response, lead: Lead) -> list[Lead]:
        found = []
        for mention in mentions(document.triples, self.brief.roles):
            url = parse(mention.document)
            if not url or not self.brief.scope.admits(url, lead.depth + 1, self._homes):
                continue
            if self._claim(url):
                found.append(_lead(mention, url, response.url, lead.depth + 1))
            if len(found) >= MOST_LEADS:
                break
        if self._with_siblings:
            near = siblings(document.triples, [one.uri for one in found])
            found = [replace(one, siblings=tuple(near[one.uri])) for one in found]
        return found

    def _alternates(self, response: Response, lead: Lead) -> list[Lead]:
        """Return where the answer says that its RDF is: as near to a seed as itself."""
        found = []
        for url in alternates(response):
            if self._claim(url):
                roles = ("alternate",)
                found.append(replace(lead, document=url, roles=roles, referrer=response.url))
        return found

    def claim(self, url: str) -> bool:
        """Mark a document as seen; True if it was new and is within scope at any depth."""
        return self.brief.scope.admits(url, 0, self._homes) and self._claim(url)

    def _claim(self, url: str) -> bool:
        number = mmh3.hash64(url.encode(), signed=False)[0]
        if number in self._seen:
            return False
        self._seen.add(number)
        return True

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        seen = np.array(sorted(self._seen), dtype=np.uint64)
        return {"seen": seen, "kinds": dict(self.kinds), "triples": self.triples}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._seen = {int(number) for number in state["seen"]}
        self.kinds = Counter(state["kinds"])
        self.triples = state["triples"]


def _lead(mention: Mention, url: str, referrer: str, depth: int) -> Lead:
    return Lead(
        uri=mention.uri,
        document=url,
        referrer=referrer,
        properties=tuple(mention.properties),
        roles=tuple(mention.roles),
        count=mention.count,
        depth=depth,
    )
