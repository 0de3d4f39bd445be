"""DataCite: which repositories have most datasets on a topic.

The first answer to keywords holds datasets, and counts how many of all that match each repository
has. Its next page is the repositories themselves, those with most datasets first.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from filon.core import Request, Response
from filon.core.service import Hit, Hits
from filon.services.search.described import Described, hits_of
from filon.services.search.searcher import check, number

_CLIENTS = "clients:"
#: Repositories that are looked up at once; the facet itself has about as many.
MOST = 50
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
        if urlsplit(response.url).path.endswith("/repositories"):
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
        parts = urlsplit(request.url)
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
    return dict(sorted(counts, key=lambda pair: (-pair[1], pair[0]))[:MOST])


def _counts_of(url: str) -> dict[str, int]:
    facets = parse_qs(urlsplit(url).fragment)
    return {name: int(counts[0]) for name, counts in facets.items() if counts[0].isdigit()}


def _with_count(hit: Hit, counts: Mapping[str, int]) -> Hit:
    count = counts.get(hit.extra.get("client", ""), 0)
    return replace(hit, extra={**hit.extra, "datasets": str(count)}) if count else hit


def _ordered(hits: Hits, counts: Mapping[str, int]) -> Hits:
    counted = [_with_count(hit, counts) for hit in hits.hits]
    counted.sort(key=lambda hit: -int(hit.extra.get("datasets", 0)))
    return replace(hits, hits=number(counted), more="")
