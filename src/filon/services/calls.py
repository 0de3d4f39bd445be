"""Calls of a service: the request of a query, its next page, and how many calls are allowed.

No secret stands in a request: `{secret:NAME}` and `{token:NAME}` are put in their places when it
leaves. `Pages` knows the next page of a query's results: by number, offset, cursor or link.
`HeaderMeter` knows what the service allows, as its description and the headers of answers tell it.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from filon.core import Request, Response
from filon.page.url import origin, resolve, split
from filon.page.values import LAST_S, moment_s, whole
from filon.services.answers import Finder, Node
from filon.services.describe import fill, rate
from filon.services.shape import Call, Key, Limits, Paging

_ACCEPT = {
    "json": "application/json",
    "xml": "application/xml, application/atom+xml, application/rss+xml, text/xml",
    "html": "text/html",
}
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
        if total is None and count < (size / 2 if self.paging.uneven else size):
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
        url = resolve(response.url, link) if link else ""
        # Elsewhere could be anybody, and the key goes along.
        same = origin(url) == origin(response.url)
        return url if same and url != response.url else ""

    def _at(self, response: Response) -> str:
        parts = split(response.url)
        where = parts.fragment if self.paging.inside == "body" else parts.query
        return dict(parse_qsl(where)).get(self.paging.parameter, self.first)


def _link_header(response: Response) -> str:
    for target, rest in _LINK.findall(response.header("link")):
        if _NEXT.search(rest):
            return str(target)
    return ""


def _number(text: str) -> int:
    return whole(text) or 0


def _numbered(text: str) -> int | str:
    number = whole(text)
    return text if number is None else number


class Calls:
    """Makes the requests of one source."""

    def __init__(self, call: Call, key: Key, pages: Pages, size: int, form: str) -> None:
        self._call = call
        self._key = key
        self._pages = pages
        self._size = size
        self._accept = _ACCEPT[form]

    def make(self, query: str, page: str) -> Request:
        """Return the request for a query's first page, or for the page that `Pages.more` named."""
        paging = self._pages.paging
        if page and paging.how == "link":
            return Request(url=self._with_key(page), headers=self._headers())
        words = {"keywords": query, "page_size": str(self._size)}
        at = page or self._pages.first
        place = {paging.parameter: at} if paging.parameter and at else {}
        body, kind = self._body(words, place if paging.inside == "body" else {})
        url = self._url(words, place if paging.inside == "query" else {})
        if body:
            # The body is no part of the address: two queries must not look like one.
            url += f"#{urlencode({'q': query, **place})}"
        headers = self._headers()
        return Request(
            url=url,
            method=self._call.method,
            headers=(*headers, ("Content-Type", kind)) if body else headers,
            body=body,
        )

    def _url(self, words: Mapping[str, str], place: Mapping[str, str]) -> str:
        call, paging = self._call, self._pages.paging
        url = fill(call.url, words, lambda word: quote(word, safe=""))
        params = {name: fill(text, words) for name, text in call.params.items()}
        if call.keywords:
            params[call.keywords] = words["keywords"]
        if paging.size_parameter and paging.inside == "query":
            params[paging.size_parameter] = words["page_size"]
        query = urlencode({name: text for name, text in (params | dict(place)).items() if text})
        return self._with_key(_joined(url, query))

    def _with_key(self, url: str) -> str:
        """Add the place of a key that goes by the query; a link may have it already, or not."""
        key = self._key
        if key.how != "query" or key.name in dict(parse_qsl(split(url).query)):
            return url
        return _joined(url, f"{quote(key.name)}={{secret:{key.secret}}}")

    def _body(self, words: Mapping[str, str], place: Mapping[str, str]) -> tuple[bytes, str]:
        call, paging = self._call, self._pages.paging
        sized = {}
        if paging.size_parameter and paging.inside == "body":
            sized[paging.size_parameter] = self._size
        if call.json:
            numbers = {name: _numbered(at) for name, at in place.items()}
            table = {**_fill_body(call.json, words), **sized, **numbers}
            return _compact(table).encode(), "application/json"
        if call.form:
            filled = _fill_body(call.form, words)
            pairs = {name: _form_value(value) for name, value in {**filled, **sized}.items()}
            return urlencode({**pairs, **place}).encode(), "application/x-www-form-urlencoded"
        return b"", ""

    def _headers(self) -> tuple[tuple[str, str], ...]:
        headers = {"Accept": self._accept, **self._call.headers}
        key = self._key
        if key.how == "header":
            headers[key.name] = f"{key.prefix}{{secret:{key.secret}}}"
        elif key.how == "bearer":
            headers["Authorization"] = f"Bearer {{secret:{key.secret}}}"
        elif key.how == "oauth2":
            headers["Authorization"] = f"Bearer {{token:{key.client}}}"
        return tuple(headers.items())


def _joined(url: str, query: str) -> str:
    if not query:
        return url
    return f"{url}{'&' if '?' in url else '?'}{query}"


def _fill_body(value: Any, words: Mapping[str, str]) -> Any:
    """Put words in their places; a size alone is a number, and what is empty is left out."""
    if value == "{page_size}":
        return int(words["page_size"])
    if isinstance(value, str):
        return fill(value, words)
    if isinstance(value, Mapping):
        if "q0" in value and "\n" in words["keywords"]:
            return {
                f"q{number}": _fill_body(value["q0"], {**words, "keywords": line})
                for number, line in enumerate(words["keywords"].splitlines())
            }
        filled = {name: _fill_body(inner, words) for name, inner in value.items()}
        return {name: inner for name, inner in filled.items() if inner != ""}
    if isinstance(value, list):
        return [_fill_body(inner, words) for inner in value]
    return value


def _form_value(value: Any) -> str:
    return value if isinstance(value, str) else _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_SECONDS = re.compile(r"(\d+(?:\.\d+)?)\s*s?")
#: A number this large is a time, whatever the description says: 2001 and later.
_UNIX_S = 1e9


class HeaderMeter:
    """Rate, quota and price of a source: a core.service.Meter.

    delay_s: the least time between two calls. quota, window_s: calls in so many seconds, or 0.
    judge: returns the problem of an answer ("" for none) and a sentence about it.
    tells: its answers say how many calls are left.
    """

    def __init__(
        self, name: str, limits: Limits, judge: Callable[[Response], tuple[str, str]]
    ) -> None:
        self.name = name
        self.judge = judge
        self.price, self.currency = limits.price, limits.currency
        calls, seconds = rate(limits.rate)
        self.delay_s = seconds / calls if calls else 0.0
        quota, self.window_s = rate(limits.quota)
        self.quota = int(quota)
        self.tells = bool(limits.remaining)
        self._limits = limits

    def left(self, response: Response) -> int | None:
        """Return how many calls the answer says are left; None where it does not."""
        left = _amount(self._header(response, self._limits.remaining))
        return None if left is None else int(left / self._limits.cost + 1e-9)

    def resets_at_s(self, response: Response) -> float | None:
        """Return the Unix time from which there are calls again, as the answer says."""
        text = self._header(response, self._limits.reset)
        if not text:
            return None
        if self._limits.reset_is == "date":
            return moment_s(text)
        number = _amount(text)
        if number is None:
            return moment_s(text)
        is_time = self._limits.reset_is == "unix" or number > _UNIX_S
        return number if is_time else response.at_s + number

    def pace_s(self, response: Response) -> float | None:
        """Return the least time between calls that the answer asks for."""
        calls = _amount(self._header(response, self._limits.limit))
        seconds = _amount(self._header(response, self._limits.interval))
        return seconds / calls if calls and seconds else None

    def _header(self, response: Response, name: str) -> str:
        return response.header(name.lower()).strip() if name else ""


def _amount(text: str) -> float | None:
    match = _SECONDS.fullmatch(text)
    number = float(match[1]) if match else LAST_S
    return number if number < LAST_S else None
