"""Odd answers: what an honest one becomes when its server is broken, hostile, or merely strange.

A `Twist` is one change. Hypothesis draws lists of them, so that what fails shrinks to few and small
ones; each knows an answer's bytes, its JSON, its quoted texts, its headers, its status.
"""

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from filon.core import Response
from filon.core.bug import BUG
from filon.core.response import CUTS, ERRORS

#: Texts that have stopped a program somewhere: addresses, numbers, dates, markup, halves, lengths.
TOKENS: tuple[bytes, ...] = (
    b"", b" ", b"\0", b"\xff\xfe", b"\x80", b"\xed\xa0\x80", b"\\ud800", b"\\udfff\\ud800",
    b"http://[bad", b"http://[::1", b"http://a.org:99999/", b"http://a.org:x/", b"//", b"///",
    b"http://", b"https://\xe2\x84\x80.org/", b"http://xn--/", b"http://1.2.3.4.5/", b"file:///x",
    b"http://a.org/" + b"a" * 70_000, b"data:text/csv,a", b"mailto:a@b", b"javascript:x",
    b"http://127.0.0.1/", b"?", b"#", b"../" * 50, b"%", b"%00", b"%ff%fe", b"{x}", b"{secret:A}",
    b"0", b"-1", b"1e999", b"-1e999", b"NaN", b"Infinity", b"9" * 20, b"9" * 5_000, b"0x10",
    b"1.5", b"1,000", b"\xd9\xa3", b"\xc2\xb2", b"true", b"null", b"[]", b"{}", b'""', b"'", b'"',
    b"\\", b"\\u", b"[" * 2_000, b"{\"a\":" * 2_000, b"<a>" * 2_000, b"&#xD800;", b"&#0;",
    b"&lt;", b"&", b"<![CDATA[", b"<!--", b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///x'>]>&b;",
    b"<?xml version='1.0' encoding='idna'?>", b"<meta charset=undefined>", b"<base href='http://['>",
    b"<a href='http://[bad'>x</a>", b"<meta http-equiv=refresh content='0;url=http://['>",
    b"<script type='application/ld+json'>{\"@type\":\"Dataset\",\"url\":[[]]}</script>",
    b"Sun, 06 Nov 1994 08:49:37 GMT", b"Fri, 31 Dec 9999 23:59:59 -2359", b"0000-00-00",
    b"2020-13-45T99:99:99Z", b"99999999999999999999-01-01", b"=cmd()", b"\r\n\r\n", b"\x1b[2J",
    "\u202e\ufeff\u2028".encode(), "\U0001f600".encode(), b"a" * 3_000, b"a b " * 800,
)  # fmt: skip
#: What JSON may hold where something else was.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**30, -(10**30), 1.5, float("inf"), float("nan"), "", " ", "x",
    "\ud800", "a\udfff", "\0", "http://[bad", "http://a.org:99999/", "9" * 5_000, "1e999", "../x",
    "a" * 10_000, [], {}, [[]], [None], [1, "a", None, {}], {"": ""}, {"a": {"b": [{}]}},
    ["http://[bad"], {"en": "x", "@value": ["y"]}, [[["x"]]], {"name": None}, "{x}", [True] * 50,
)  # fmt: skip
TYPES: tuple[str, ...] = (
    "", "text/html", "text/html; charset=idna", "text/html; charset=undefined", "application/json",
    "text/html; charset=punycode", "text/html; charset=utf-7", "text/html; charset=utf-16",
    "application/json; charset=utf-16", "application/json; charset=idna", "text/csv", "text/plain",
    "application/xml", "text/xml; charset=nonsense", "application/rss+xml", "application/zip",
    "application/pdf", "application/gzip", "application/octet-stream", "text/turtle",
    "application/rdf+xml", "application/ld+json", "video/mp4", "///;;", "a" * 5_000, ";charset=",
    'text/html; charset="', "text/html; charset=\ud7ff", "multipart/mixed; boundary=",
    "application/vnd.ms-excel", "application/xhtml+xml", "text/html; charset=hz",
)  # fmt: skip
HEADERS: tuple[str, ...] = (
    "Location", "Link", "Retry-After", "Content-Disposition", "Last-Modified", "Content-Length",
    "Content-Encoding", "Content-Location", "Date", "Server", "Set-Cookie", "X-Powered-By",
    "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Limit", "X-Rate-Limit-Interval",
    "X-RateLimit-Reset-Requests", "RateLimit-Remaining", "RateLimit-Reset", "X-Robots-Tag",
    "Content-Language", "ETag", "Refresh", "WWW-Authenticate", "X-Drupal-Cache", "", "a b", "É",
)  # fmt: skip
CODECS = ("utf-16", "utf-16-be", "utf-32", "utf-7", "cp037", "latin-1", "utf-8-sig", "shift_jis")
STATUSES = (0, 100, 199, 200, 201, 204, 206, 226, 299, 300, 301, 302, 303, 304, 305, 307, 308, 400,
    401, 402, 403, 404, 406, 410, 413, 414, 416, 418, 422, 425, 429, 431, 451, 500, 501, 502, 503,
    504, 520, 599, 600, 700, 999)  # fmt: skip
_QUOTED = re.compile(rb"\"[^\"<>]{0,200}\"|'[^'<>]{0,200}'|(?<=>)[^<>]{1,200}(?=<)|\d+")


@dataclass(frozen=True)
class Twist:
    """One change: its kind, which of the places it could be at, which of the odd things is put."""

    kind: str
    place: int
    thing: int
    junk: bytes = b""

    def __call__(self, response: Response, others: Sequence[Response] = ()) -> Response:
        """Return the answer, changed; others: what else the web might have sent."""
        twisted = _KINDS[self.kind](self, response, others)
        return replace(twisted, url=response.url, size_bytes=len(twisted.body))

    @property
    def token(self) -> bytes:
        """Something odd, or bytes that Hypothesis has made up."""
        return self.junk or TOKENS[self.thing % len(TOKENS)]

    @property
    def text(self) -> str:
        """The same as the text of a header, as the live web decodes it."""
        raw = re.sub(rb"[\r\n]", b" ", self.token)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("latin-1")

    def among(self, things: Sequence[Any]) -> Any:
        """One of them."""
        return things[self.thing % len(things)]


def twists(kinds: Sequence[str] = ()) -> st.SearchStrategy[Twist]:
    """Draw a change."""
    numbers = st.integers(0, 10_000)
    return st.builds(
        Twist,
        st.sampled_from([*kinds] or [*_KINDS]),
        numbers,
        numbers,
        st.just(b"") | st.binary(max_size=12),
    )


def chance_twist(chance: random.Random) -> Twist:
    """Draw a change without Hypothesis, for long looks."""
    junk = chance.randbytes(chance.randint(1, 12)) if chance.random() < 0.3 else b""
    return Twist(chance.choice([*_KINDS]), chance.randrange(10_000), chance.randrange(10_000), junk)


def _junk(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    return replace(response, body=twist.token * (1 + twist.place % 3))


def _insert(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    at = twist.place % (len(response.body) + 1)
    return replace(response, body=response.body[:at] + twist.token + response.body[at:])


def _overwrite(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    at = twist.place % (len(response.body) + 1)
    end = at + 1 + twist.thing % 40
    return replace(response, body=response.body[:at] + twist.token + response.body[end:])


def _truncate(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    return replace(response, body=response.body[: twist.place % (len(response.body) + 1)])


def _quoted(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    """Put something odd in place of a text or a number, of HTML, XML, JSON or whatever it is."""
    places = [match.span() for match in _QUOTED.finditer(response.body)]
    if not places:
        return response
    begin, end = places[twist.place % len(places)]
    mark = response.body[begin : begin + 1] if response.body[begin : begin + 1] in b"\"'" else b""
    body = response.body[:begin] + mark + twist.token + mark + response.body[end:]
    return replace(response, body=body)


def _value(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    """Put something odd in place of a value of JSON."""
    try:
        whole = json.loads(response.body)
    except (ValueError, RecursionError):
        return _quoted(twist, response, others)
    places: list[tuple[Any, Any]] = []
    _walk(whole, places)
    if places:
        holder, key = places[twist.place % len(places)]
        if twist.junk[:1] == b"\0":
            del holder[key]
        else:
            holder[key] = twist.among(VALUES)
    else:
        whole = twist.among(VALUES)
    try:
        return replace(response, body=json.dumps(whole).encode())
    except RecursionError:
        return response


def _walk(value: Any, places: list[tuple[Any, Any]]) -> None:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        keys: Sequence[Any] = [*value] if isinstance(value, dict) else ()
        for key in range(len(value)) if isinstance(value, list) else keys:
            places.append((value, key))
            waiting.append(value[key])


def _type(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    rest = [pair for pair in response.headers if pair[0].lower() != "content-type"]
    return replace(response, headers=(("Content-Type", twist.among(TYPES)), *rest))


def _header(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    name = HEADERS[twist.place % len(HEADERS)]
    return replace(response, headers=((name, twist.text), *response.headers))


def _redirect(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    status = (300, 301, 302, 303, 307, 308)[twist.place % 6]
    return replace(_header(replace(twist, place=0), response, others), status=status)


def _status(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    return replace(response, status=twist.among(STATUSES))


def _failure(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    body = response.body if twist.place % 2 else b""
    error = twist.among(sorted(ERRORS - {BUG}))
    return replace(response, error=error, body=body, detail=twist.text[:100])


def _cut(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    at = twist.place % (len(response.body) + 1)
    return replace(response, cut=twist.among(sorted(CUTS)), body=response.body[:at])


def _codec(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    text = response.body.decode("utf-8", "replace")
    return replace(response, body=text.encode(twist.among(CODECS), "replace"))


def _swap(twist: Twist, response: Response, others: Sequence[Response]) -> Response:
    return replace(others[twist.place % len(others)], at_s=response.at_s) if others else response


_KINDS: dict[str, Callable[[Twist, Response, Sequence[Response]], Response]] = {
    "value": _value,
    "quoted": _quoted,
    "insert": _insert,
    "overwrite": _overwrite,
    "truncate": _truncate,
    "junk": _junk,
    "type": _type,
    "header": _header,
    "redirect": _redirect,
    "status": _status,
    "failure": _failure,
    "cut": _cut,
    "codec": _codec,
    "swap": _swap,
}
