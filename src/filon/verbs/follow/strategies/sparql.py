"""A SPARQL endpoint, read in pages: one page at a time, politely, and to its end.

Endpoints differ in what they take. The first way of asking is the one whose answers are RDF
and whose order holds from page to page; where it is refused, the next is tried.

Blank nodes have no name that holds from page to page, unless the endpoint gives them one of its
own. Where it counts them anew in each answer, what has a name is asked for page by page, with all
that is said of its blank nodes; and then those that nothing refers to.
"""

from dataclasses import dataclass, field
from urllib.parse import quote

import mmh3
import pyoxigraph as ox

from filon.core import Request, Response
from filon.core.forms import TUPLE, record
from filon.verbs.follow.rdf.results import is_counted

#: Triples of a page: what endpoints commonly grant.
SIZE = 1_000
#: Pages of one endpoint in one run, and their least distance, whatever its host allows.
MOST_PAGES, DELAY_S = 1_000, 1.0
MOST_BYTES = 20_000_000
_RDF = "application/n-triples, text/turtle;q=0.9, application/rdf+xml;q=0.5"
_JSON = "application/sparql-results+json, application/json;q=0.5"
#: Form, whether it is ordered, method: the ways to ask, the best first.
WAYS = (
    ("CONSTRUCT", True, "GET"),
    ("CONSTRUCT", False, "GET"),
    ("SELECT", True, "GET"),
    ("SELECT", False, "GET"),
    ("CONSTRUCT", False, "POST"),
    ("SELECT", False, "POST"),
)
#: Answers that mean that another method may do.
_OTHER_METHOD = (405, 411, 414, 501)
#: A cap is a round number: a first page of as many triples may be cut short, and not the end.
_ROUND = 50
_ALL = "{ ?s ?p ?o }"
#: How deep blank nodes within blank nodes are asked for: the last of a list of five.
NESTED = 6


@dataclass(slots=True)
class Endpoint:
    """How far an endpoint has been read.

    spaces: prefixes that its catalogue names. most_pages: after so many it is left.
    way: which of WAYS is in use.
    nested: blank nodes come with what refers to them; flat: that was refused.
    roots: those that nothing refers to are read now.
    named: the default graph is read, and the others are now.
    granted: how many triples the first page had. pages: that were answered.
    seen: digests of pages, to tell one that comes again.

    >>> endpoint = Endpoint("http://a.org/sparql")
    >>> quads = ox.parse("<http://a.org/x> a <http://a.org/C> .", format=ox.RdfFormat.TURTLE)
    >>> endpoint.take([quad.triple for quad in quads]), endpoint.triples, endpoint.named
    (True, 1, True)
    """

    url: str
    spaces: tuple[str, ...] = ()
    most_pages: int = MOST_PAGES
    way: int = 0
    nested: bool = False
    flat: bool = False
    roots: bool = False
    named: bool = False
    offset: int = 0
    granted: int = 0
    pages: int = 0
    triples: int = 0
    done: bool = False
    seen: list[int] = field(default_factory=list)

    @property
    def query(self) -> str:
        """The query for the next page."""
        form, ordered, _ = WAYS[self.way]
        order = "ORDER BY ?s ?p ?o " if ordered else ""
        page = f"{order}LIMIT {SIZE} OFFSET {self.offset}"
        if self.nested:
            return self._nested(page)
        # A triple of several graphs would come several times, and pages could not be counted.
        rows = f"SELECT DISTINCT ?s ?p ?o WHERE {{ GRAPH ?g {_ALL} }} {page}"
        if form == "SELECT":
            return rows if self.named else f"SELECT ?s ?p ?o WHERE {_ALL} {page}"
        if self.named:
            return f"CONSTRUCT {_ALL} WHERE {{ {rows} }}"
        return f"CONSTRUCT {_ALL} WHERE {_ALL} {page}"

    def _nested(self, page: str) -> str:
        """Return the query for a page whose blank nodes come with all that is said of them."""
        every = f"GRAPH ?g {_ALL}" if self.named else "?s ?p ?o"
        other = "GRAPH ?h { ?x ?y ?s }" if self.named else "?x ?y ?s"
        which = f"isBlank(?s) && NOT EXISTS {{ {other} }}" if self.roots else "!isBlank(?s)"
        rows = f"SELECT DISTINCT ?s ?p ?o WHERE {{ {every} FILTER({which}) }} {page}"
        within = ""
        for level in range(NESTED, 0, -1):
            above = f"?o{level - 1}" if level > 1 else "?o"
            triple = f"{above} ?p{level} ?o{level}"
            place = f"GRAPH ?g{level} {{ {triple} }}" if self.named else triple
            within = f" OPTIONAL {{ {place} FILTER(isBlank({above})){within} }}"
        nodes = ["?o", *(f"?o{level}" for level in range(1, NESTED + 1))]
        chain = (f"{nodes[n - 1]} ?p{n} {nodes[n]}" for n in range(1, NESTED + 1))
        template = " . ".join(["?s ?p ?o", *chain])
        return f"CONSTRUCT {{ {template} }} WHERE {{ {{ {rows} }}{within} }}"

    @property
    def page_url(self) -> str:
        """The address of the next page: also its name where it is asked for by POST."""
        joint = "&" if "?" in self.url else "?"
        return f"{self.url}{joint}query={quote(self.query, safe='')}"

    def request(self) -> Request:
        """Return the request for the next page."""
        form, _, method = WAYS[self.way]
        headers = [("Accept", _RDF if form == "CONSTRUCT" else _JSON)]
        body = b""
        if method == "POST":
            headers.append(("Content-Type", "application/sparql-query"))
            body = self.query.encode()
        return Request(
            url=self.url if method == "POST" else self.page_url,
            method=method,
            headers=tuple(headers),
            body=body,
            max_bytes=MOST_BYTES,
            delay_s=DELAY_S,
        )

    def refused(self, response: Response) -> None:
        """Take the next way of asking; after the first page there is none: order would differ."""
        if self.nested:
            self.nested, self.flat, self.roots = False, True, False
            return
        fitting = range(self.way + 1, len(WAYS))
        if response.status in _OTHER_METHOD:
            fitting = range(max(self.way + 1, 4), len(WAYS))
        hopeless = response.status == 0 or response.status in (401, 403, 404, 410, 429, 503)
        if self.pages or hopeless or not fitting:
            self._end()
        else:
            self.way = fitting[0]

    def nests(self, triples: list[ox.Triple]) -> bool:
        """Say whether a page must be asked for anew, with what is said of its blank nodes."""
        if self.nested or self.flat or WAYS[self.way][0] != "CONSTRUCT":
            return False
        if len(triples) < (self.granted or (SIZE if len(triples) % _ROUND else 1)):
            return False  # there is no other page
        ends = (end for triple in triples for end in (triple.subject, triple.object))
        self.nested = any(isinstance(e, ox.BlankNode) and is_counted(e.value) for e in ends)
        return self.nested

    def take(self, triples: list[ox.Triple]) -> bool:
        """Take a page; return whether it said anything new."""
        digest = _digest(triples)
        again = digest in self.seen
        self.pages += 1
        if triples and not again:
            self.seen.append(digest)
            self.triples += len(triples)
            self.offset += self._rows(triples)
        if again or self._is_last(self._rows(triples)):
            self._end()
        self.done = self.done or self.pages >= self.most_pages
        return bool(triples) and not again

    def _rows(self, triples: list[ox.Triple]) -> int:
        """Return how many rows a page had: what is said of blank nodes besides is none."""
        if not self.nested:
            return len(triples)
        inner = {triple.object for triple in triples if isinstance(triple.object, ox.BlankNode)}
        return sum(
            isinstance(one.subject, ox.BlankNode) == self.roots and one.subject not in inner
            for one in triples
        )

    def _is_last(self, count: int) -> bool:
        """Say whether a page is the last: shorter than the first, or that is no cap."""
        if self.granted:
            return count < self.granted
        self.granted = count
        return count < SIZE and (not count or count % _ROUND > 0)

    def _end(self) -> None:
        """Go from the default graph to the others, and from them to the end."""
        self.offset = self.granted = 0
        if self.nested and self.pages and not self.roots:
            self.roots = True
            return
        self.done = self.named or not self.pages
        self.named, self.roots = True, False


#: An endpoint in a declared state.
ENDPOINT = record(Endpoint, spaces=TUPLE)


def _digest(triples: list[ox.Triple]) -> int:
    """Return a number for a set of triples, whatever the labels of its blank nodes."""
    total = 0
    for triple in triples:
        subject, object_ = triple.subject, triple.object
        ends = ["_" if isinstance(one, ox.BlankNode) else str(one) for one in (subject, object_)]
        text = f"{ends[0]} {triple.predicate.value} {ends[1]}"
        total += mmh3.hash64(text.encode("utf-8", "surrogatepass"), signed=False)[0]
    return total & (1 << 64) - 1
