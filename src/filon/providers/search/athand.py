"""Services that need no request: an index on this machine, asked as the others are."""

from filon.core import Response, UserError
from filon.providers.meter import Meter
from filon.providers.search.index import Found, Index
from filon.providers.search.searcher import Hits, check, number
from filon.providers.shape import Key, Limits


class AtHand:
    """An index under a name. Its pages are offsets."""

    cost = 0.0
    origin = ""

    def __init__(self, name: str, index: Index, operators: frozenset[str], page_size: int) -> None:
        self.name = name
        self.index = index
        self.operators = operators
        self.page_size = page_size
        self.key = Key()
        self.secrets: tuple[str, ...] = ()
        self.meter = Meter(name, Limits(), lambda response: ("", ""))

    def takes(self, operator: str, query: str) -> bool:
        """Say whether the operator is there and the query says anything."""
        return operator in self.operators and bool(query.strip())

    def ask(self, operator: str, query: str, page: str = "") -> Hits:
        """Return the hits."""
        return self.answer(operator, query, page)

    def answer(self, operator: str, query: str, page: str = "") -> Hits:
        """Return the hits; a page that is not in the index has no likes and no links."""
        check(self, operator)
        offset = int(page) if page.isascii() and page.isdigit() else 0
        found = self._find(operator, query, offset)
        if found is None:
            return Hits(problem="query", detail=f"{self.name} does not know {query}.")
        seen = offset + len(found.hits)
        more = str(seen) if found.hits and seen < found.total else ""
        return Hits(hits=number(found.hits), total=found.total, more=more)

    def parse(self, operator: str, response: Response) -> Hits:
        """Nothing is sent, so nothing comes back."""
        raise RuntimeError(f"{self.name} is asked without a request")

    def _find(self, operator: str, query: str, offset: int) -> Found | None:
        match operator:
            case "related":
                return self.index.related(query, offset, self.page_size)
            case "backlinks":
                return self.index.backlinks(query, offset, self.page_size)
            case "outlinks":
                return self.index.outlinks(query, offset, self.page_size)
        return self.index.search(query, offset, self.page_size)


def page_size(text: str) -> int:
    """Return the parameter as a number."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1000):
        raise UserError(f"page_size must be a whole number from 1 to 1000, not {text!r}.")
    return int(text)
