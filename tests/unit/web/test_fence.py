"""The hosts that a process may ask: none besides, however they are written."""

import asyncio
from collections.abc import Sequence

import pytest

from filon.core import Request, Response, UserError
from filon.web.fence import Fence
from filon.web.live import ONLY_HOSTS, Live, Options
from loopback import html, serving


def fetched(urls: Sequence[str], **options: object) -> list[Response]:
    async def go() -> list[Response]:
        live = Live(Options(**options))  # type: ignore[arg-type]
        try:
            return [await live.fetch(Request(url=url)) for url in urls]
        finally:
            await live.close()

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("hosts", "url", "may"),
    [
        ("example.org", "https://example.org/a", True),
        ("example.org", "http://EXAMPLE.org:80/", True),
        ("example.org", "https://example.org:8443/", False),
        ("example.org:8443", "https://example.org:8443/", True),
        ("example.org", "https://www.example.org/", False),
        ("*.example.org", "https://www.example.org/", True),
        ("*.example.org", "https://example.org/", False),
        ("*.example.org", "https://badexample.org/", False),
        ("example.org", "https://example.org.evil.test/", False),
        ("example.org", "https://example.org@evil.test/", False),
        ("example.org", "https://evil.test/?https://example.org/", False),
        ("example.org", "https:\\\\evil.test\\example.org", False),
        ("example.org", "https://ｅxample.org/", True),
        ("bücher.example", "https://xn--bcher-kva.example/", True),
        ("127.0.0.1:81", "http://0x7f.1:81/", True),
        ("[::1]", "http://[0:0:0:0:0:0:0:1]/", True),
        ("*", "https://anything.test/", True),
        ("*", "ftp://anything.test/", False),
        ("", "https://example.org/", False),
    ],
)
def test_a_host_is_allowed_by_name_and_port(hosts: str, url: str, may: bool) -> None:
    assert Fence.parse(hosts).lets_url(url) is may


@pytest.mark.parametrize("word", ["http://a.test/", "a.test:99999", "a*.test", "*.", "a b@c", "["])
def test_what_is_no_host_is_refused(word: str) -> None:
    with pytest.raises(UserError, match="is no host"):
        Fence.parse(word)


def test_nothing_is_sent_to_a_host_outside() -> None:
    with serving({"/": html()}) as site:
        (kept_back,) = fetched([site.url], allow_hosts=(site.url,), fence=Fence.parse("a.test"))
        assert (kept_back.error, kept_back.sent, site.log) == ("fenced", "withheld", [])
        (sent,) = fetched([site.url], allow_hosts=(site.url,), fence=None)
        assert sent.ok


def test_who_is_allowed_by_a_star_may_not_be_at_a_private_address() -> None:
    with serving({"/": html()}) as site:
        allowed = Fence.parse(f"*:{site.port}")
        by_name = site.url.replace("127.0.0.1", "localhost")
        told = fetched([site.url, by_name], allow_hosts=(site.url, by_name), fence=allowed)
        assert [one.error for one in told] == ["private", "private"]
        assert not site.log
        named = Fence.parse(f"127.0.0.1:{site.port}")
        assert fetched([site.url], allow_hosts=(site.url,), fence=named)[0].ok


def test_the_environment_says_it_and_an_empty_one_lets_nothing_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(ONLY_HOSTS, raising=False)
    assert Options().fence is None
    monkeypatch.setenv(ONLY_HOSTS, "a.test b.test")
    assert Options().fence == Fence.parse("b.test,a.test")
    monkeypatch.setenv(ONLY_HOSTS, "")
    assert Options().fence == Fence()
