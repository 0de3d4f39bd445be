"""What Filon asks of plugins, asked of these."""

from collections.abc import Callable

import pytest
from filon_tide.export import MARKDOWN
from filon_tide.portal import Quarry
from filon_tide.services import SHELF
from filon_tide.strategy import Tide
from filon_tide.verb import Feeds, Named

from filon.core import Request, Response
from filon.services.search import build
from filon.testing import (
    STRATEGY,
    Case,
    check_export,
    check_portal,
    check_searcher,
    check_source,
    check_verb,
    harvest_case,
)

Check = Callable[[Case], None]
every = pytest.mark.parametrize("check", STRATEGY)


@every
def test_the_strategy_keeps_the_contract(check: Check) -> None:
    check(harvest_case(Tide))


class Page:
    """A web of one page that names nine feeds, and answers at once."""

    async def fetch(self, request: Request) -> Response:
        links = "".join(f'<link type="application/rss+xml" href="/{n}.xml">' for n in range(9))
        feed = request.url.endswith(".xml")
        headers = (("Content-Type", "application/rss+xml" if feed else "text/html"),)
        body = b"<rss/>" if feed else links.encode()
        return Response(url=request.url, status=200, headers=headers, body=body, at_s=1.0)

    async def close(self) -> None:
        pass


def feeds(url: str) -> Case:
    """A case of one's own: any strategy, any web; how both are made again in a fresh process."""
    return Case(make=lambda web, seed: Named(url), web=Page, again=(f"{__name__}:feeds", url))


@every
def test_the_strategy_of_the_verb_keeps_it_too(check: Check) -> None:
    check(feeds("http://page.test/"))


def test_the_others_keep_theirs() -> None:
    body = b'{"books": [{"id": 1, "title": "Tides", "year": 1998}]}'
    good = Response(url="https://shelf.example/books?q=tides", status=200, body=body)
    check_source(SHELF, {"url": "https://shelf.example"}, good)
    check_searcher(build("lighthouse", {"url": "https://light.example"}))
    check_export(MARKDOWN)
    check_portal(Quarry)
    check_verb(Feeds)
