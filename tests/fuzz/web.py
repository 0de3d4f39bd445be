"""The web in memory: the bundled small web, and every service and portal that tests pretend."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl

from filon.core import Request, Response
from filon.demo.sites import answer
from filon.page.url import split
from filon.portals import ADAPTERS
from filon.services.search import build
from filon.services.source import Source
from filon.web.live import Live
from filon.web.polite import Polite
from fuzz.odd import Twist
from unit.portals.pretended import PORTALS
from unit.services.answers import SERVICES as SOURCES
from unit.services.search.answers import KEY
from unit.services.search.answers import SERVICES as SEARCHERS
from unit.services.server import Call, Reply

AT_S = 1_750_000_000.0
_KEYS = {"OPENALEX_API_KEY": "good-key-123"}
_HOSTS: dict[str, Callable[[Call], Reply]] = {
    **{service.host: service.reply for service in SOURCES.values()},
    **{service.host: service.reply for service in SEARCHERS.values()},
}


def honest(request: Request, at_s: float = AT_S) -> Response:
    """Answer as the site, the service or the portal would."""
    reply = _HOSTS.get(split(request.url).hostname or "")
    if reply and request.url.startswith("https:"):
        return _replied(request, reply, at_s)
    accept = {name.lower(): value for name, value in request.headers}.get("accept", "")
    told = answer(request.url, accept)
    return _response(request, told.status, told.headers, told.body, at_s)


def _replied(request: Request, reply: Callable[[Call], Reply], at_s: float = AT_S) -> Response:
    parts = split(request.url)
    headers = {name.lower(): value for name, value in request.headers}
    params = dict(parse_qsl(parts.query, keep_blank_values=True))
    try:
        status, more, body = reply(Call(request.method, parts.path, params, headers, request.body))
    except (AssertionError, LookupError, ValueError):  # what the real one would refuse
        status, more, body = 400, {"Content-Type": "text/plain"}, b"Bad request"
    return _response(request, status, more.items(), body, at_s)


def _response(
    request: Request, status: int, headers: Any, body: bytes, at_s: float = AT_S
) -> Response:
    return Response(
        url=request.url,
        status=status,
        headers=tuple(headers),
        body=b"" if request.method == "HEAD" else body,
        size_bytes=len(body),
        wire_bytes=len(body),
        at_s=at_s,
        took_s=0.1,
    )


class Fuzzed:
    """A web whose answers are twisted, one after the other; those after the last are honest.

    It has a clock of its own: who waits, waits no time at all.
    """

    def __init__(self, twisted: Sequence[Sequence[Twist]]) -> None:
        self._twisted = list(twisted)
        self.changed = 0
        self.now_s = 0.0

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now_s += seconds

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        self.now_s += 1
        response = honest(request, AT_S + self.now_s)
        twisted = self._twisted.pop(0) if self._twisted else ()
        self.changed += bool(twisted)
        for twist in twisted:
            response = twist(response, others())
        return response


@contextmanager
def live_as(web: Fuzzed) -> Iterator[None]:
    """Let the live web be this one, and everything above it what it is in a run."""

    async def fetch(self: Live, request: Request) -> Response:
        return web.answer(request)

    clock = {
        "turns": None,
        "clock": lambda: web.now_s,
        "wall": lambda: AT_S + web.now_s,
        "sleep": web.sleep,
    }
    with patch.object(Live, "fetch", fetch), patch.object(Polite.__init__, "__kwdefaults__", clock):
        yield


@cache
def others() -> tuple[Response, ...]:
    """One answer of every portal, every service, and every kind of page of the small web."""
    pages = [
        "http://statistics.test/", "http://statistics.test/robots.txt",
        "http://statistics.test/sitemap.xml",
    ]  # fmt: skip
    return (
        *(honest(Request(url=url)) for url in pages),
        *(response for _, *both in portals() for response in both),
        *(response for _, _, response in searches()),
        *(response for _, response in sources()),
    )


@cache
def portals() -> tuple[tuple[str, Response, Response], ...]:
    """The answers of every portal software: that which confirms it, and its first list."""
    found = []
    for portal in PORTALS.values():
        adapter = ADAPTERS[portal.adapter]
        confirming = _replied(adapter.confirm(portal.root), portal.reply)
        base = adapter.confirmed(confirming) or portal.root
        listing = _replied(adapter.begin(base), portal.reply)
        found.append((portal.adapter, confirming, listing))
    return tuple(found)


@cache
def searches() -> tuple[tuple[str, str, Response], ...]:
    """An answer of every search service to every kind of question."""
    found = []
    for name, service in SEARCHERS.items():
        searcher = build(name, service.parameters)
        for operator, query in service.asks.items():
            request = searcher.request(operator, query)
            found.append((name, operator, _replied(_with_key(request), service.reply)))
    return tuple(found)


@cache
def sources() -> tuple[tuple[str, Response], ...]:
    """An answer of every service that tables are filled from."""
    found = []
    for name in SOURCES:
        request = source(name).request("bees")
        found.append((name, _replied(_with_key(request), SOURCES[name].reply)))
    return tuple(found)


@cache
def source(name: str) -> Source:
    """A source, ready to be asked."""
    service = SOURCES[name]
    made = Source.load(name, service.parameters)
    opening = made.opening()
    return made.opened(_replied(opening, service.reply)) if opening else made


def _with_key(request: Request) -> Request:
    def fill(text: str) -> str:
        return re.sub(r"\{secret:([^}]*)\}", lambda name: _KEYS.get(name[1], KEY), text)

    headers = tuple((name, fill(value)) for name, value in request.headers)
    return replace(request, url=fill(request.url), headers=headers)
