"""The Linked Data web as a strategy sees it: what an answer says, and which documents are new.

Every strategy that follows stands on this, so that all agree on what a document is, on scope, on
redirects and on what counts as a find.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import mmh3

from filon.core import Find, Request, Response, Step
from filon.core.state import Stateful, part, stored
from filon.learn.arrays import NUMBERS
from filon.page.types import UNWANTED
from filon.page.url import join, parse, split
from filon.verbs.follow.rdf.alternates import alternates, choices
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.dump import is_packed, read_packed
from filon.verbs.follow.rdf.mentions import Mention, mentions, siblings
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.rdf.syntaxes import ACCEPT
from filon.verbs.follow.strategies.brief import Brief, Candidate
from filon.verbs.follow.strategies.negotiation import VARIANTS, variant_of

if TYPE_CHECKING:
    from filon.verbs.follow.strategies.shortcuts import Shortcuts


@dataclass(slots=True)
class Reading:
    """What an answer turned out to be.

    kind: "graph" (it has RDF), "nothing" (it has none), "redirect", or "failed".
    goal: where a redirect leads, if that is new.
    candidates: documents that are mentioned here for the first time.
    """

    kind: str
    document: Document = field(default_factory=Document)
    goal: Candidate | None = None
    candidates: list[Candidate] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)


#: A longer chain of redirects has no end.
MOST_HOPS = 10
#: Triples that are read of one document for its links; the output reads them all.
MOST_TRIPLES = 200_000
#: New documents that one document may name.
MOST_CANDIDATES = 20_000
#: Of a longer document this much is read, and of a packed one this much when unpacked.
MOST_BYTES, MOST_UNPACKED = 50_000_000, 200_000_000
#: Types of pages, which may have been sent for want of a better Accept header.
_PAGES = ("text/html", "application/xhtml+xml")


class Crawl(Stateful):
    """Seen documents, scope, reading."""

    STATE = (stored("_seen", NUMBERS), "kinds", "troubles", "triples", part("shortcuts"))

    def __init__(
        self, brief: Brief, *, with_siblings: bool = False, with_shortcuts: bool = False
    ) -> None:
        self.brief = brief
        self.kinds: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.shortcuts = self._shortcuts() if with_shortcuts and brief.shortcuts else None
        self.triples = 0
        self._with_siblings = with_siblings
        self._seen: set[int] = set()
        self._homes = frozenset(brief.scope.home(parse(seed)) for seed in brief.seeds)

    def _shortcuts(self) -> "Shortcuts":
        from filon.verbs.follow.strategies.shortcuts import Shortcuts  # it stands on this

        return Shortcuts(self)

    def busy(self, flying: Iterable[str]) -> frozenset[str]:
        """Return the hosts to which as many requests are on their way as may be.

        flying: the documents that were asked for; tasks are known here.
        """
        if not self.brief.per_host:
            return frozenset()
        counts = Counter(split(url).netloc for url in flying)
        if self.shortcuts:
            counts.update(split(url).netloc for url in self.shortcuts.tasks.flying())
        return frozenset(name for name, count in counts.items() if count >= self.brief.per_host)

    def seeds(self) -> list[Candidate]:
        """Return the candidates to start with; each document once."""
        candidates = []
        for uri in self.brief.seeds:
            document = parse(uri)
            if document and self.mark(document):
                candidates.append(Candidate(uri=uri, document=document, roles=("seed",)))
        return candidates

    def request(self, candidate: Candidate, method: str = "GET") -> Request:
        """Return the request for a document: RDF if it can be had."""
        accept = ACCEPT
        if self.shortcuts:
            variant = candidate.variant or self.shortcuts.negotiation.choose(_negotiated(candidate))
            accept = VARIANTS[variant]
        return Request(
            url=candidate.document,
            method=method,
            headers=(("Accept", accept),),
            unwanted=UNWANTED,
            max_bytes=MOST_BYTES,
        )

    def propose_task(self, busy: frozenset[str]) -> Step | None:
        """Return a step that a shortcut is worth, to be taken before any document."""
        return self.shortcuts.propose(busy) if self.shortcuts else None

    def observe_task(self, step: Step, response: Response) -> Reading | None:
        """Return what the answer to a task says; None: the step was none."""
        return self.shortcuts.observe(step, response) if self.shortcuts else None

    def covered(self, candidate: Candidate) -> bool:
        """Say whether a dump or an endpoint has told what a document would; counts if so."""
        if not self.shortcuts or "seed" in candidate.roles or candidate.hops:
            return False
        covered = candidate.document in self.shortcuts.dumps.coverage
        self.shortcuts.covered += covered
        return covered

    def read(self, step: Step, response: Response, candidate: Candidate) -> Reading:
        """Say what an answer is, and which documents it is the first to mention."""
        reading = self._read(step, response, candidate)
        self.kinds[reading.kind] += 1
        if self.shortcuts and reading.kind != "redirect":
            self._negotiate(step, response, candidate, reading)
        return reading

    def _negotiate(
        self, step: Step, response: Response, candidate: Candidate, reading: Reading
    ) -> None:
        """Learn whether the Accept header brought RDF, where it could have made a difference."""
        hit, name = reading.kind == "graph", variant_of(step.request)
        page = response.ok and response.mime in _PAGES
        # What a header was redirected to and is not there, may be there for another.
        dead = response.status == 406 or (candidate.hops and response.status in (404, 410))
        if self.shortcuts and name and (hit or page or dead):
            refused = response.status == 406
            self.shortcuts.negotiation.learn(_negotiated(candidate), name, hit=hit, refused=refused)

    def _read(self, step: Step, response: Response, candidate: Candidate) -> Reading:
        if response.redirects:
            url = join(response.url, response.header("location"))
            return Reading("redirect", goal=self._goal(step, url, candidate))
        if response.status == 300 and (offered := choices(response)):
            return Reading("redirect", goal=self._goal(step, offered[0], candidate))
        if not response.ok:
            self.troubles[response.error or str(response.status)] += 1
            return Reading("failed")
        begun = step.request.begins and response.body
        if (response.cut and not begun) or step.request.method == "HEAD":
            self.troubles["cut"] += bool(response.cut)
            return Reading("nothing")
        document = self.document(response)
        named = self._alternates(response, candidate) if self.brief.shortcuts else []
        if self.shortcuts:
            named.extend(self.shortcuts.look(response, document, candidate))
        if not document.strict:
            return Reading("nothing", document, None, named)
        self.triples += len(document.triples)
        find = Find(
            kind="graph",
            url=response.url,
            name=candidate.uri,
            mime=response.mime,
            parent=candidate.referrer,
        )
        candidates = [*named, *self.mentioned(document, response, candidate)]
        return Reading("graph", document, None, candidates, [find])

    def document(self, response: Response) -> Document:
        """Read an answer's RDF, packed or not, within bounds; count what is wrong with it."""
        content_type = response.header("content-type")
        contexts = self.shortcuts.contexts.known if self.shortcuts else None
        if is_packed(response.body):
            document = read_packed(
                response.body,
                response.url,
                content_type,
                most_bytes=MOST_UNPACKED,
                most=MOST_TRIPLES,
            )
        else:
            document = read(
                response.body, response.url, content_type, contexts=contexts, most=MOST_TRIPLES
            )
        for trouble in ("broken", "mended", "full"):
            self.troubles[trouble] += bool(getattr(document, trouble))
        return document

    def _goal(self, step: Step, url: str, candidate: Candidate) -> Candidate | None:
        if not url or candidate.hops >= MOST_HOPS or not self.mark(url):
            self.troubles["redirects"] += not url or candidate.hops >= MOST_HOPS
            if self.shortcuts:
                self.shortcuts.dumps.coverage.redirected(candidate.uri.partition("#")[0], url)
            return None
        variant = variant_of(step.request) if self.shortcuts else ""
        return replace(candidate, document=url, hops=candidate.hops + 1, variant=variant)

    def mentioned(
        self, document: Document, response: Response, candidate: Candidate
    ) -> list[Candidate]:
        """Return the documents that a graph is the first to mention."""
        found = []
        for mention in mentions(document.triples, self.brief.roles):
            url = parse(mention.document)
            if not url or not self.brief.scope.admits(url, candidate.depth + 1, self._homes):
                continue
            if self.mark(url):
                new = _candidate(mention, url, response.url, candidate.depth + 1)
                if self.covered(new):
                    continue
                found.append(new)
                if self.shortcuts:
                    self.shortcuts.met(new)
            if len(found) >= MOST_CANDIDATES:
                break
        if self._with_siblings:
            near = siblings(document.triples, [one.uri for one in found])
            found = [replace(one, siblings=tuple(near[one.uri])) for one in found]
        return found

    def _alternates(self, response: Response, candidate: Candidate) -> list[Candidate]:
        """Return where the answer says that its RDF is: as near to a seed as itself."""
        if "alternate" in candidate.roles and not response.mime.startswith("application/linkset"):
            return []  # it is the RDF of another; such a chain could go on for ever
        found = []
        for url in alternates(response):
            if self.mark(url):
                new = replace(candidate, document=url, referrer=response.url, variant="")
                found.append(replace(new, roles=("alternate",)))
        return found

    def claim(self, url: str) -> bool:
        """Mark a document as seen; True if it was new and is within scope at any depth."""
        return self.admits(url) and self.mark(url)

    def admits(self, url: str) -> bool:
        """Say whether a URL is within scope at any depth."""
        return self.brief.scope.admits(url, 0, self._homes)

    def mark(self, url: str) -> bool:
        """Mark a document as seen, wherever it is; True if it was new."""
        number = mmh3.hash64(url.encode(), signed=False)[0]
        if number in self._seen:
            return False
        self._seen.add(number)
        return True

    def summary(self) -> dict[str, Any]:
        """Say what came back, what was wrong with it, and what was not needed."""
        summary: dict[str, Any] = {"kinds": dict(self.kinds), "triples": self.triples}
        summary["troubles"] = {
            name: count for name, count in sorted(self.troubles.items()) if count
        }
        if self.shortcuts:
            summary["shortcuts"] = self.shortcuts.summary()
            summary["skipped"] = {"covered": self.shortcuts.covered}
        return summary


def _negotiated(candidate: Candidate) -> str:
    """Return the URI by which a publisher decides: that before redirects."""
    return candidate.document if "alternate" in candidate.roles else candidate.uri


def _candidate(mention: Mention, url: str, referrer: str, depth: int) -> Candidate:
    return Candidate(
        uri=mention.uri,
        document=url,
        referrer=referrer,
        properties=tuple(mention.properties),
        roles=tuple(mention.roles),
        count=mention.count,
        depth=depth,
    )


class Crawler(Stateful):
    """A strategy that goes about a ground: what all such tell and hear alike."""

    crawl: Crawl

    @property
    def triples(self) -> int:
        """How many triples were read so far."""
        return self.crawl.triples

    def hear_sitemaps(self, urls: list[str], at_s: float) -> None:
        """Take note of sitemaps that a robots.txt names."""
        if self.crawl.shortcuts:
            self.crawl.shortcuts.listings.hear(urls)
