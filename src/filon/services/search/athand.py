"""Services on this machine: an index under the name of a host that does not exist.

They are asked as all others are, and answered by `respond`, which web/split.py calls instead of
sending anything. `answer` is the same without the detour.
"""

import json
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import parse_qs, urlencode

from filon.core import Request, Response, UserError
from filon.core.service import Hit, Hits
from filon.page.url import split
from filon.page.values import read_json, whole
from filon.services.calls import HeaderMeter
from filon.services.search.index import Found, Index
from filon.services.search.service import check, number
from filon.services.shape import Key, Limits

#: Addresses that are taken of one text.
MOST_MENTIONS = 50


class AtHand:
    """An index under a name. Its pages are offsets."""

    cost = 0.0

    def __init__(self, name: str, index: Index, operators: frozenset[str], page_size: int) -> None:
        self.name = name
        self.index = index
        self.operators = operators
        self.page_size = page_size
        self.origin = f"http://{name}.invalid"  # RFC 2606: nobody will ever have that name
        self.key = Key()
        self.secrets: tuple[str, ...] = ()
        self.meter = HeaderMeter(name, Limits(), lambda response: ("", ""))

    def takes(self, operator: str, query: str) -> bool:
        """Say whether the operator is there and the query says anything."""
        return operator in self.operators and bool(query.strip())

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request that `respond` understands."""
        check(self, operator)
        parameters = {"q": query, "page": page}
        asked = urlencode({name: text for name, text in parameters.items() if text})
        return Request(url=f"{self.origin}/{operator}?{asked}")

    def respond(self, url: str) -> bytes | None:
        """Return the body of the answer to a request; None where it is none of ours."""
        parts = split(url)
        operator = parts.path.strip("/")
        if operator not in self.operators:
            return None
        parameters = parse_qs(parts.query)
        hits = self.answer(operator, parameters.get("q", [""])[0], parameters.get("page", [""])[0])
        return json.dumps(asdict(hits), ensure_ascii=False).encode()

    def parse(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds. What `respond` wrote comes whole, or not at all."""
        check(self, operator)
        if not response.ok or response.cut or response.spool:
            return Hits(problem="down", detail=response.detail or f"{self.name} is not at hand.")
        try:
            return _hits(read_json(response.body))
        except (ValueError, TypeError, KeyError, AttributeError):
            return Hits(problem="schema", detail=f"This is no answer of {self.name}.")

    def answer(self, operator: str, query: str, page: str = "") -> Hits:
        """Return the hits; a page that is not in the index has no likes and no links."""
        check(self, operator)
        offset = whole(page) or 0
        found = self._find(operator, query, offset)
        if found is None:
            return Hits(problem="query", detail=f"{self.name} does not know {query}.")
        seen = offset + len(found.hits)
        more = str(seen) if found.hits and seen < found.total else ""
        return Hits(hits=number(found.hits), total=found.total, more=more)

    def _find(self, operator: str, query: str, offset: int) -> Found | None:
        match operator:
            case "related":
                return self.index.related(query, offset, self.page_size)
            case "backlinks":
                return self.index.backlinks(query, offset, self.page_size)
            case "outlinks":
                return self.index.outlinks(query, offset, self.page_size)
        return self.index.search(query, offset, self.page_size)


class Mentions(AtHand):
    """An engine over one's own archives whose hits can all be fetched.

    Texts that are nowhere on the web stand for the addresses that they name: a list of links in a
    file is found by its words; what who asks can use of it are the links.
    """

    def __init__(self, engine: AtHand) -> None:
        super().__init__(engine.name, engine.index, engine.operators, engine.page_size)

    def answer(self, operator: str, query: str, page: str = "") -> Hits:
        """Return the hits, with the links of a file in its place."""
        hits = super().answer(operator, query, page)
        found = [each for hit in hits.hits for each in self._addresses(hit)]
        return replace(hits, hits=number(found))

    def _addresses(self, hit: Hit) -> list[Hit]:
        if not hit.url.startswith("file:"):
            return [hit]
        named = super().answer("outlinks", hit.url).hits[:MOST_MENTIONS]
        return [replace(each, snippet=hit.title, extra={"file": hit.url}) for each in named]


def _hits(answer: dict[str, Any]) -> Hits:
    return Hits(**{**answer, "hits": tuple(Hit(**hit) for hit in answer["hits"])})


def page_size(text: str) -> int:
    """Return the parameter as a number."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1000):
        raise UserError(f"page_size must be a whole number from 1 to 1000, not {text!r}.")
    return int(text)
