"""What every source promises (`filon.testing`), on those that come with Filon."""

from urllib.parse import urlsplit

import pytest

from filon.core import Response
from filon.services.source import Source
from filon.testing import check_source
from unit.services.answers import SERVICES
from unit.services.server import Call

TEMPLATE = "https://search.test/feed?q={searchTerms}&start={startIndex?}&n={count?}"
SOURCES = {name: service.parameters for name, service in SERVICES.items()} | {
    "datasette": {"url": "https://data.test/db/table"},
    "opensearch": {"url": "https://search.test/osd.xml", "template": TEMPLATE, "first": "0"},
}


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


@pytest.mark.parametrize("name", SOURCES)
def test_it_keeps_the_contract(name: str) -> None:
    source = Source.load(name, SOURCES[name])
    assert source.name == name
    check_source(name, SOURCES[name], whole(name, source))
