"""Common Crawl's index: the addresses of a host that a crawl has seen, a JSON object a line."""

from dataclasses import replace

from filon.core import Response
from filon.core.searcher import Hits
from filon.services.search.described import Described


class CommonCrawl(Described):
    """Lists what is known under a host, a URL, or a pattern like `*.example.org/api/*`."""

    def takes(self, operator: str, query: str) -> bool:
        """Say whether this can be asked: a host, an address or a pattern, but no words."""
        of_host = "." in query and not query.strip().count(" ")
        return of_host and super().takes(operator, query)

    def prepare(self, operator: str, query: str) -> str:
        """Return a pattern: a bare host or address stands for all under it."""
        plain = query.strip().partition("://")[2] or query.strip()
        return plain if "*" in plain else f"{plain.rstrip('/')}/*"

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds. Whether there is another page, only asking tells."""
        if response.ok:
            response = replace(response, body=_joined(response.body))
        hits = super().read(operator, response)
        page = response.url.partition("&page=")[2].partition("&")[0]
        more = str(int(page or 0) + 1) if hits.hits and (page or "0").isdigit() else ""
        return replace(hits, more=more)


def _joined(body: bytes) -> bytes:
    """Put the lines into one list; what is not lines of objects stays and is complained about."""
    lines = [line for line in body.splitlines() if line.strip()]
    if not all(line.startswith(b"{") for line in lines):
        return body
    return b'{"results":[' + b",".join(lines) + b"]}"
