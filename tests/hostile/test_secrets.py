"""No secret leaves its origin, and none stands in what people read."""

import asyncio
from typing import Any

import pytest

from filon.core import Request, Response, UserError
from filon.web import Live, Options
from hostile.server import Server
from hostile.visits import play

SECRET = "s3cr3t-t0ken"
OWN: dict[str, Any] = {
    "headers": (("Authorization", f"Bearer {SECRET}"),),
    "origin": "http://hostile.test/",
}


def test_cookies_come_back_to_the_host_that_set_them_and_to_no_other() -> None:
    async def scene(server: Server, web: Live) -> None:
        await web.fetch(Request(url=server.url("/vice/cookies")))
        for host in ("hostile.test", "victim.test", "www.victim.test", "other.test"):
            await web.fetch(Request(url=server.url("/", host)))
        sent = {entry.host: entry.headers.get("cookie") for entry in server.log[1:]}
        assert sent == {
            "hostile.test": "mine=1",
            "victim.test": None,
            "www.victim.test": None,
            "other.test": None,
        }

    play(scene)


def test_cookies_can_be_switched_off() -> None:
    async def scene(server: Server, web: Live) -> None:
        await web.fetch(Request(url=server.url("/vice/cookies")))
        await web.fetch(Request(url=server.url("/")))
        assert "cookie" not in server.log[-1].headers

    play(scene, cookies=False)


@pytest.mark.parametrize(
    ("url", "is_sent"),
    [
        ("http://hostile.test/a", True),
        ("http://www.hostile.test/a", False),
        ("http://hostile.test.evil.test/a", False),
        ("http://hostile.test:8080/a", False),
        ("http://other.test/a", False),
        ("http://hostile.test@other.test/a", False),
    ],
)
def test_the_users_headers_go_only_where_they_were_given_for(url: str, is_sent: bool) -> None:
    async def scene(server: Server, web: Live) -> None:
        await web.fetch(Request(url=url))
        assert (SECRET in server.lines()) is is_sent

    play(scene, **OWN)


def test_the_users_headers_do_not_go_from_https_to_http() -> None:
    async def scene(server: Server, web: Live) -> None:
        await web.fetch(Request(url="http://hostile.test/a"))
        assert SECRET not in server.lines()

    play(scene, **{**OWN, "origin": "https://hostile.test/"})


def test_a_redirect_to_another_host_does_not_take_the_secret_along() -> None:
    async def scene(server: Server, web: Live) -> None:
        first = await web.fetch(Request(url=server.url("/vice/redirect-scheme")))
        assert first.redirects
        await web.fetch(Request(url=server.url("/", "elsewhere.test")))
        assert [SECRET in str(entry.headers) for entry in server.log] == [True, False]

    play(scene, **OWN)


def test_the_headers_of_a_request_are_for_that_request_only() -> None:
    async def scene(server: Server, web: Live) -> None:
        own = (("Authorization", SECRET), ("User-Agent", "else/1"))
        await web.fetch(Request(url=server.url("/a"), headers=own))
        await web.fetch(Request(url=server.url("/b")))
        assert [SECRET in str(entry.headers) for entry in server.log] == [True, False]
        assert server.log[0].headers["user-agent"] == "else/1"
        assert server.log[1].headers["user-agent"].startswith("filon/")

    play(scene)


def test_a_password_in_a_url_becomes_a_header_for_that_host() -> None:
    async def scene(server: Server, web: Live) -> None:
        await web.fetch(Request(url="http://me:pass%3Aword@hostile.test/a"))
        await web.fetch(Request(url="http://hostile.test/b"))
        assert server.log[0].headers["authorization"] == "Basic bWU6cGFzczp3b3Jk"
        assert server.log[0].target == "/a"
        assert "authorization" not in server.log[1].headers

    play(scene)


def test_a_password_in_a_url_yields_to_a_header_that_was_given() -> None:
    async def scene(server: Server, web: Live) -> None:
        url, own = "http://me:password@hostile.test/a", (("Authorization", "Bearer x"),)
        answer = await web.fetch(Request(url=url, headers=own))
        assert answer.status == 404
        assert server.log[0].headers["authorization"] == "Bearer x"

    play(scene)


def test_no_secret_stands_in_the_options_or_in_a_failure() -> None:
    async def run() -> list[Response]:
        options = Options(
            headers=(("Authorization", SECRET),),
            origin="http://unreachable.test/",
            proxy=f"http://me:{SECRET}@127.0.0.1:1",
        )
        assert SECRET not in repr(options)
        web = Live(options)
        url = f"http://me:{SECRET}@unreachable.test/"
        try:
            return [await web.fetch(Request(url=url))]
        finally:
            await web.close()

    [answer] = asyncio.run(run())
    assert answer.error == "connect"
    assert SECRET not in answer.detail


def test_a_header_with_a_line_break_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="control characters"):
        Options(headers=(("X", "a\r\nHost: b"),), origin="http://hostile.test/")
