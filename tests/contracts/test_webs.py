"""The contract of every Web: the same checks on each that the registry names.

A new Web is added to `filon.web.WEBS`, and here to BUILDERS: how to stand it before a server.
"""

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from filon.core import Request, Response, Web
from filon.web import WEBS, Cached, Keyed, Live, Local, Options, Polite, QuotaCount, Split
from filon.web.cached import Cache
from hostile.server import Server
from hostile.site import FILES
from patience import PATIENCE_S

Build = Callable[[Server], Awaitable[Web]]
Scene = Callable[[Web, Server], Awaitable[None]]


def options(server: Server) -> Options:
    return Options(connect_to=(server.rule,), idle_s=2.0, head_s=4.0)


async def build_live(server: Server) -> Web:
    return Live(options(server))


async def build_polite(server: Server) -> Web:
    return Polite(Live(options(server)), delay_s=0.0)


async def build_keyed(server: Server) -> Web:
    return Keyed(Live(options(server)), {"KEY": "s3cr3t-t0ken"}, [server.url("/")])


async def build_cached(server: Server) -> Web:
    """Stand it where nothing is at hand: what is, is tested in unit/web/test_cached.py."""
    return Cached(Live(options(server)), Cache(Path(":memory:")), since_s=float("inf"))


async def build_nearby(server: Server) -> Web:
    return Local(Live(options(server)), {"local.invalid": lambda url: None})


async def build_apart(server: Server) -> Web:
    return Split(Live(Options()), Live(options(server)), [server.url("/").rstrip("/")])


async def build_quota(server: Server) -> Web:
    allowed = {server.url("/").rstrip("/"): (1_000_000, 3600.0)}
    return QuotaCount(Live(options(server)), Path(":memory:"), allowed)


BUILDERS: dict[str, Build] = {
    "split": build_apart,
    "cached": build_cached,
    "keyed": build_keyed,
    "live": build_live,
    "local": build_nearby,
    "polite": build_polite,
    "quota": build_quota,
}

every_web = pytest.mark.parametrize("name", sorted(WEBS))


def test_every_web_of_the_registry_can_be_built_here() -> None:
    assert set(BUILDERS) == set(WEBS)


@asynccontextmanager
async def standing(name: str) -> AsyncIterator[tuple[Web, Server]]:
    async with Server(tick_s=0.02) as server:
        web = await BUILDERS[name](server)
        try:
            yield web, server
        finally:
            await web.close()


def play(name: str, scene: Scene) -> None:
    async def run() -> None:
        async with standing(name) as (web, server):
            await asyncio.wait_for(scene(web, server), PATIENCE_S)

    asyncio.run(run())


@every_web
def test_an_answer_has_status_headers_body_size_and_time(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        before_s = time.time()
        answer = await web.fetch(Request(url=server.url(FILES[0])))
        assert (answer.url, answer.status) == (server.url(FILES[0]), 200)
        assert (answer.error, answer.cut, answer.spool) == ("", "", "")
        assert answer.mime == "text/csv"
        assert answer.body.startswith(b"row,value\n")
        assert answer.size_bytes == answer.wire_bytes == len(answer.body)
        assert before_s <= answer.at_s <= time.time()
        assert 0 <= answer.took_s < 5

    play(name, scene)


@every_web
def test_the_same_request_has_the_same_answer(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answers = [await web.fetch(Request(url=server.url("/data/1"))) for _ in range(2)]
        first, second = (dataclasses.replace(a, at_s=0.0, took_s=0.0) for a in answers)
        assert first == second

    play(name, scene)


@every_web
def test_head_has_no_body(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url(FILES[0]), method="HEAD"))
        assert (answer.status, answer.mime, answer.error) == (200, "text/csv", "")
        assert (answer.body, answer.size_bytes, answer.wire_bytes) == (b"", 0, 0)

    play(name, scene)


@every_web
@pytest.mark.parametrize("unwanted", [("text/csv",), ("image/", "text/")])
def test_an_unwanted_type_is_cut_after_the_headers(name: str, unwanted: tuple[str, ...]) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url(FILES[0]), unwanted=unwanted))
        assert (answer.status, answer.cut, answer.error) == (200, "type", "")
        assert (answer.body, answer.wire_bytes) == (b"", 0)
        assert answer.size_bytes > 100
        assert answer.ok

    play(name, scene)


@every_web
def test_a_type_that_only_looks_like_an_unwanted_one_is_not_cut(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        unwanted = ("text/cs", "text", "csv/", "text/csv2")
        answer = await web.fetch(Request(url=server.url(FILES[0]), unwanted=unwanted))
        assert (answer.cut, len(answer.body)) == ("", answer.size_bytes)

    play(name, scene)


@every_web
def test_a_body_beyond_what_the_budget_left_is_cut(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url(FILES[0]), max_bytes=100))
        assert (answer.status, answer.cut, answer.error) == (200, "budget", "")
        assert answer.wire_bytes <= 100
        assert answer.size_bytes > 100

    play(name, scene)


@every_web
def test_a_redirect_is_an_answer_of_its_own(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url("/old")))
        assert (answer.status, answer.header("location")) == (301, "/old/x")
        assert answer.redirects

    play(name, scene)


@every_web
def test_a_missing_page_is_an_answer_of_its_own(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url("/nowhere")))
        assert (answer.status, answer.error) == (404, "")

    play(name, scene)


@every_web
@pytest.mark.parametrize(
    "vice", ["silent", "close-at-once", "http-0.9", "header-huge", "bomb-gzip"]
)
def test_a_remote_failure_is_a_response_and_never_an_exception(name: str, vice: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        answer = await web.fetch(Request(url=server.url(f"/vice/{vice}")))
        assert isinstance(answer, Response)
        assert answer.error
        assert answer.at_s > 0
        assert not answer.ok

    play(name, scene)


@every_web
def test_many_requests_at_once_are_all_answered(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        urls = [server.url(path) for path in FILES]
        answers = await asyncio.gather(*(web.fetch(Request(url=url)) for url in urls))
        assert [answer.url for answer in answers] == urls
        assert all(answer.ok for answer in answers)

    play(name, scene)


@every_web
def test_a_cancelled_request_stops_and_does_no_harm(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        task = asyncio.ensure_future(web.fetch(Request(url=server.url("/vice/silent"))))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task], timeout=PATIENCE_S)
        assert task.cancelled()
        answer = await web.fetch(Request(url=server.url(FILES[0])))
        assert answer.ok

    play(name, scene)


@every_web
def test_closing_is_possible_before_the_first_request_and_twice(name: str) -> None:
    async def scene(web: Web, server: Server) -> None:
        await web.close()
        await web.close()

    play(name, scene)
