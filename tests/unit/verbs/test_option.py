import pytest

from filon.core import UserError
from filon.verbs.option import start_url


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://example.org", "https://example.org/"),
        ("HTTP://Example.org/A?b#c", "http://example.org/A?b"),
        ("example.org", "https://example.org/"),
        ("  www.example.org/data?x=1 ", "https://www.example.org/data?x=1"),
        ("localhost:8000/a", "https://localhost:8000/a"),
        ("127.0.0.1:80", "https://127.0.0.1:80/"),
        ("[::1]:8080", "https://[::1]:8080/"),
        ("statistique.québec", "https://statistique.xn--qubec-csa/"),
    ],
)
def test_a_url_is_what_was_meant(typed: str, url: str) -> None:
    assert start_url(typed) == url


@pytest.mark.parametrize(
    "typed",
    ["", "exmaple", "two words", "mailto:me@example.org", "ftp://example.org/", "http://",
     "file:///etc/passwd", "http://a b/", "javascript:alert(1)", "http://me:pw@example.org/"],
)  # fmt: skip
def test_what_cannot_be_harvested_is_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(UserError) as caught:
        start_url(typed)
    assert str(caught.value).endswith(".")
    assert "pw" not in str(caught.value)
