"""Search services of which a description says nearly all, and a few lines the rest.

Brave counts in two windows at once. Common Crawl's index answers with an object a line. SearXNG
asks other engines, of which some may be silent. Socrata names datasets, and the portals of these.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from filon.core import Response
from filon.core.service import Hit, Hits
from filon.services.meter import HeaderMeter
from filon.services.search.described import Described
from filon.services.search.searcher import number
from filon.services.source import Source

#: Pages of a query that can be had: offset goes from 0 to 9.
LAST_OFFSET = 9


class Windows(HeaderMeter):
    """Reads "1, 1000": what is left now, and what is left this month."""

    def left(self, response: Response) -> int | None:
        """Return the calls left in the window that has fewest; None where nothing is told."""
        return min(_numbers(response, "x-ratelimit-remaining"), default=None)

    def resets_at_s(self, response: Response) -> float | None:
        """Return when the last of the spent windows is renewed."""
        left = _numbers(response, "x-ratelimit-remaining")
        waits = _numbers(response, "x-ratelimit-reset")
        spent = [wait for count, wait in zip(left, waits, strict=False) if count <= 0]
        return response.at_s + max(spent) if spent else None


class Brave(Described):
    """Brave's web search: it says itself whether there is another page."""

    def __init__(self, name: str, sources: Mapping[str, Source]) -> None:
        super().__init__(name, sources)
        limits = sources["keyword"].description.limits
        self.meter = Windows(name, limits, self.meter.judge)

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        hits = super().read(operator, response)
        if hits.problem or hits.more or not hits.hits:
            return hits
        at = _offset(response.url)
        goes_on = at < LAST_OFFSET and _has_more(self.sources[operator].tree(response))
        return replace(hits, more=str(at + 1)) if goes_on else hits


def _has_more(answer: Any) -> bool:
    query = answer.get("query")
    return isinstance(query, dict) and query.get("more_results_available") is True


def _offset(url: str) -> int:
    offset = url.partition("&offset=")[2].partition("&")[0]
    return int(offset) if offset.isascii() and offset.isdigit() else 0


def _numbers(response: Response, header: str) -> list[int]:
    parts = [part.strip() for part in response.header(header).split(",")]
    return [int(part) for part in parts if part.isascii() and part.isdigit()]


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


class Searxng(Described):
    """An instance; a warning tells which of its engines did not answer."""

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        hits = super().read(operator, response)
        if hits.problem or not hits.hits:
            return hits
        silent = _silent(self.sources[operator].tree(response))
        return replace(hits, detail=f"No answer from {silent}.") if silent else hits


def _silent(tree: Any) -> str:
    engines = tree.get("unresponsive_engines") if isinstance(tree, dict) else None
    if not isinstance(engines, list):
        return ""
    return ", ".join(
        f"{pair[0]} ({pair[1]})" if isinstance(pair, list) and len(pair) > 1 else str(pair)
        for pair in engines
    )


class Socrata(Described):
    """Keywords bring datasets; seeds are the portals of these, those with most first."""

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        hits = super().read(operator, response)
        if operator == "keyword" or hits.problem:
            return hits
        return replace(hits, hits=_portals(hits.hits), total=None)


def _portals(datasets: tuple[Hit, ...]) -> tuple[Hit, ...]:
    counts = Counter(hit.extra["domain"] for hit in datasets if hit.extra.get("domain"))
    return number(
        [
            Hit(
                url=f"https://{domain}/",
                title=domain,
                extra={"datasets": str(count), "software": "socrata"},
            )
            for domain, count in counts.most_common()
        ]
    )
