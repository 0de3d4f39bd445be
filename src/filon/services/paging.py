"""The next page of a query's results: by number, offset, cursor or link."""

import re
from urllib.parse import parse_qsl, urljoin, urlsplit

from filon.core import Response
from filon.page.url import origin
from filon.services.paths import Finder, Node
from filon.services.shape import Paging

_LINK = re.compile(r"<([^>]*)>((?:[^,\"]|\"[^\"]*\")*)")
_NEXT = re.compile(r";\s*rel\s*=\s*(?:\"[^\"]*\bnext\b[^\"]*\"|next\b)", re.I)


class Pages:
    """Knows where an answer stands among its query's, and what comes after it.

    What is handed on is text: a page number, an offset, a cursor or a URL on the same host. The
    place of an answer is read off its URL, where `Source.request` has written it.
    """

    def __init__(self, paging: Paging, size: int, next_: Finder) -> None:
        self.paging = paging
        self._size = size
        self._next = next_

    @property
    def first(self) -> str:
        """What stands for the first page."""
        default = {"page": "1", "offset": "0"}.get(self.paging.how, "")
        return self.paging.first or default

    def more(
        self, response: Response, tree: Node, count: int, total: int | None, size: int = 0
    ) -> str:
        """Return what to ask for next; "" where nothing is left or can be reached.

        count: the records of this answer. size: those of a full page, as the service tells it.
        """
        if not count:
            return ""
        match self.paging.how:
            case "page" | "offset":
                return self._counted(response, count, total, size or self._size)
            case "cursor":
                return self._cursor(response, tree)
            case "link":
                return self._linked(response, tree)
        return ""

    def _counted(self, response: Response, count: int, total: int | None, size: int) -> str:
        at, first = _number(self._at(response)), _number(self.first)
        paged = self.paging.how == "page"
        seen = (at - first) * (size if paged else 1) + size
        if total is not None and seen >= total:
            return ""
        if total is None and count < size:
            return ""
        reachable = self.paging.reachable
        # A page that is reachable only in part is refused as a whole by most services.
        if reachable and seen + size > reachable:
            return ""
        return str(at + 1 if paged else at + size)

    def _cursor(self, response: Response, tree: Node) -> str:
        cursor, reachable = self._next.text(tree), self.paging.reachable
        if reachable and _number(cursor) + self._size > reachable:
            return ""
        return "" if cursor == self._at(response) else cursor

    def _linked(self, response: Response, tree: Node) -> str:
        link = self._next.text(tree) if self._next else _link_header(response)
        url = urljoin(response.url, link) if link else ""
        # Elsewhere could be anybody, and the key goes along.
        same = origin(url) == origin(response.url)
        return url if same and url != response.url else ""

    def _at(self, response: Response) -> str:
        parts = urlsplit(response.url)
        where = parts.fragment if self.paging.inside == "body" else parts.query
        return dict(parse_qsl(where)).get(self.paging.parameter, self.first)


def _link_header(response: Response) -> str:
    for target, rest in _LINK.findall(response.header("link")):
        if _NEXT.search(rest):
            return str(target)
    return ""


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
