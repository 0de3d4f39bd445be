"""Whole datasets: dumps and SPARQL endpoints, and what they have told already.

A dump that a catalogue names is asked for first, and in its place the endpoint if it fails. What
they tell need not be asked for one by one. A subject counts as told where its folder is at home in
the dump: several documents of it are described, and by more than a mention. Where only the
beginning of a dump was read, the folder counts as told; where the catalogue names the prefix, that
does. A vocabulary that is one document is a dump too: that shows when its terms redirect to it, one
after the other.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import mmh3
import pyoxigraph as ox

from filon.core import Find, Request, Response
from filon.core.forms import TUPLE, pairs
from filon.core.state import Stateful, stored
from filon.learn.arrays import LISTED, NUMBERS
from filon.page.url import join, parse
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.dump import is_packed
from filon.verbs.follow.strategies.brief import Candidate
from filon.verbs.follow.strategies.crawl import Crawl, Reading
from filon.verbs.follow.strategies.sparql import ENDPOINT, MOST_PAGES, Endpoint
from filon.verbs.follow.strategies.tasks import Task, Tasks, candidate_at

#: Documents of a folder, and triples for each, from which on a dump is at home there.
DOCUMENTS, TRIPLES = 5, 2.0
#: So many terms that redirect to a document show that it tells the others of their folder.
REDIRECTS = 2
#: Subjects, prefixes, and subjects of documents that may turn out to be dumps: all are bounded.
MOST_SUBJECTS, MOST_PREFIXES, MOST_OFFERS = 2_000_000, 1_000, 500_000


class Coverage(Stateful):
    """Subjects and prefixes that are told.

    >>> text = "".join(f"<http://a.org/id/{n}> <http://a.org/p> 'x', 'y' ." for n in range(5))
    >>> coverage = Coverage()
    >>> coverage.learn(quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE))
    >>> len(coverage), "http://a.org/id/4" in coverage, "http://a.org/id/7" in coverage
    (5, True, False)
    """

    STATE = (
        "prefixes",
        stored("_subjects", NUMBERS),
        stored("_offers", pairs(LISTED)),
        "_redirects",
    )

    def __init__(self) -> None:
        self.prefixes: tuple[str, ...] = ()
        self._subjects: set[int] = set()
        self._offers: dict[str, list[int]] = {}  # by document and folder: subjects
        self._offered = 0
        self._redirects: Counter[str] = Counter()

    def learn(
        self, triples: Iterable[ox.Triple], spaces: tuple[str, ...] = (), *, whole: bool = True
    ) -> None:
        """Take note of what a dump says; spaces: prefixes that its catalogue names."""
        documents = _described(triples)
        for space in spaces:
            if any(document.startswith(space.partition("#")[0]) for document in documents):
                self._add(space)
        for name, members in _homes(documents).items():
            self._subjects.update(members[: max(0, MOST_SUBJECTS - len(self._subjects))])
            if not whole:
                self._add(name)

    def offer(self, url: str, triples: Iterable[ox.Triple]) -> None:
        """Take note of a document that may turn out to be a dump."""
        for name, members in _homes(_described(triples)).items():
            if self._offered + len(members) <= MOST_OFFERS:
                self._offered += len(members)
                self._offers[f"{url} {name}"] = members

    def redirected(self, url: str, goal: str) -> None:
        """Take note that a URL leads to a document that was read; often enough, it is a dump."""
        key = f"{goal} {folder(url)}"
        if key in self._offers and _number(url) in self._offers[key]:
            self._redirects[key] += 1
            if self._redirects[key] >= REDIRECTS:
                members = self._offers.pop(key)
                self._offered -= len(members)
                self._subjects.update(members[: max(0, MOST_SUBJECTS - len(self._subjects))])

    def _add(self, prefix: str) -> None:
        if prefix not in self.prefixes and len(self.prefixes) < MOST_PREFIXES:
            self.prefixes += (prefix,)

    def __contains__(self, url: str) -> bool:
        if self.prefixes and url.startswith(self.prefixes):
            return True
        return bool(self._subjects) and _number(url) in self._subjects

    def __len__(self) -> int:
        return len(self._subjects)

    def restored(self) -> None:
        """Count what is offered."""
        self._offered = sum(map(len, self._offers.values()))


def folder(url: str) -> str:
    """Return a URL up to its last slash; "" where that is the host's own.

    >>> folder("http://a.org/id/x"), folder("http://a.org")
    ('http://a.org/id/', '')
    """
    name = url.rpartition("/")[0]
    return f"{name}/" if name.count("/") >= 2 else ""


def _described(triples: Iterable[ox.Triple]) -> dict[str, int]:
    """Return the documents that subjects have, with how many triples tell of them."""
    documents: dict[str, int] = {}
    for triple in triples:
        if isinstance(triple.subject, ox.NamedNode):
            document = triple.subject.value.partition("#")[0]
            documents[document] = documents.get(document, 0) + 1
    return documents


def _homes(documents: dict[str, int]) -> dict[str, list[int]]:
    """Return the folders that are told, each with the numbers of its documents."""
    folders: dict[str, list[str]] = {}
    if len(documents) >= DOCUMENTS:
        for document in documents:
            folders.setdefault(folder(document), []).append(document)
    return {
        name: [_number(one) for one in members]
        for name, members in folders.items()
        if name
        and len(members) >= DOCUMENTS
        and sum(documents[one] for one in members) >= TRIPLES * len(members)
    }


def _number(url: str) -> int:
    return mmh3.hash64(url.encode("utf-8", "surrogatepass"), signed=False)[0]


#: Dumps of one run.
MOST_DUMPS = 20_000


class Dumps(Stateful):
    """Dumps, with the prefixes that they are said to describe, and what they have told."""

    STATE = ("coverage", stored("_spaces", pairs(TUPLE)), "_fallbacks")

    def __init__(self, tasks: Tasks) -> None:
        self.coverage = Coverage()
        self._tasks = tasks
        self._spaces: dict[str, tuple[str, ...]] = {}
        self._fallbacks: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._spaces)

    def expect(
        self, url: str, spaces: tuple[str, ...], origin: Candidate, instead: str = ""
    ) -> None:
        """Ask for a dump; instead: the endpoint that serves the same data."""
        url = parse(url)
        if url and len(self._spaces) < MOST_DUMPS:
            self._spaces.setdefault(url, spaces)
            if instead:
                self._fallbacks[url] = instead
            self._tasks.visit("dump", url, origin)

    def fallback(self, url: str) -> str:
        """Return the endpoint that serves what a dump did not; "" where none does."""
        return self._fallbacks.get(url, "")

    def read(self, response: Response, document: Document, candidate: Candidate) -> None:
        """Take note of what a document tells, if it is a dump or may turn out to be one."""
        if (
            candidate.uri in self._spaces
            or candidate.document in self._spaces
            or is_packed(response.body)
        ):
            spaces = self._spaces.get(candidate.uri) or self._spaces.get(candidate.document, ())
            whole = not (document.full or document.broken or response.cut or response.spool)
            self.coverage.learn(document.triples, spaces, whole=whole)
        elif not document.full:
            self.coverage.offer(response.url, document.triples)


#: Endpoints of one run, and how often one may have moved.
MOST_ENDPOINTS, MOST_MOVES = 200, 3
#: The part of all requests that one endpoint may have: there are others, however large it is.
SHARE = 0.2


class Endpoints(Stateful):
    """Endpoints by the address under which they were met."""

    STATE = (stored("_known", pairs(ENDPOINT)),)

    def __init__(self, crawl: Crawl, tasks: Tasks, coverage: Coverage) -> None:
        self._crawl, self._tasks, self._coverage = crawl, tasks, coverage
        self._known: dict[str, Endpoint] = {}

    def open(
        self, url: str, spaces: tuple[str, ...], origin: Candidate, *, described: bool = False
    ) -> None:
        """Begin to read an endpoint: with its description, unless that was seen."""
        if url in self._known or len(self._known) >= MOST_ENDPOINTS or not self._crawl.admits(url):
            return
        calls = self._crawl.brief.calls
        most = MOST_PAGES if calls is None else min(MOST_PAGES, max(10, int(calls * SHARE)))
        self._known[url] = Endpoint(url, spaces, most)
        if described or not self._tasks.visit("endpoint", url, origin, url):
            self.begin(url, origin)

    def begin(self, url: str, origin: Candidate) -> None:
        """Ask for the first page, whatever the description said: some have none."""
        self._tasks.push(Task("sparql", candidate_at(url, "endpoint", origin), url))

    def request(self, url: str) -> Request:
        """Return the request for the next page of an endpoint."""
        return self._known[url].request()

    def page(self, task: Task, response: Response) -> Reading:
        """Take a page, and ask for the next."""
        endpoint = self._known[task.name]
        reading = Reading("failed")
        moved = join(response.url, response.header("location")) if response.redirects else ""
        if moved and not endpoint.pages and task.candidate.hops < MOST_MOVES:
            endpoint.url = moved.partition("?")[0]
            task = replace(task, candidate=replace(task.candidate, hops=task.candidate.hops + 1))
        elif not response.ok or response.cut:
            endpoint.refused(response)
        else:
            reading = self._read(endpoint, task, response)
        if not endpoint.done:
            self._tasks.push(task)
        return reading

    def _read(self, endpoint: Endpoint, task: Task, response: Response) -> Reading:
        document, named = self._crawl.document(response), endpoint.page_url
        is_page = response.mime == "text/html" and not document.strict
        if is_page or (document.broken and not document.triples):
            endpoint.refused(response)
            return Reading("failed", document)
        if endpoint.nests(document.triples) or not endpoint.take(document.triples):
            return Reading("nothing", document)
        self._coverage.learn(document.triples, endpoint.spaces)
        find = Find(kind="graph", url=named, name=endpoint.url, mime=response.mime)
        candidates = self._crawl.mentioned(document, replace(response, url=named), task.candidate)
        self._crawl.triples += len(document.triples)
        return Reading("graph", document, None, candidates, [find])

    def summary(self) -> dict[str, dict[str, int]]:
        """Say how far the first endpoints were read."""
        known = list(self._known.values())[:50]
        return {one.url: {"pages": one.pages, "triples": one.triples} for one in known}
