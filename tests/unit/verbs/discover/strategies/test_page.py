"""What of an answer is a page."""

import pytest

from filon.core import Response
from filon.verbs.discover.strategies.page import EMPTY_BYTES, trouble

URL = "http://a.example/"


def answered(body: str, mime: str = "text/html", status: int = 200) -> Response:
    headers = (("Content-Type", mime),)
    return Response(url=URL, status=status, headers=headers, body=body.encode())


@pytest.mark.parametrize(
    "body", ["", " \n\t", "<html></html>", "<html><body><!-- gone --><div></div></body></html>"]
)
def test_a_page_that_says_nothing_is_none(body: str) -> None:
    assert trouble(answered(body)) == "empty"


@pytest.mark.parametrize(
    "body",
    [
        "<title>Bees</title>",
        "<p>Bees",
        '<a href="/hives.html"></a>',
        '<iframe src="http://b.example/"></iframe>',
        "<br>" * EMPTY_BYTES,
    ],
)
def test_a_page_that_says_something_or_leads_somewhere_is_one(body: str) -> None:
    assert trouble(answered(body)) == ""


def test_what_is_no_page_is_told_by_its_status_or_type() -> None:
    assert trouble(answered("", status=404)) == "404"
    assert trouble(answered("x", "image/png")) == "no page"
