"""The request of a query: keywords, constants, page and the place of the key, all in one.

No secret stands in it: `{secret:NAME}` and `{token:NAME}` are put in their places when it leaves.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from filon.core import Request
from filon.services.fill import fill
from filon.services.paging import Pages
from filon.services.shape import Call, Key

_ACCEPT = {
    "json": "application/json",
    "xml": "application/xml, application/atom+xml, application/rss+xml, text/xml",
    "html": "text/html",
}


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
        if key.how != "query" or key.name in dict(parse_qsl(urlsplit(url).query)):
            return url
        return _joined(url, f"{quote(key.name)}={{secret:{key.secret}}}")

    def _body(self, words: Mapping[str, str], place: Mapping[str, str]) -> tuple[bytes, str]:
        call, paging = self._call, self._pages.paging
        sized = {}
        if paging.size_parameter and paging.inside == "body":
            sized[paging.size_parameter] = self._size
        if call.json:
            numbers = {name: int(at) if at.isdigit() else at for name, at in place.items()}
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
