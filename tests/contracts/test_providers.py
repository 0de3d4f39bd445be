"""The contract of every Provider that comes with Filon: pure, bounded, never surprised."""

import random
from urllib.parse import urlsplit

import pytest

from filon.core import Answer, Provider, Response
from filon.core.response import CUTS, ERRORS
from filon.core.service import PROBLEMS
from filon.services.source import Source
from unit.services.answers import SERVICES
from unit.services.server import Call

TEMPLATE = "https://search.test/feed?q={searchTerms}&start={startIndex?}&n={count?}"
SOURCES = {name: service.parameters for name, service in SERVICES.items()} | {
    "datasette": {"url": "https://data.test/db/table"},
    "opensearch": {"url": "https://search.test/osd.xml", "template": TEMPLATE, "first": "0"},
}
every_provider = pytest.mark.parametrize("name", SOURCES)


def load(name: str) -> Source:
    return Source.load(name, SOURCES[name])


def whole(name: str, source: Source) -> Response:
    """A good answer of the service."""
    request = source.request("river")
    parts = urlsplit(request.url)
    if name == "datasette":
        body = b'{"rows": [{"id": 1, "title": "River"}], "filtered_table_rows_count": 1}'
        return Response(url=request.url, status=200, body=body)
    params = dict(pair.split("=") for pair in parts.query.split("&")) if parts.query else {}
    params["api_key"] = "good-key-123"
    call = Call(request.method, parts.path, params, {}, request.body)
    status, headers, body = SERVICES[name].reply(call)
    return Response(url=request.url, status=status, headers=tuple(headers.items()), body=body)


@every_provider
def test_the_same_query_gives_the_same_request(name: str) -> None:
    first: Provider = load(name)
    second: Provider = load(name)
    for page in ("", "7"):
        assert first.request("war peace", page) == second.request("war peace", page)
    assert first.request("a") != first.request("b")


@every_provider
def test_it_has_a_name_a_size_and_a_way_to_join(name: str) -> None:
    provider: Provider = load(name)
    assert provider.name == name
    assert 1 <= provider.page_size <= 1000
    assert provider.joins in ("", "and", "or")
    assert provider.takes("river")
    assert not provider.takes("")


@every_provider
def test_an_answer_is_read_the_same_each_time(name: str) -> None:
    source = load(name)
    answer = whole(name, source)
    assert source.parse(answer) == load(name).parse(answer)
    assert source.parse(answer).problem == ""
    assert 0 < len(source.parse(answer).records) <= source.page_size


@every_provider
@pytest.mark.parametrize(
    "query", ['"', "a&b=c#d", "ä ö 東京", "{keywords}", "%00\r\nHost: x", "a/../b"]
)
def test_any_text_makes_one_safe_request(name: str, query: str) -> None:
    source = load(name)
    request = source.request(query)
    assert request.url.isprintable()
    assert request.url.isascii()
    assert urlsplit(request.url)[:3] == urlsplit(source.request("a").url)[:3]


@every_provider
@pytest.mark.parametrize("status", [0, 100, 204, 206, 304, 404, 451, 599, 999])
def test_every_kind_of_answer_is_survived(name: str, status: int) -> None:
    source = load(name)
    for error in sorted(ERRORS):
        for cut in sorted(CUTS):
            answer = Response(url="https://a.test/", status=status, error=error, cut=cut)
            told = source.parse(answer)
            assert isinstance(told, Answer)
            assert told.problem in PROBLEMS - {""}
            assert told.detail


@every_provider
def test_broken_answers_are_survived(name: str) -> None:
    source, chance = load(name), random.Random(1)
    good = whole(name, source)
    for _ in range(60):
        body = bytearray(good.body[: chance.randrange(1, 3000)])
        for _ in range(chance.randrange(4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        told = source.parse(Response(url=good.url, status=200, body=bytes(body)))
        assert told.problem in PROBLEMS
        assert told.records or told.problem or told.total in (0, None)


@every_provider
@pytest.mark.parametrize(
    "body",
    [b"null", b"3", b'"x"', b"[]", b"[null]", b"{}", b'{"results": 3, "docs": [3], "rows": "x"}'],
)
def test_strange_values_are_survived(name: str, body: bytes) -> None:
    told = load(name).parse(Response(url="https://a.test/", status=200, body=body))
    assert told.problem in PROBLEMS
