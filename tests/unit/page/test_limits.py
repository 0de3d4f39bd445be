"""Pages that would keep a parser busy: what could is looked at closely, and nothing is missed."""

import pytest

from filon.page.limits import MAX_TAG, limited


@pytest.mark.parametrize("before", [0, 1, 100, MAX_TAG - 1, MAX_TAG, MAX_TAG + 1, 3 * MAX_TAG])
def test_a_tag_that_is_too_long_is_left_out_wherever_it_stands(before: int) -> None:
    page = b"<p>" + b"x" * before + b"<a " + b"y" * (MAX_TAG + 10) + b"><b>end</b>"
    assert limited(page) == b"<p>" + b"x" * before + b"<x><b>end</b>"


def test_a_tag_that_never_ends_is_left_out() -> None:
    assert limited(b"<p>text</p><a " + b"y" * (MAX_TAG + 10)) == b"<p>text</p><x>"


def test_a_long_page_of_short_tags_stays_as_it_is() -> None:
    page = b"<p class=a>text</p>" * (3 * MAX_TAG // 19)
    assert limited(page) is page


def test_a_long_text_without_a_tag_stays_as_it_is() -> None:
    page = b"<p>" + b"text " * MAX_TAG
    assert limited(page) == page


@pytest.mark.parametrize("between", [b"<p>", b"</script>", b">"])
def test_a_long_text_is_no_long_tag(between: bytes) -> None:
    page = (between + b"y" * (MAX_TAG + 10)) * 3
    assert limited(page) is page
