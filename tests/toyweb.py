"""A small Linked Data web without sockets: a few hosts, every way to publish, and dead ends."""

import gzip
import json
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox

from filon.core import Request, Response
from filon.verbs.follow.strategies.sparql import Endpoint

TURTLE = "text/turtle"
DUMPED = "".join(
    f'<http://dump.example/id/{n}> <http://v.example/{p}> "{n}" .\n'
    for n in range(9)
    for p in "abc"
)
PAGES: dict[str, tuple[int, str, str | bytes]] = {
    "http://a.example/start": (
        200,
        TURTLE,
        "<#me> <http://v.example/knows> <http://b.example/1#it>, <http://b.example/2>, "
        "<http://c.example/id/3>, <http://dead.example/x>, <http://d.example/page>, "
        "<http://void.example/about>, <http://ckan.example/>, <http://e.example/context> .",
    ),
    "http://b.example/1": (
        200,
        TURTLE,
        "<#it> <http://v.example/knows> <http://a.example/start#me> .",
    ),
    "http://b.example/2": (200, "text/plain", "@prefix v: <http://v.example/> . <> v:knows <4> ."),
    "http://b.example/4": (200, "text/html", "<html><body>Nothing here</body></html>"),
    "http://c.example/id/3": (303, "", "http://c.example/doc/3"),
    "http://c.example/doc/3": (
        200,
        "application/ld+json",
        '{"@id": "http://c.example/id/3", "http://v.example/knows": {"@id": "http://c.example/loop"}}',
    ),
    "http://c.example/loop": (302, "", "http://c.example/loop2"),
    "http://c.example/loop2": (302, "", "http://c.example/loop"),
    "http://d.example/page": (
        200,
        "text/html",
        '<html><body><p property="http://v.example/name">D</p>'
        '<a rel="http://v.example/knows" href="http://d.example/e">e</a></body></html>',
    ),
    "http://d.example/e": (500, "text/html", "oops"),
    # A description of datasets: a dump, and an endpoint that refuses ORDER BY.
    "http://void.example/about": (
        200,
        TURTLE,
        "@prefix void: <http://rdfs.org/ns/void#> . <#a> void:dataDump "
        "<http://dump.example/all.nt.gz> ; void:uriSpace 'http://dump.example/id/' ; "
        "void:exampleResource <http://dump.example/id/1> . "
        "<#b> void:sparqlEndpoint <http://sparql.example/q> .",
    ),
    "http://dump.example/all.nt.gz": (
        200,
        "application/gzip",
        gzip.compress(DUMPED.encode(), mtime=0),
    ),
    **{f"http://dump.example/id/{n}": (404, "text/html", "no") for n in range(9)},
    "http://sparql.example/q": (
        200,
        TURTLE,
        "[] a <http://www.w3.org/ns/sparql-service-description#Service> .",
    ),
    # A catalogue of two datasets, one of them in a file with RDF.
    "http://ckan.example/": (200, "text/html", '<html><meta name="generator" content="ckan 2.9">'),
    "http://ckan.example/api/3/action/package_search?rows=100&start=0": (
        200,
        "application/json",
        json.dumps(
            {
                "success": True,
                "result": {
                    "count": 2,
                    "results": [
                        {"resources": [{"url": "http://ckan.example/f/1", "format": "TTL"}]},
                        {"resources": [{"url": "http://ckan.example/f/2", "format": "CSV"}]},
                    ],
                },
            }
        ),
    ),
    "http://ckan.example/f/1": (200, "text/plain", "<#it> <http://v.example/knows> <#it> ."),
    # Contexts: one that is there after a redirect, and one that is not.
    "http://e.example/context": (
        200,
        "application/ld+json",
        '{"@context": ["http://e.example/c", "http://e.example/none"], "@id": "#x", '
        '"knows": "http://e.example/last"}',
    ),
    "http://e.example/c": (302, "", "http://e.example/c.jsonld"),
    "http://e.example/c.jsonld": (
        200,
        "application/ld+json",
        '{"@context": {"knows": {"@id": "http://v.example/knows", "@type": "@id"}}}',
    ),
    "http://e.example/last": (200, TURTLE, "<#a> <http://v.example/knows> <#b> ."),
}
_ENDPOINT = "http://sparql.example/q"
_STORE = ox.Store()
_STORE.extend(
    ox.Quad(
        ox.NamedNode(f"http://sparql.example/id/{n}"),
        ox.NamedNode(f"http://v.example/{p}"),
        ox.Literal(str(n)),
    )
    for n in range(400)
    for p in "abc"
)
#: The documents with RDF that can be reached.
GRAPHS = {
    "http://a.example/start",
    "http://b.example/1",
    "http://b.example/2",
    "http://c.example/doc/3",
    "http://d.example/page",
    "http://void.example/about",
    "http://dump.example/all.nt.gz",
    "http://sparql.example/q",
    *(Endpoint(_ENDPOINT, way=1, offset=offset).page_url for offset in (0, 1000)),
    "http://ckan.example/f/1",
    "http://e.example/context",
    "http://e.example/last",
}
SEED = "http://a.example/start#me"


class ToyWeb:
    """Answers from PAGES; remembers what it was asked. `relevant` is the truth, for oracles."""

    def __init__(self) -> None:
        self.log: list[tuple[str, str]] = []

    async def fetch(self, request: Request) -> Response:
        self.log.append((request.method, request.url))
        status, mime, said = PAGES.get(request.url, (404, "text/html", "<html>no</html>"))
        if request.url.startswith(f"{_ENDPOINT}?"):
            status, mime, said = _asked(request.url)
        text = said.encode() if isinstance(said, str) else said
        place = (("Location", text.decode()),) if status in (302, 303) else ()
        headers = place or (("Content-Type", mime),)
        body = b"" if request.method == "HEAD" or place else text
        return Response(
            url=request.url,
            status=status,
            headers=headers,
            body=body,
            size_bytes=len(body),
            wire_bytes=len(body),
            at_s=float(len(self.log)),
        )

    async def close(self) -> None:
        pass

    def relevant(self, url: str) -> bool:
        seen: set[str] = set()
        while url in PAGES and PAGES[url][0] in (302, 303) and url not in seen:
            seen.add(url)
            url = str(PAGES[url][2])
        return url in GRAPHS


def _asked(url: str) -> tuple[int, str, bytes]:
    """Answer a query as an endpoint does that takes no ORDER BY."""
    query = parse_qs(urlsplit(url).query)["query"][0]
    if "ORDER BY" in query:
        return 400, "text/plain", b"no"
    found = _STORE.query(query)
    if isinstance(found, ox.QuerySolutions):
        results = found.serialize(format=ox.QueryResultsFormat.JSON)
        return 200, "application/sparql-results+json", results or b""
    assert isinstance(found, ox.QueryTriples)
    return 200, "application/n-triples", found.serialize(format=ox.RdfFormat.N_TRIPLES) or b""
