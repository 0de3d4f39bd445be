"""A search engine over part of a web, which answers as SearXNG does, with quotas and failures.

Related sites are neighbours in the engine's own space of words, which no ranker shares; backlinks
are the real links in reverse, thinned.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
from numpy.typing import NDArray

from filon.core import Request, Response
from filon.learn.rank.vectors import Vocabulary, tokens
from filon.page.url import host

HOME = "http://searx.example/search"
#: Results of a page, pages in reach, and the share of calls that fail.
EACH, DEEPEST, FAILING = 10, 5, 0.04
#: Pages of one host among the results of a query: engines fold the others.
FOLDED = 2
#: How much more the home page of a host counts: engines weigh what is linked to.
HOMELY = 1.5


def share(seed: int, what: str, name: str) -> float:
    """Return a number below 1 that depends on nothing but these."""
    digest = hashlib.sha256(f"{seed}:{what}:{name}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


class Engine:
    """An index of texts and links. quota: calls before it says 429."""

    def __init__(
        self, texts: Mapping[str, str], links: Mapping[str, Sequence[str]], seed: int, quota: int
    ) -> None:
        self._seed, self._quota = seed, quota
        self._urls = sorted(texts)
        words = [tokens(texts[url]) for url in self._urls]
        self._vocabulary = Vocabulary.learn(words, 2)
        self._rows = self._vocabulary.weighted(words, sublinear=True)
        self._columns = self._rows.tocsc()
        homes = [urlsplit(url).path in ("", "/") for url in self._urls]
        self._weights = np.where(homes, HOMELY, 1.0)
        self._hosts: dict[str, list[int]] = defaultdict(list)
        for number, url in enumerate(self._urls):
            self._hosts[host(url)].append(number)
        self._back: dict[str, list[str]] = defaultdict(list)
        for source in sorted(links):
            for target in links[source]:
                self._back[target].append(source)
        self.calls = 0

    def answer(self, request: Request) -> Response:
        """Answer a call."""
        self.calls += 1
        if self.calls > self._quota:
            return Response(url=request.url, status=429, body=b"Too Many Requests")
        if share(self._seed, "failing", request.url) < FAILING:
            return Response(url=request.url, status=503, body=b"<html>busy</html>")
        asked = parse_qs(urlsplit(request.url).query)
        query, number = asked["q"][0], int(asked.get("pageno", ["1"])[0])
        found = self._search(query)[: EACH * DEEPEST][EACH * (number - 1) : EACH * number]
        results = [{"url": url, "title": "", "content": "", "engine": "own"} for url in found]
        told = {"query": query, "results": results, "unresponsive_engines": []}
        head = (("Content-Type", "application/json"),)
        return Response(url=request.url, status=200, headers=head, body=json.dumps(told).encode())

    def _search(self, query: str) -> list[str]:
        if query.startswith("related:"):
            return self._related(query.removeprefix("related:"))
        if query.startswith("link:"):
            return self._back.get(query.removeprefix("link:"), [])
        numbers = [self._vocabulary.numbers.get(word, -1) for word in tokens(query)]
        known = [number for number in numbers if number >= 0]
        if not known:
            return []
        rarity = self._vocabulary.idf[known]
        return _folded(self._best(np.asarray(self._columns[:, known] @ rarity).ravel(), 500))

    def _related(self, url: str) -> list[str]:
        own = self._hosts.get(host(url))
        if not own:
            return []
        centre = np.asarray(self._rows[own].mean(axis=0)).ravel()
        scores = np.asarray(self._rows @ centre).ravel()
        scores[own] = 0
        return _folded(self._best(scores, 200), 1)

    def _best(self, scores: NDArray[np.float64], most: int) -> list[str]:
        order = np.argsort(-np.round(scores * self._weights, 9), kind="stable")[:most]
        return [self._urls[number] for number in order if scores[number] > 0]


def _folded(urls: Sequence[str], most: int = FOLDED) -> list[str]:
    counts: Counter[str] = Counter()
    kept = []
    for url in urls:
        counts[host(url)] += 1
        if counts[host(url)] <= most:
            kept.append(url)
    return kept


@dataclass(frozen=True, slots=True)
class Hit:
    """A result."""

    url: str


@dataclass(frozen=True, slots=True)
class Hits:
    """An answer."""

    hits: tuple[Hit, ...] = ()
    more: str = ""
    problem: str = ""


class EngineSearcher:
    """Speaks to the engine."""

    name = "searx"
    operators = ("keyword", "related", "backlinks")
    cost = 0.0

    def takes(self, operator: str, query: str) -> bool:
        """Say whether this can be asked."""
        return operator in self.operators

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for a page of results."""
        prefix = {"related": "related:", "backlinks": "link:"}.get(operator, "")
        asked = f"q={quote(prefix + query, safe='')}&format=json&pageno={page or 1}"
        return Request(url=f"{HOME}?{asked}")

    def parse(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        if response.status == 429:
            return Hits(problem="quota")
        if not response.ok:
            return Hits(problem="down")
        hits = tuple(Hit(str(one["url"])) for one in json.loads(response.body)["results"])
        number = int(parse_qs(urlsplit(response.url).query)["pageno"][0])
        return Hits(hits, str(number + 1) if len(hits) == EACH and number < DEEPEST else "")
