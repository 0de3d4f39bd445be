import asyncio

import pytest

from filon.core import Request, Response
from filon.web.split import Split


class Named:
    """Answers with its name, and knows whether it was closed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.closed = False

    async def fetch(self, request: Request) -> Response:
        return Response(url=request.url, status=200, detail=self.name)

    async def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("url", "by"),
    [
        ("http://127.0.0.1:8888/search?q=a/b", "there"),
        ("http://127.0.0.1:8888", "there"),
        ("http://127.0.0.1:8888?q=1", "there"),
        ("http://127.0.0.1/", "here"),
        ("http://127.0.0.1:88888/", "here"),
        ("https://127.0.0.1:8888/", "here"),
        ("http://127.0.0.1:8888@evil.example/", "here"),
        ("http://b.example/http://127.0.0.1:8888/", "here"),
    ],
)
def test_only_what_is_for_a_place_goes_there(url: str, by: str) -> None:
    web = Split(Named("here"), Named("there"), ["http://127.0.0.1:8888"])
    assert asyncio.run(web.fetch(Request(url=url))).detail == by


def test_both_are_closed() -> None:
    here, there = Named("here"), Named("there")
    asyncio.run(Split(here, there, []).close())
    assert here.closed
    assert there.closed
