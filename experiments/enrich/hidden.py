"""A hidden table behind a keyword search: a web and a provider in one, without a socket."""

import json
import math
from collections.abc import Sequence
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
from numpy.typing import NDArray

from filon.core import Answer, Record, Request, Response
from filon.page.words import keywords
from filon.testing.table import refusal
from filon.verbs.enrich.strategies.lexicon import common

URL = "http://hidden.invalid/search"
#: The usual parameters of BM25, for words that a record holds once.
BM25_K, BM25_B = 1.2, 0.75


class Hidden:
    """Answers keyword queries over records with the best k of them, page after page.

    records: in the order of their rank: where two match a query alike, the first wins.
    joins: "and": records that hold all words; "or": that hold any, those with the most and
        rarest words first.
    ranks: by what an OR search ranks: "rarity" of the words, "length" (rarity, and short records
        first, as BM25 does), or "count" of words alone.
    totals: whether the number of all matches is reported.
    words, letters: of the longest query that is taken; 0: no limit.
    pages: how many pages can be reached.
    calls: how often it was asked; the server's own count.
    """

    name = "hidden"

    def __init__(
        self,
        records: Sequence[Record],
        *,
        page_size: int,
        joins: str = "and",
        totals: bool = True,
        pages: int = 100,
    ) -> None:
        self.records = records
        self.page_size = page_size
        self.joins = joins
        self.totals = totals
        self.pages = pages
        self.calls = 0
        self.ranks, self.words, self.letters = "rarity", 0, 0
        self._index, self._lengths = _index(records)

    def takes(self, query: str) -> bool:
        """Take any query within the limits."""
        count = len(keywords(query))
        short = not self.letters or len(query) <= self.letters
        return 0 < count <= (self.words or count) and short

    def request(self, query: str, page: str = "") -> Request:
        """Return the request for a page of a query's results."""
        return Request(url=f"{URL}?{urlencode({'q': query, 'page': page or '1'})}")

    async def fetch(self, request: Request) -> Response:
        """Answer as a service would, in JSON."""
        self.calls += 1
        asked = parse_qs(urlsplit(request.url).query)
        page = int(asked["page"][0])
        first = (page - 1) * self.page_size
        found, total = self._best(asked["q"][0], first + self.page_size)
        shown = found[first:] if page <= self.pages else found[:0]
        reply = {"rows": [int(row) for row in shown], "page": page}
        reply["more"] = first + self.page_size < total and page < self.pages
        if self.totals:
            reply["total"] = total
        body = json.dumps(reply).encode()
        size = len(body)
        return Response(
            url=request.url, status=200, body=body, size_bytes=size, wire_bytes=size, at_s=1.0
        )

    async def close(self) -> None:
        """Nothing is open."""

    def parse(self, response: Response) -> Answer:
        """Return the records of an answer, or what is wrong with it."""
        if refused := refusal(response):
            return refused
        try:
            reply = json.loads(response.body)
            more = str(reply["page"] + 1) if reply["more"] else ""
            records = tuple(self.records[row] for row in reply["rows"])
            return Answer(records=records, total=reply.get("total"), more=more)
        except (ValueError, LookupError, TypeError, AttributeError):
            return Answer(problem="schema", detail="not an answer of this service")

    def matches(self, query: str) -> NDArray[np.int32]:
        """Return all records that match, the best first."""
        return self.best(query, len(self.records))

    def best(self, query: str, most: int) -> NDArray[np.int32]:
        """Return the best of the records that match."""
        return self._best(query, most)[0]

    def _best(self, query: str, most: int) -> tuple[NDArray[np.int32], int]:
        """Return the best records that match, the best first, and how many match."""
        nothing = np.zeros(0, dtype=np.int32)
        lists = [self._index.get(word, nothing) for word in keywords(query)]
        if not lists:
            return nothing, 0
        if self.joins == "or":
            return self._ranked(lists, most)
        lists.sort(key=len)
        found = lists[0]
        for other in lists[1:]:
            found = common(found, other)
        return found[:most], len(found)

    def _ranked(self, lists: list[NDArray[np.int32]], most: int) -> tuple[NDArray[np.int32], int]:
        """Return the best first; equals stay in the order of rank."""
        size, score = len(self.records), np.zeros(len(self.records))
        for held in lists:
            score[held] += 1.0 if self.ranks == "count" else math.log(1 + size / (1 + len(held)))
        if self.ranks == "length":
            score /= 1 + BM25_K * (1 - BM25_B + BM25_B * self._lengths / self._lengths.mean())
        found = np.flatnonzero(score)
        total, marks = len(found), score[found]
        if total > most:  # sorting them all takes longer than all the rest
            found = found[marks >= np.partition(marks, total - most)[total - most]]
        order = np.argsort(-score[found], kind="stable")[:most]
        return found[order].astype(np.int32), total


def _index(
    records: Sequence[Record],
) -> tuple[dict[str, NDArray[np.int32]], NDArray[np.float64]]:
    """Return the records of each word, and how many words each record has."""
    rows: dict[str, list[int]] = {}
    lengths = np.zeros(len(records))
    for row, record in enumerate(records):
        words = keywords(" ".join(record.fields.values()))
        lengths[row] = len(words)
        for word in words:
            rows.setdefault(word, []).append(row)
    return {word: np.array(held, dtype=np.int32) for word, held in rows.items()}, lengths
