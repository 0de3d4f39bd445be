"""A small site made on the spot: pages, files, dead links, redirects, images, other hosts.

It is a Web and a Truth, needs no socket, and is the same in every process.
"""

from collections.abc import Iterator

from filon.core import Request, Response
from filon.core.web import hand_out
from filon.page.links import links
from filon.page.url import join

HOST = "http://toy.test"
CSV = b"year,value\n2024,1\n2025,2\n"


class ToySite:
    """Topics lead to pages of datasets, those to files; news lead to nothing."""

    def __init__(self, topics: int = 6, datasets: int = 8, news: int = 30) -> None:
        self.topics, self.datasets, self.news = topics, datasets, news
        self.start = f"{HOST}/"
        self.log: list[str] = []
        self.clock_s = 1_700_000_000.0
        self._answers = dict(self._build())

    def _build(self) -> Iterator[tuple[str, tuple[int, str, bytes]]]:
        topics = [f"/topic/{t}" for t in range(self.topics)]
        news = [f"/news/{n}" for n in range(self.news)]
        yield "/", page(topics, "nav.topics", news, "ul.news")
        for t, topic in enumerate(topics):
            sets = [f"/set/{t}-{d}" for d in range(self.datasets)]
            yield topic, page(sets, "ol.sets", ["/", "/dead/" + str(t)], "p.crumbs")
            for d, path in enumerate(sets):
                files = [f"/files/{t}-{d}.csv", f"/get/{t}{d}", f"/files/{t}-{d}.png"]
                yield path, page(files, "div.files", [topic, "/"], "p.crumbs")
                yield files[0], (200, "text/csv", CSV + path.encode())
                yield files[1], (302, f"/files/{t}-{d}.zip", b"")
                yield f"/files/{t}-{d}.zip", (200, "application/zip", b"PK\3\4" + path.encode())
                yield files[2], (200, "image/png", b"\x89PNG\r\n\x1a\n")
        for n, path in enumerate(news):
            links = [f"/news/{(n + 1) % self.news}", f"/moved/{n}", "https://other.test/x.csv"]
            yield path, page(links, "div.more", ["/", topics[n % self.topics]], "p.crumbs")
            yield f"/moved/{n}", (301, path, b"")

    def answer(self, request: Request) -> Response:
        """Answer a request; the clock moves a second."""
        self.clock_s += 1
        self.log.append(f"{request.method} {request.url}")
        status, kind, body = 404, "text/html", b"<html><body>Not here</body></html>"
        if request.url.startswith(HOST):
            path = request.url.removeprefix(HOST).partition("?")[0]
            status, kind, body = self._answers.get(path, (status, kind, body))
        name = "Location" if 300 <= status < 400 else "Content-Type"
        whole = Response(
            url=request.url,
            status=status,
            headers=((name, kind),),
            body=body,
            size_bytes=len(body),
            wire_bytes=len(body),
            at_s=self.clock_s,
            took_s=0.1,
        )
        return hand_out(request, whole)

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        return self.answer(request)

    async def close(self) -> None:
        """Nothing to close."""

    def kind(self, url: str) -> str:
        """Tell what is at a URL."""
        answer = self._answers.get(url.removeprefix(HOST))
        if answer is None:
            return "error"
        status, mime, _ = answer
        if status != 200:
            return "redirect"
        names = {"text/html": "html", "text/csv": "target", "application/zip": "target"}
        return names.get(mime, "other")

    def leads(self, url: str) -> list[str]:
        """Return where a page's links or a redirect lead."""
        status, kind, body = self._answers.get(url.removeprefix(HOST), (404, "", b""))
        if 300 <= status < 400:
            return [join(url, kind)]
        return [link.url for link in links(body, url)] if kind == "text/html" else []

    def targets(self) -> list[str]:
        """Return the URLs of all targets."""
        return [HOST + path for path in self._answers if self.kind(HOST + path) == "target"]


def page(main: list[str], where: str, side: list[str], other: str) -> tuple[int, str, bytes]:
    """Return a page with two groups of links, each at a tag path of its own."""
    html = f"<html><body>{group(main, where)}{group(side, other)}</body></html>"
    return 200, "text/html", html.encode()


def group(paths: list[str], where: str) -> str:
    """Return links within an element given as tag.class."""
    tag, _, name = where.partition(".")
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in paths)
    return f'<{tag} class="{name}">{links}</{tag}>'
