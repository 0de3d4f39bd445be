"""A search engine over part of a web, with quotas and failures: three services in one.

`keyword` answers as SearXNG does, `related` as Exa's findSimilar, `backlinks` in a form of its own
(`backlinks.py`). Related sites are neighbours in the engine's own space of words, which no ranker
shares; backlinks are the real links in reverse, thinned, in an order that has nothing to do with
what links: as with the services, by some authority of the page.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from numpy.typing import NDArray

from experiments.discover import backlinks
from filon.core import Request, Response
from filon.learn.rank.vectors import Vocabulary, tokens
from filon.page.url import host

SEARX, EXA = "http://searx.example", "https://api.exa.ai/findSimilar"
#: Results of a page, pages in reach, and the share of calls that fail.
EACH, DEEPEST, FAILING = 10, 5, 0.04
#: Pages of one host among the results of a query: engines fold the others.
FOLDED = 2
#: How much more the home page of a host counts, and a page with so many links to it that their
#: logarithm is 1: engines weigh what is linked to.
HOMELY, LINKED = 1.5, 0.3
#: Of the hosts in the index, those that the service for related sites knows: each service has its
#: own part of the web, and small sites have no neighbours there.
RELATED = 0.6
#: Words of a snippet, and of these the words before the first that was asked for.
SNIPPET, BEFORE = 30, 6


def share(seed: int, what: str, name: str) -> float:
    """Return a number below 1 that depends on nothing but these."""
    digest = hashlib.sha256(f"{seed}:{what}:{name}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


class Engine:
    """An index of titles, texts and links. quota: calls of each service before it says 429."""

    def __init__(
        self,
        texts: Mapping[str, tuple[str, str]],
        links: Mapping[str, Sequence[str]],
        seed: int,
        quota: int,
    ) -> None:
        self._seed, self._quota = seed, quota
        self._texts = texts
        self._urls = sorted(texts)
        words = [_stems(" ".join(texts[url])) for url in self._urls]
        self._vocabulary = Vocabulary.learn(words, 2)
        self._rows = self._vocabulary.weighted(words, sublinear=True)
        self._columns = self._rows.tocsc()
        self._hosts: dict[str, list[int]] = defaultdict(list)
        for number, url in enumerate(self._urls):
            self._hosts[host(url)].append(number)
        self._back: dict[str, list[str]] = defaultdict(list)
        for source in sorted(links, key=lambda url: share(seed, "authority", url)):
            for target in links[source]:
                self._back[target].append(source)
        homes = [urlsplit(url).path in ("", "/") for url in self._urls]
        known = np.log1p([len(self._back.get(url, ())) for url in self._urls])
        self._weights = np.where(homes, HOMELY, 1.0) * (1 + LINKED * known)
        near = [share(seed, "related", host(url)) < RELATED for url in self._urls]
        self._near = np.array(near, dtype=float)
        self.calls: Counter[str] = Counter()

    def answer(self, request: Request) -> Response | None:
        """Answer a call; None: it is for somebody else."""
        for service, reply in _SERVICES.items():
            if request.url.startswith(service):
                return self._serve(service, request, reply)
        return None

    def _serve(self, service: str, request: Request, reply: str) -> Response:
        self.calls[service] += 1
        if self.calls[service] > self._quota:
            return Response(url=request.url, status=429, body=b"Too Many Requests")
        drawn = share(self._seed, "failing", request.url)
        if drawn < FAILING / 2:
            return Response(url=request.url, status=503, body=b"<html>busy</html>")
        silent = drawn < FAILING and service == SEARX
        said = {"query": "", "results": [], "unresponsive_engines": [["own", "timeout"]]}
        told = said if silent else getattr(self, reply)(request)
        head = (("Content-Type", "application/json"),)
        return Response(url=request.url, status=200, headers=head, body=json.dumps(told).encode())

    def _keyword(self, request: Request) -> dict[str, Any]:
        """As docs.searxng.org/dev/search_api has it."""
        asked = parse_qs(urlsplit(request.url).query)
        query, number = asked.get("q", [""])[0], int(asked.get("pageno", ["1"])[0])
        found = self._search(query)[: EACH * DEEPEST][EACH * (number - 1) : EACH * number]
        results = [
            {
                "url": url,
                "title": self._texts[url][0],
                "content": _snippet(self._texts[url][1], query),
                "engine": "own",
                "engines": ["own"],
                "positions": [place],
                "score": round(1 / place, 4),
                "category": "general",
            }
            for place, url in enumerate(found, EACH * (number - 1) + 1)
        ]
        return {
            "query": query,
            "number_of_results": 0,
            "results": results,
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [],
        }

    def _similar(self, request: Request) -> dict[str, Any]:
        """As exa.ai/docs/reference/find-similar-links has it."""
        asked = json.loads(request.body)
        found = self._related(str(asked["url"]))[: int(asked.get("numResults", 10))]
        results = [
            {"id": url, "url": url, "title": self._texts[url][0], "score": round(1 / place, 4)}
            for place, url in enumerate(found, 1)
        ]
        return {"requestId": "r", "results": results}

    def _linking(self, request: Request) -> dict[str, Any]:
        asked = parse_qs(urlsplit(request.url).query)
        return backlinks.told(self._back.get(asked["target"][0], []), asked)

    def _search(self, query: str) -> list[str]:
        """Return pages with most of the words first, and of these the ones with rare words."""
        numbers = [self._vocabulary.numbers.get(word, -1) for word in dict.fromkeys(_stems(query))]
        known = [number for number in numbers if number >= 0]
        if not known:
            return []
        held = self._columns[:, known]
        scores = np.asarray(held @ self._vocabulary.idf[known]).ravel()
        shared = np.asarray((held > 0).sum(axis=1)).ravel() / len(known)
        return _folded(self._best(scores * shared**2, 500))

    def _related(self, url: str) -> list[str]:
        own = self._hosts.get(host(url))
        if not own or not self._near[own[0]]:
            return []
        centre = np.asarray(self._rows[own].mean(axis=0)).ravel()
        scores = np.asarray(self._rows @ centre).ravel() * self._near
        scores[own] = 0
        return _folded(self._best(scores, 200), 1)

    def _best(self, scores: NDArray[np.float64], most: int) -> list[str]:
        order = np.argsort(-np.round(scores * self._weights, 9), kind="stable")[:most]
        return [self._urls[number] for number in order if scores[number] > 0]


_SERVICES = {SEARX: "_keyword", EXA: "_similar", backlinks.HOME: "_linking"}


def _stems(text: str) -> list[str]:
    """Return the words of a text without the s of the plural: all engines know as much."""
    return [
        word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word
        for word in tokens(text)
    ]


def _folded(urls: Sequence[str], most: int = FOLDED) -> list[str]:
    counts: Counter[str] = Counter()
    kept = []
    for url in urls:
        counts[host(url)] += 1
        if counts[host(url)] <= most:
            kept.append(url)
    return kept


def _snippet(text: str, query: str) -> str:
    """Return the passage round the first word that was asked for."""
    words, asked = text.split(), set(_stems(query))
    first = next((n for n, word in enumerate(words) if asked & set(_stems(word))), 0)
    start = max(0, first - BEFORE)
    return " ".join(words[start : start + SNIPPET])
