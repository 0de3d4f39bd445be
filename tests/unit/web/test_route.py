import pytest

from filon.core import UserError
from filon.web.route import Rule


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
