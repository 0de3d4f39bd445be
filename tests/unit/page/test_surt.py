import pytest

from filon.page.surt import surt


@pytest.mark.parametrize(
    ("url", "key"),
    [  # as the Internet Archive's surt 0.3.1 has them, which pywb and cdxj-indexer ask
        ("http://www2.example.org/A/B/?Z=1&a=2#x", "org,example)/a/b?a=2&z=1"),
        ("https://example.org:443", "org,example)/"),
        ("https://example.org:8443/a//b/", "org,example:8443)/a/b"),
        ("http://user:pw@Example.ORG/x", "org,example)/x"),
        ("http://example.org/%7Ea/%41b?x=%20y&y=a+b", "org,example)/~a/ab?x=%20y&y=a+b"),
        ("http://example.org/?", "org,example)/"),
        ("http://example.org/a?&&", "org,example)/a?&&"),
        ("http://example.org/a?b&a=&c=1", "org,example)/a?a=&b&c=1"),
        ("http://xn--mnchen-3ya.de/stra%C3%9Fe", "de,xn--mnchen-3ya)/stra%c3%9fe"),
        ("http://example.org./a", "org,example)/a"),
        ("http://[::1]:8080/a", "::1:8080)/a"),
        (
            "http://example.org/a%2Fb?c=%252F&d=http://x.org/Y",
            "org,example)/a/b?c=/&d=http://x.org/y",
        ),
        ("http://m.example.org/a|b", "org,example,m)/a|b"),
        ("http://127.0.0.1:80/", "1,0,0,127)/"),
    ],
)
def test_keys_are_those_of_the_usual_tools(url: str, key: str) -> None:
    assert surt(url) == key


@pytest.mark.parametrize(
    "text", ["", "http://[bad", "mailto:Me@example.org", "%" * 50, "http://:/"]
)
def test_any_text_has_a_key(text: str) -> None:
    assert isinstance(surt(text), str)
