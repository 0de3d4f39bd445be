"""A web of ORCA's node types, in process: what is published five ways, and how much of it comes.

Each node is a host with triples of its own, links to other nodes, a Crawl-delay, and a part that
its robots.txt forbids. Node types as in Röder et al., ORCA: a benchmark for data web crawlers
(2021): dereferencing, SPARQL endpoint, CKAN catalogue, dump, and pages with RDFa.
"""

import gzip
import html
import json
import random
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox

from filon.core import Request, Response

KINDS = ("dereferencing", "sparql", "ckan", "dump", "rdfa")
_V = "http://vocabulary.example/"
_LINK, _PART = ox.NamedNode(f"{_V}related"), ox.NamedNode(f"{_V}part")
SYNTAXES = (
    ("ttl", "text/turtle", ox.RdfFormat.TURTLE),
    ("nt", "application/n-triples", ox.RdfFormat.N_TRIPLES),
    ("rdf", "application/rdf+xml", ox.RdfFormat.RDF_XML),
    ("jsonld", "application/ld+json", ox.RdfFormat.JSON_LD),
    ("n3", "text/n3", ox.RdfFormat.N3),
)
_DESCRIPTION = """@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .
[] a sd:Service ; sd:endpoint <{url}> ; sd:supportedLanguage sd:SPARQL11Query ."""
#: Triples of one resource.
EACH = 10


@dataclass(slots=True)
class Node:
    """A host. parts: its documents or files, by path; closed: paths that robots.txt forbids.

    triples: what may be had of it; hidden: what stands behind its robots.txt.
    """

    number: int
    kind: str
    parts: dict[str, list[ox.Triple]] = field(default_factory=dict)
    triples: set[str] = field(default_factory=set)
    store: ox.Store = field(default_factory=ox.Store)

    @property
    def root(self) -> str:
        """Its address, without a last slash."""
        return f"http://{self.kind}{self.number}.example"

    @property
    def entry(self) -> str:
        """The address by which others link to it."""
        paths = {"sparql": "/sparql", "ckan": "/", "dump": next(iter(self.parts), "/")}
        return self.root + paths.get(self.kind, "/resource/0")


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that a node has seen: on which second, and whether its robots.txt forbids it."""

    host: str
    url: str
    at_s: float
    forbidden: bool


class OrcaWeb:
    """The nodes as one Web.

    triples: of each node, about. degree: links from each node to others. closed: the part of a
    node's resources that its robots.txt forbids. clock: what time it is, for `visits`.
    orders: whether the endpoints take ORDER BY; cap: the most triples that one answer has.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        nodes: int = 10,
        triples: int = 100,
        degree: int = 3,
        delay_s: float = 5.0,
        closed: float = 0.1,
        orders: bool = True,
        cap: int = 10_000,
        clock: "Clock | None" = None,
    ) -> None:
        self.dice, self.delay_s, self.clock = random.Random(seed), delay_s, clock or Clock()
        self.orders, self.cap = orders, cap
        self.visits: list[Visit] = []
        self.nodes = [Node(number, KINDS[number % len(KINDS)]) for number in range(nodes)]
        for node in self.nodes:
            _fill(node, triples, closed)
        for node in self.nodes:
            self._connect(node, degree)
        for node in self.nodes:
            _publish(node)
        self._hosts = {urlsplit(node.root).netloc: node for node in self.nodes}

    def _connect(self, node: Node, degree: int) -> None:
        """Link a node to the next one, so that all can be reached, and to some by chance."""
        others = [self.nodes[(node.number + 1) % len(self.nodes)]]
        others += self.dice.sample(self.nodes, min(len(self.nodes), degree - 1))
        open_paths = [path for path in node.parts if not path.startswith("/closed/")]
        for other in others:
            path = self.dice.choice(open_paths)
            node.parts[path].append(_triple(node.root + path, _LINK, other.entry))

    @property
    def seeds(self) -> tuple[str, ...]:
        """Where to start: the first node."""
        return (self.nodes[0].entry,)

    # The web.

    async def fetch(self, request: Request) -> Response:
        """Answer as the node does, and note the visit."""
        split = urlsplit(request.url)
        forbidden = split.path.startswith("/closed/")
        self.visits.append(Visit(split.netloc, request.url, self.clock.now_s, forbidden))
        return self.answer(request)

    async def close(self) -> None:
        """Nothing is open."""

    def answer(self, request: Request) -> Response:
        """Return what a node says, without noting it."""
        split = urlsplit(request.url)
        node = self._hosts.get(split.netloc)
        status, mime, body = self._say(node, split.path, split.query, request) if node else _NONE
        return Response(
            url=request.url,
            status=status,
            headers=(("Content-Type", mime),),
            body=body,
            size_bytes=len(body),
            wire_bytes=len(body),
            at_s=self.clock.now_s,
        )

    def _say(self, node: Node, path: str, query: str, request: Request) -> tuple[int, str, bytes]:
        if path == "/robots.txt":
            text = f"User-agent: *\nCrawl-delay: {self.delay_s:g}\nDisallow: /closed/\n"
            return 200, "text/plain", text.encode()
        if node.kind == "sparql" and path == "/sparql":
            return self._query(node, query, request)
        if node.kind == "ckan" and path in ("/", "/api/3/action/package_search"):
            return _ckan(node, path, query)
        if path not in node.parts:
            return _NONE
        return _written(node, path, request)

    def _query(self, node: Node, query: str, request: Request) -> tuple[int, str, bytes]:
        """Answer as SPARQL 1.1's protocol says."""
        asked = request.body.decode() if request.method == "POST" else ""
        text = asked or "".join(parse_qs(query).get("query", ()))
        if not text:
            return 200, "text/turtle", _DESCRIPTION.format(url=node.entry).encode()
        if "ORDER BY" in text and not self.orders:
            return 400, "text/plain", b"ORDER BY takes too long"
        try:
            found = node.store.query(text)
        except (SyntaxError, ValueError) as error:
            return 400, "text/plain", str(error).encode()
        if not isinstance(found, ox.QueryTriples):
            return 400, "text/plain", b"only CONSTRUCT"
        told = [triple for triple, _ in zip(found, range(self.cap), strict=False)]
        return 200, "application/n-triples", _serialised(told, ox.RdfFormat.N_TRIPLES)


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        """Say what time it is."""
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now_s += seconds


_NONE = 404, "text/html", b"<html><body>Not found</body></html>"


def _triple(subject: str, predicate: ox.NamedNode, goal: str) -> ox.Triple:
    return ox.Triple(ox.NamedNode(subject), predicate, ox.NamedNode(goal))


def _fill(node: Node, triples: int, closed: float) -> None:
    """Give a node its resources; every tenth or so is closed, and linked to all the same."""
    count = max(3, triples // EACH)
    every = round(1 / closed) if closed else count + 1
    paths = [_path(node, number, shut=number % every == every - 1) for number in range(count)]
    for at, path in enumerate(paths):
        subject = ox.NamedNode(node.root + path)
        said = [
            ox.Triple(subject, ox.NamedNode(f"{_V}p{number}"), ox.Literal(f"{path} says {number}"))
            for number in range(EACH - 2)
        ]
        # A tree: each leads to two more, and none that is closed leads anywhere.
        node.parts[path] = said
        if at:
            parent = (at - 1) // 2
            while paths[parent].startswith("/closed/"):
                parent -= 1
            node.parts[paths[parent]].append(
                _triple(node.root + paths[parent], _PART, subject.value)
            )


def _path(node: Node, number: int, *, shut: bool) -> str:
    folder = "closed" if shut else "resource"
    if node.kind in ("dereferencing", "rdfa", "sparql"):
        return f"/{folder}/{number}"
    ending = SYNTAXES[number % 3][0]
    return f"/{folder}/{number}.{ending}{'.gz' if number % 2 else ''}"


def _publish(node: Node) -> None:
    """Settle what can be had of a node; an endpoint and a dump tell all that is open at once."""
    if node.kind == "sparql":
        for path in [path for path in node.parts if not path.startswith("/closed/")]:
            node.store.extend(
                ox.Quad(one.subject, one.predicate, one.object) for one in node.parts.pop(path)
            )
        node.triples = {str(quad.triple) for quad in node.store}
        return
    said = [part for path, part in node.parts.items() if not path.startswith("/closed/")]
    node.triples = {str(triple) for part in said for triple in part}


def _written(node: Node, path: str, request: Request) -> tuple[int, str, bytes]:
    triples = node.parts[path]
    if node.kind == "rdfa":
        return 200, "text/html", _rdfa(triples)
    if node.kind == "dereferencing" or node.kind == "sparql":
        number = int(path.rpartition("/")[2])
        _, mime, syntax = SYNTAXES[number % len(SYNTAXES)]
        return 200, mime, _serialised(triples, syntax)
    name = path.removesuffix(".gz").rpartition(".")[2]
    mime, syntax = next((mime, syntax) for ending, mime, syntax in SYNTAXES if ending == name)
    body = _serialised(triples, syntax)
    if path.endswith(".gz"):
        return 200, "application/gzip", gzip.compress(body, mtime=0)
    return 200, mime, body


def _ckan(node: Node, path: str, query: str) -> tuple[int, str, bytes]:
    """Answer as a CKAN does: a page for people, and a search in pages."""
    if path == "/":
        text = '<html><head><meta name="generator" content="ckan 2.9.5"></head><body></body></html>'
        return 200, "text/html", text.encode()
    asked = parse_qs(query)
    start, rows = (int(asked.get(name, ["10"])[0]) for name in ("start", "rows"))
    listed = [
        {
            "name": f"dataset-{number}",
            "resources": [
                {"url": node.root + one, "format": _FORMATS[number % 3], "mimetype": None},
                {"url": f"{node.root}/tables/{number}.csv", "format": "CSV"},
            ],
        }
        for number, one in enumerate(node.parts)
    ]
    # No CKAN gives more than it likes at once.
    result = {"count": len(listed), "results": listed[start : start + min(rows, 7)]}
    told = {"help": f"{node.root}/api/3/action/help_show", "success": True, "result": result}
    return 200, "application/json", json.dumps(told).encode()


_FORMATS = ("TTL", "N-Triples", "RDF")


def _rdfa(triples: list[ox.Triple]) -> bytes:
    said = []
    for triple in triples:
        about, name = html.escape(str(triple.subject)[1:-1]), html.escape(triple.predicate.value)
        if isinstance(triple.object, ox.Literal):
            value = html.escape(triple.object.value)
            said.append(f'<p about="{about}" property="{name}">{value}</p>')
        else:
            goal = html.escape(str(triple.object)[1:-1])
            said.append(f'<p about="{about}"><a rel="{name}" href="{goal}">{goal}</a></p>')
    return f"<!DOCTYPE html><html><body>{''.join(said)}</body></html>".encode()


def _serialised(triples: list[ox.Triple], syntax: ox.RdfFormat) -> bytes:
    return ox.serialize(triples, format=syntax) or b""
