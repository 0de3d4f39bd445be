"""The sites of the small web by host."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote

from filon.core import Request, Response, Strategy
from filon.demo import blog, country, library, linked, ngo, portal
from filon.demo.answer import Answer, Query, text
from filon.demo.country import register
from filon.page.types import Types
from filon.page.url import split

SITES: dict[str, Callable[[str, Query], Answer]] = {
    portal.HOST: portal.answer,
    ngo.HOST: ngo.answer,
    blog.HOST: blog.answer,
}
#: Services, which have no pages and no links.
SERVICES = {library.HOST: library.answer, register.HOST: register.answer}


# Some sites have no end. Who compares strategies asks for the same pages again and again.
@lru_cache(maxsize=4096)
def answer(url: str, accept: str = "") -> Answer:
    """Answer to an absolute URL; the port does not matter.

    accept: the header of that name, which matters to Linked Data only.

    >>> answer("http://statistics.test/robots.txt").status
    200
    """
    parts = split(url)
    host = (parts.hostname or "").removeprefix("www.")
    if host in linked.SITES:
        return linked.answer(host, unquote(parts.path) or "/", accept)
    if host in country.SITES:
        return country.answer(host, unquote(parts.path) or "/", dict(parse_qsl(parts.query)))
    site = SITES.get(host) or SERVICES.get(host)
    if site is None:
        return text("text/plain", "No such site here.\n", status=404)
    return site(unquote(parts.path) or "/", dict(parse_qsl(parts.query)))


def to_files(make: Callable[[Any], Strategy], files: int) -> int:
    """Return how many requests a strategy needs for so many data files of the portal.

    There is no network: examples of strategies print this figure, and that of `to_documents`.
    """
    from filon.verbs.harvest.strategies.brief import Brief

    return _requests(make(Brief(start=portal.START, types=Types.parse("data"))), files)


def to_documents(make: Callable[[Any], Strategy], documents: int) -> int:
    """Return how many requests a strategy needs for so many documents with RDF."""
    from filon.verbs.follow.strategies.brief import Brief

    return _requests(make(Brief(seeds=(linked.SEED,))), documents)


def _requests(strategy: Strategy, finds: int) -> int:
    found = sent = 0
    while found < finds and (step := strategy.propose()):
        found += len(strategy.observe(step, _respond(step.request)))
        sent += 1
    return sent


def _respond(request: Request) -> Response:
    found = answer(request.url, dict(request.headers).get("Accept", ""))
    head = Response(url=request.url, status=found.status, headers=found.headers)
    if request.method == "HEAD" or request.refuses(head.mime):
        return head if request.method == "HEAD" else replace(head, cut="type")
    return replace(head, body=found.body, size_bytes=len(found.body))
