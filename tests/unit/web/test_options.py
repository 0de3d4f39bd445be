import pytest

from filon import __version__
from filon.core import UserError
from filon.web import Options, user_agent
from filon.web.options import Rule


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
