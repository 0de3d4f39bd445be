"""The sites of the small web by host."""

from collections.abc import Callable
from urllib.parse import parse_qsl, unquote, urlsplit

from filon.demo import blog, library, ngo, portal
from filon.demo.answer import Answer, Query, text

SITES: dict[str, Callable[[str, Query], Answer]] = {
    portal.HOST: portal.answer,
    ngo.HOST: ngo.answer,
    blog.HOST: blog.answer,
}
#: Services, which have no pages and no links.
SERVICES = {library.HOST: library.answer}


def answer(url: str) -> Answer:
    """Answer to an absolute URL; the port does not matter.

    >>> answer("http://statistics.test/robots.txt").status
    200
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    site = SITES.get(host) or SERVICES.get(host)
    if site is None:
        return text("text/plain", "No such site here.\n", status=404)
    return site(unquote(parts.path) or "/", dict(parse_qsl(parts.query)))
