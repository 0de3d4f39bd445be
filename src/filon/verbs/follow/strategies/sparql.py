"""A SPARQL endpoint, read in pages: one page at a time, politely, and to its end.

Endpoints differ in what they take. The first way of asking is the one whose answers are RDF
and whose order holds from page to page; where it is refused, the next is tried.
"""

from dataclasses import dataclass, field
from urllib.parse import quote

import mmh3
import pyoxigraph as ox

from filon.core import Request, Response
from filon.core.forms import TUPLE, record

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


@dataclass(slots=True)
class Endpoint:
    """How far an endpoint has been read.

    spaces: prefixes that its catalogue names. most_pages: after so many it is left.
    way: which of WAYS is in use.
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
        # A triple of several graphs would come several times, and pages could not be counted.
        rows = f"SELECT DISTINCT ?s ?p ?o WHERE {{ GRAPH ?g {_ALL} }} {page}"
        if form == "SELECT":
            return rows if self.named else f"SELECT ?s ?p ?o WHERE {_ALL} {page}"
        if self.named:
            return f"CONSTRUCT {_ALL} WHERE {{ {rows} }}"
        return f"CONSTRUCT {_ALL} WHERE {_ALL} {page}"

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
        fitting = range(self.way + 1, len(WAYS))
        if response.status in _OTHER_METHOD:
            fitting = range(max(self.way + 1, 4), len(WAYS))
        hopeless = response.status == 0 or response.status in (401, 403, 404, 410, 429, 503)
        if self.pages or hopeless or not fitting:
            self._end()
        else:
            self.way = fitting[0]

    def take(self, triples: list[ox.Triple]) -> bool:
        """Take a page; return whether it said anything new."""
        digest = _digest(triples)
        again = digest in self.seen
        self.pages += 1
        if triples and not again:
            self.seen.append(digest)
            self.triples += len(triples)
            self.offset += len(triples)
        if again or self._is_last(len(triples)):
            self._end()
        self.done = self.done or self.pages >= self.most_pages
        return bool(triples) and not again

    def _is_last(self, count: int) -> bool:
        """Say whether a page is the last: shorter than the first, or that is no cap."""
        if self.granted:
            return count < self.granted
        self.granted = count
        return count < SIZE and (not count or count % _ROUND > 0)

    def _end(self) -> None:
        """Go from the default graph to the others, and from them to the end."""
        self.done = self.named or not self.pages
        self.named, self.offset, self.granted = True, 0, 0


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
