"""Credentials never stand in a run folder: what looks like one is masked before it is written."""

import re
from collections.abc import Iterable

MASK = "***"
#: Headers whose value lets somebody in.
SECRET_HEADERS = frozenset(
    {"authorization", "cookie", "proxy-authorization", "set-cookie", "set-cookie2", "x-api-key"}
)
_OWN_USERINFO = re.compile(r"^([a-z][a-z0-9+.-]*:)//[^/?#\s]*@", re.IGNORECASE)
_ANY_USERINFO = re.compile(r"\b([a-z][a-z0-9+.-]*:)//[^/?#\s@]*@", re.IGNORECASE)

Headers = tuple[tuple[str, str], ...]


def mask_url(url: str) -> str:
    """Hide the user and password that a URL may carry.

    >>> mask_url("http://me:secret@example.org/a@b")
    'http://***@example.org/a@b'
    """
    return _OWN_USERINFO.sub(rf"\1//{MASK}@", url) if "@" in url else url


def mask_text(text: str) -> str:
    """Hide users and passwords in the URLs of a sentence, such as that of a proxy's failure.

    >>> mask_text("cannot reach http://me:secret@proxy:3128")
    'cannot reach http://***@proxy:3128'
    """
    return _ANY_USERINFO.sub(rf"\1//{MASK}@", text) if "@" in text else text


def mask_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Hide the values of secret headers; a cookie keeps its name and attributes.

    >>> mask_headers([("Set-Cookie", "sid=1; Path=/"), ("Age", "3")])
    [('Set-Cookie', 'sid=***; Path=/'), ('Age', '3')]
    """
    return [(name, _mask_header(name.lower(), value)) for name, value in headers]


def _mask_header(name: str, value: str) -> str:
    if name == "location":
        return mask_url(value)
    if name not in SECRET_HEADERS:
        return value
    cookie, equals, rest = value.partition("=")
    if not name.startswith("set-cookie") or not equals:
        return MASK
    _, semicolon, attributes = rest.partition(";")
    return f"{cookie}={MASK}{semicolon}{attributes}"
