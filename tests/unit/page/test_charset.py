"""Charsets: any label may stand in a header, and none makes a page unreadable."""

import encodings
import pkgutil
from encodings.aliases import aliases

import pytest

from filon.page.charset import charset, to_utf8

CODECS = sorted({module.name for module in pkgutil.iter_modules(encodings.__path__)} | {*aliases})
#: Bytes of every value, and what some codecs make halves of surrogate pairs of.
ODD = bytes(range(256)) + b"\\ud800 \\N{x} +2AA- xn--a&"


@pytest.mark.parametrize("initial", sorted({label[0] for label in CODECS}))
def test_a_page_is_read_whatever_codec_it_names(initial: str) -> None:
    for label in (label for label in CODECS if label[0] == initial):
        for body, content_type in (
            (ODD, f"text/html; charset={label}"),
            (f"<meta charset={label}>".encode() + ODD, "text/html"),
        ):
            assert to_utf8(body, content_type).decode("utf-8", "replace"), label


@pytest.mark.parametrize("label", ["idna", "undefined", "punycode", "unicode_escape", "rot13"])
def test_what_is_no_charset_is_not_taken_for_one(label: str) -> None:
    assert charset("é".encode(), f"text/html; charset={label}") == "utf-8"


@pytest.mark.parametrize("label", ["x" * 60_000, "a\0b", "\ud800", "é", "utf-8" * 20, "../x", "."])
def test_a_label_that_is_none_is_passed_over(label: str) -> None:
    assert charset(b"<p>", f"text/html; charset={label}") == "utf-8"
