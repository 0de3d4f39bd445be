"""Search services of which a description says nearly all, and a few lines the rest.

Brave counts in two windows at once. Common Crawl's index answers with an object a line. SearXNG
asks other engines, of which some may be silent. Socrata names datasets, and the portals of these.

DataCite tells which repositories have most datasets on a topic: the first answer to keywords holds
datasets, and counts how many of all that match each repository has; its next page is the
repositories themselves, those with most datasets first. A wiki is a collection of hubs that people
made: backlinks are its pages that link to a host, outlinks a page's links to other sites. re3data's
list names repositories, and a record each tells where they are: so the first answer has no hits but
a total, and each next page is one repository.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode

from filon.core import Request, Response
from filon.core.service import Hit, Hits
from filon.page.url import split
from filon.page.values import whole
from filon.services.calls import HeaderMeter
from filon.services.search.service import Described, check, explain, hits_of, number
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
    return whole(offset) or 0


def _numbers(response: Response, header: str) -> list[int]:
    parts = [part.strip() for part in response.header(header).split(",")]
    return [number for part in parts if (number := whole(part)) is not None]


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
        at = whole(page or "0")
        return replace(hits, more=str(at + 1) if hits.hits and at is not None else "")


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


_CLIENTS = "clients:"
#: Repositories that are looked up at once; the facet itself has about as many.
MOST_CLIENTS = 50
#: What has a meaning in a query of Elasticsearch, but for quotes and what stands within words.
_SYNTAX = re.compile(r"[+=&|><!(){}\[\]^~*?:\\/]|(?<!\w)-|-(?!\w)")
_LOGIC = re.compile(r"\b(AND|OR|NOT|TO)\b")


class DataCite(Described):
    """Datasets and repositories with DOIs."""

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for datasets, or for the repositories that the page names."""
        check(self, operator)
        if operator == "keyword" and page.startswith(_CLIENTS):
            return self._clients(page.removeprefix(_CLIENTS))
        return super().request(operator, query, page)

    def prepare(self, operator: str, query: str) -> str:
        """Return plain words: a stray colon or bracket would be refused as a mistake."""
        plain = _LOGIC.sub(lambda word: word[0].lower(), _SYNTAX.sub(" ", query))
        odd = plain.count('"') % 2
        return " ".join((plain.replace('"', " ") if odd else plain).split())

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        if operator == "seeds":
            return super().read(operator, response)
        if split(response.url).path.endswith("/repositories"):
            return _ordered(hits_of(self.sources["seeds"], response), _counts_of(response.url))
        hits = super().read(operator, response)
        if hits.problem or not hits.hits:
            return hits
        counts = _facet(self.sources[operator].tree(response))
        counted = [_with_count(hit, counts) for hit in hits.hits]
        more = _CLIENTS + ",".join(f"{name}={count}" for name, count in counts.items())
        return replace(hits, hits=tuple(counted), more=more if counts else "")

    def _clients(self, clients: str) -> Request:
        """Ask for repositories by their names; how many datasets each has stays with us."""
        request = self.sources["seeds"].request("")
        counts = dict(part.partition("=")[::2] for part in clients.split(","))
        parts = split(request.url)
        params = {name: values[0] for name, values in parse_qs(parts.query).items()}
        params.pop("sort", None)
        params |= {"ids": ",".join(counts)}
        url = parts._replace(query=urlencode(params), fragment=urlencode(counts)).geturl()
        return replace(request, url=url)


def _facet(tree: Any) -> dict[str, int]:
    meta = tree.get("meta") if isinstance(tree, dict) else None
    clients = meta.get("clients") if isinstance(meta, dict) else None
    entries = [entry for entry in clients if isinstance(entry, dict)] if clients else []
    named = [(str(entry.get("id", "")), entry.get("count")) for entry in entries]
    counts = [(name, count) for name, count in named if name and isinstance(count, int)]
    return dict(sorted(counts, key=lambda pair: (-pair[1], pair[0]))[:MOST_CLIENTS])


def _counts_of(url: str) -> dict[str, int]:
    facets = parse_qs(split(url).fragment)
    return {name: count for name, counts in facets.items() if (count := whole(counts[0]))}


def _with_count(hit: Hit, counts: Mapping[str, int]) -> Hit:
    count = counts.get(hit.extra.get("client", ""), 0)
    return replace(hit, extra={**hit.extra, "datasets": str(count)}) if count else hit


def _ordered(hits: Hits, counts: Mapping[str, int]) -> Hits:
    counted = [_with_count(hit, counts) for hit in hits.hits]
    counted.sort(key=lambda hit: -int(hit.extra.get("datasets", 0)))
    return replace(hits, hits=number(counted), more="")


class MediaWiki(Described):
    """A wiki, by its api.php."""

    def __init__(self, name: str, sources: Mapping[str, Source]) -> None:
        self._by_id = sources["extlinks-id"]
        super().__init__(name, {each: sources[each] for each in ("backlinks", "outlinks")})

    @classmethod
    def complete(cls, parameters: Mapping[str, str]) -> dict[str, str]:
        """Take its index.php to be beside its api.php, where it is not given."""
        known = dict(parameters)
        if "url" in known:
            known.setdefault("index", re.sub(r"api\.php$", "index.php", known["url"].rstrip("/")))
        return known

    def takes(self, operator: str, query: str) -> bool:
        """Say whether this can be asked: only pages of the wiki itself have outlinks here."""
        of_wiki = "://" not in query or split(query).netloc == split(self.origin).netloc
        return super().takes(operator, query) and (operator == "backlinks" or of_wiki)

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request; a page of the wiki is known by its number or by its title."""
        check(self, operator)
        number = parse_qs(split(query).query).get("curid", [""])[0]
        if operator == "outlinks" and number:
            return self._by_id.request(number, page)
        return super().request(operator, query, page)

    def prepare(self, operator: str, query: str) -> str:
        """Return the host of a URL, or the title of a page of the wiki."""
        if operator == "backlinks":
            host = split(query).netloc if "://" in query else query.strip("/")
            # The wildcard stands for the name without www. too.
            return f"*.{host[4:]}" if host.startswith("www.") else host
        return _title(query)


def _title(query: str) -> str:
    if "://" not in query:
        return query
    parts = split(query)
    named = parse_qs(parts.query).get("title", [""])[0]
    path = parts.path.partition("/wiki/")[2] or parts.path.rpartition("/")[2]
    number = parse_qs(parts.query).get("curid", [""])[0]
    return (named or number or unquote(path)).replace("_", " ")


#: Records of one question that are looked up, a call each.
MOST_RECORDS = 100


class Re3data(Described):
    """The registry of research data repositories."""

    def __init__(self, name: str, sources: Mapping[str, Source]) -> None:
        self._record = sources["re3data-record"]
        super().__init__(name, {"seeds": sources["seeds"]})
        self.page_size = 1

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for the list, or for the first of the records that the page names."""
        check(self, operator)
        if not page:
            return super().request(operator, query)
        first, _, rest = page.partition(",")
        request = self._record.request(first)
        return replace(request, url=f"{request.url}#{rest}") if rest else request

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        check(self, operator)
        parts = split(response.url)
        if "/repository/" in parts.path:
            # One record that cannot be had is no reason to lose those after it.
            return replace(hits_of(self._record, response), total=None, more=parts.fragment)
        answer = self.sources[operator].parse(response)
        names = [record.id for record in answer.records][:MOST_RECORDS]
        return Hits(
            total=answer.total,
            more=",".join(names),
            problem=answer.problem,
            detail=explain(answer, response),
        )
