"""A small Linked Data web without sockets: a few hosts, every way to publish, and dead ends."""

from filon.core import Request, Response

TURTLE = "text/turtle"
PAGES: dict[str, tuple[int, str, str]] = {
    "http://a.example/start": (
        200,
        TURTLE,
        "<#me> <http://v.example/knows> <http://b.example/1#it>, <http://b.example/2>, "
        "<http://c.example/id/3>, <http://dead.example/x>, <http://d.example/page> .",
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
}
#: The documents with RDF that can be reached.
GRAPHS = {
    "http://a.example/start",
    "http://b.example/1",
    "http://b.example/2",
    "http://c.example/doc/3",
    "http://d.example/page",
}
SEED = "http://a.example/start#me"


class ToyWeb:
    """Answers from PAGES; remembers what it was asked. `relevant` is the truth, for oracles."""

    def __init__(self) -> None:
        self.log: list[tuple[str, str]] = []

    async def fetch(self, request: Request) -> Response:
        self.log.append((request.method, request.url))
        status, mime, text = PAGES.get(request.url, (404, "text/html", "<html>no</html>"))
        headers = (("Location", text),) if status in (302, 303) else (("Content-Type", mime),)
        body = b"" if request.method == "HEAD" or status in (302, 303) else text.encode()
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
            url = PAGES[url][2]
        return url in GRAPHS
