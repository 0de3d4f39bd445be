"""The addresses that an API's requests are made of, and read back from."""

from urllib.parse import parse_qsl, urlencode

from filon.core import Request
from filon.page.url import split
from filon.page.values import whole

JSON = (("Accept", "application/json"),)


def ask(url: str, **parameters: object) -> Request:
    """Return a GET for JSON.

    >>> ask("http://a.org/api", rows=10, q="a b").url
    'http://a.org/api?rows=10&q=a+b'
    """
    query = urlencode({name: str(value) for name, value in parameters.items()}, safe=":*,")
    return Request(url=f"{url}?{query}" if query else url, headers=JSON)


def before(url: str, path: str) -> str:
    """Return a URL up to where a path begins, without the last slash; "" if it is not there.

    >>> before("http://a.org/data/api/3/action/status_show", "/api/3/")
    'http://a.org/data'
    """
    head = url.partition("?")[0]
    place = head.rfind(path)
    return head[:place].rstrip("/") if place > 0 else ""


def asked(url: str, name: str) -> str:
    """Return a parameter of a request; "" if it has none of that name."""
    return dict(parse_qsl(split(url).query, keep_blank_values=True)).get(name, "")


def asked_number(url: str, name: str, default: int = 0) -> int:
    """Return a parameter of a request that is a number."""
    value = whole(asked(url, name))
    return default if value is None else value


def again(url: str, **changes: object) -> Request:
    """Return the same request with other parameters.

    >>> again("http://a.org/api?rows=10&start=0", start=10).url
    'http://a.org/api?rows=10&start=10'
    """
    path, _, query = url.partition("?")
    parameters: dict[str, object] = dict(parse_qsl(query, keep_blank_values=True))
    return ask(path, **(parameters | changes))
