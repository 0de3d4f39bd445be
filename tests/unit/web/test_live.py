"""What is particular to the live web; its vices and its contract have suites of their own."""

import asyncio
import gzip
import socket
from pathlib import Path
from typing import Any

import brotli
import pytest
from backports import zstd

from filon import __version__
from filon.core import MachineError, Request, UserError
from filon.web import Live, Options, user_agent
from filon.web.live import Rule
from hostile.server import Call, Server
from hostile.site import FILES
from hostile.vices import VICES, build_bombs
from hostile.visits import play
from patience import until

BODY = b"<p>Some text of a page.</p>" * 1000


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(BODY)),
        ("br", brotli.compress(BODY)),
        ("zstd", zstd.compress(BODY)),
    ],
)
def test_a_compressed_body_is_decoded_and_both_sizes_told(
    coding: str, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def compressed(call: Call) -> None:
        await call.reply(body, headers=(f"Content-Encoding: {coding}",))

    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=server.url("/vice/compressed")))
        assert (answer.body, answer.size_bytes, answer.wire_bytes) == (BODY, len(BODY), len(body))
        assert coding in server.log[0].headers["accept-encoding"]

    monkeypatch.setitem(VICES, "compressed", compressed)
    play(scene)


def test_connections_are_kept_and_used_again() -> None:
    async def scene(server: Server, web: Live) -> None:
        for path in FILES:
            await web.fetch(Request(url=server.url(path)))
        assert (len(server.log), server.connections) == (30, 1)

    play(scene)


def test_a_cut_answer_closes_its_connection_instead_of_downloading() -> None:
    async def scene(server: Server, web: Live) -> None:
        cut = Request(url=server.url("/vice/endless"), unwanted=("text/html",))
        answer = await web.fetch(cut)
        await until(lambda: not server.open_connections)
        assert (answer.cut, answer.wire_bytes) == ("type", 0)
        assert server.connections == 1

    play(scene)


def test_the_host_header_stays_with_its_port() -> None:
    async def scene(server: Server, web: Live) -> None:
        for host in ("a.test", "b.test:8080", "c.test:80", "[2606:4700::1111]:81"):
            await web.fetch(Request(url=f"http://{host}/"))
        hosts = [entry.host for entry in server.log]
        assert hosts == ["a.test", "b.test:8080", "c.test", "[2606:4700::1111]:81"]

    play(scene)


def test_the_first_rule_that_matches_counts() -> None:
    async def run() -> None:
        async with Server() as one, Server() as two:
            rules = (f"one.test::127.0.0.1:{one.port}", f"::127.0.0.1:{two.port}")
            web = Live(Options(connect_to=rules))
            for host in ("one.test", "two.test"):
                await web.fetch(Request(url=f"http://{host}/"))
            await web.close()
            assert [entry.host for entry in one.log] == ["one.test"]
            assert [entry.host for entry in two.log] == ["two.test"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://a.test", "/"),
        ("http://a.test/a b?c d#e", "/a%20b?c%20d"),
        ("http://a.test/%7Ea/../b/./c", "/b/c"),
        ("http://a.test/a|b[c]?q=[1]|{2}", "/a|b[c]?q=[1]|{2}"),
        ("http://a.test/é?é", "/%C3%A9?%C3%A9"),
        ("http://a.test/%2F%2f?a=%2B+", "/%2F%2f?a=%2B+"),
        ("http://a.test?q", "/?q"),
    ],
)
def test_a_url_is_asked_for_as_a_browser_would(url: str, target: str) -> None:
    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=url))
        assert answer.url == url
        assert server.targets() == [target]

    play(scene)


@pytest.mark.parametrize("url", ["http://", "http://a b/", "http://[::1", "http://a.test:99999/"])
def test_what_is_no_url_is_a_failed_answer(url: str) -> None:
    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=url))
        assert (answer.status, answer.error) == (0, "protocol")
        assert not server.log

    play(scene)


def test_a_post_sends_its_body() -> None:
    async def scene(server: Server, web: Live) -> None:
        headers = (("Content-Type", "application/json"),)
        request = Request(url=server.url("/"), method="POST", body=b"{}", headers=headers)
        await web.fetch(request)
        [entry] = server.log
        assert (entry.method, entry.headers["content-length"]) == ("POST", "2")
        assert entry.headers["content-type"] == "application/json"

    play(scene)


def test_the_time_of_a_request_ends_a_body_as_a_cut_not_a_failure() -> None:
    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=server.url("/vice/drip-body"), max_s=0.2))
        assert (answer.status, answer.error, answer.cut) == (200, "", "time")
        assert answer.wire_bytes < answer.size_bytes

    play(scene, slow_s=60.0)


def test_the_time_of_a_request_ends_a_silence_as_a_timeout() -> None:
    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=server.url("/vice/silent"), max_s=0.2))
        assert (answer.status, answer.error) == (0, "timeout")

    play(scene, idle_s=30.0, head_s=60.0)


def test_a_body_that_never_ends_is_given_up_after_the_total_time() -> None:
    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=server.url("/vice/drip-body")))
        assert (answer.status, answer.error) == (200, "timeout")

    play(scene, slow_s=60.0, total_s=0.2)


def test_a_compressed_body_is_bounded_by_its_decoded_size(tmp_path: Path) -> None:
    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=server.url("/vice/bomb-gzip"), max_bytes=1_000_000))
        assert answer.error == "bomb"
        assert answer.wire_bytes <= 1_000_000

    build_bombs()
    play(scene, spool_dir=str(tmp_path))


def test_the_time_of_an_answer_counts_from_when_the_request_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def slowly(_: str, port: int, **__: Any) -> list[Any]:
        await asyncio.sleep(2)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    async def run() -> None:
        async with Server() as server:
            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", slowly)
            web = Live(Options(allow_hosts=("slow.test",)))
            answer = await web.fetch(Request(url=f"http://slow.test:{server.port}/"))
            await web.close()
            assert answer.ok
            assert answer.took_s < 2

    asyncio.run(run())


def test_a_proxy_is_asked_for_the_whole_url() -> None:
    async def run() -> None:
        async with Server() as proxy:
            web = Live(Options(proxy=f"http://me:pw@127.0.0.1:{proxy.port}"))
            await web.fetch(Request(url="http://far.test/a?b"))
            await web.close()
            [entry] = proxy.log
            assert entry.target == "http://far.test/a?b"
            assert entry.headers["proxy-authorization"] == "Basic bWU6cHc="
            assert entry.host == "far.test"

    asyncio.run(run())


def test_no_proxy_of_the_environment_is_used_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)

    async def scene(server: Server, web: Live) -> None:
        answer = await web.fetch(Request(url=server.url("/")))
        assert (answer.error == "connect") is web.options.trust_env

    play(scene)
    play(scene, trust_env=True)


def test_a_disk_that_takes_nothing_is_not_blamed_on_the_web(tmp_path: Path) -> None:
    async def scene(server: Server, web: Live) -> None:
        with pytest.raises(MachineError):
            await web.fetch(Request(url=server.url("/vice/links-10mb")))
        assert (await web.fetch(Request(url=server.url("/")))).ok

    (tmp_path / "file").touch()
    play(scene, spool_dir=str(tmp_path / "file"))


def test_the_user_agent_is_honest_and_holds_the_contact() -> None:
    assert Options().user_agent == user_agent() == f"filon/{__version__}"
    assert user_agent("mailto:me@example.org") == f"filon/{__version__} (+mailto:me@example.org)"
    assert user_agent("http://x.org)\r\nHost: y") == f"filon/{__version__} (+http://x.org) Host: y)"


@pytest.mark.parametrize("proxy", ["socks5://a:1", "localhost:3128", "ftp://a/"])
def test_a_proxy_that_is_not_understood_is_the_users_mistake(proxy: str) -> None:
    with pytest.raises(UserError, match="proxy"):
        Options(proxy=proxy)


def test_a_wrong_rule_is_seen_at_once() -> None:
    with pytest.raises(UserError, match="--connect-to"):
        Options(connect_to=("nonsense",))


def test_headers_need_an_origin() -> None:
    with pytest.raises(ValueError, match="origin"):
        Options(headers=(("A", "b"),))


@pytest.mark.parametrize(
    ("rule", "host", "port", "target"),
    [
        ("a.org:80:b.org:8080", "a.org", 80, ("b.org", 8080)),
        ("a.org:80:b.org:8080", "a.org", 443, None),
        ("a.org:80:b.org:8080", "www.a.org", 80, None),
        ("A.org:80:b.org:8080", "a.org", 80, ("b.org", 8080)),
        ("::127.0.0.1:8080", "any.org", 443, ("127.0.0.1", 8080)),
        ("a.org::127.0.0.1:", "a.org", 443, ("127.0.0.1", 443)),
        (":443::8443", "a.org", 443, ("a.org", 8443)),
        (":443::8443", "a.org", 80, None),
        (":::", "a.org", 80, ("a.org", 80)),
        ("[::1]:80:[::2]:81", "::1", 80, ("::2", 81)),
    ],
)
def test_a_rule_sends_what_it_matches(
    rule: str, host: str, port: int, target: tuple[str, int] | None
) -> None:
    assert Rule.parse(rule).target(host, port) == target


@pytest.mark.parametrize("text", ["", "a.org", "a:80:b", "a:80:b:x", "a:80:b:99999", "::1:80:b:80"])
def test_a_rule_that_is_not_understood_is_the_users_mistake(text: str) -> None:
    with pytest.raises(UserError, match="--connect-to"):
        Rule.parse(text)
