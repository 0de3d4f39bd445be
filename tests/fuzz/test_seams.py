"""Every service, portal and page reader, on real answers that were twisted: none raises."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from filon.core import Response, UserError
from filon.core.service import Answer, Hits
from filon.page import sitemap
from filon.page.links import DESCRIBED, HEADS, links
from filon.page.mime import sniff
from filon.page.name import file_name
from filon.page.refusal import is_refusal
from filon.page.robots import Robots
from filon.page.text import page_text
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.services.search import build
from filon.services.source import Source
from fuzz.odd import Twist, twists
from fuzz.web import others, portals, searches, source, sources
from fuzzing import examples
from unit.services.answers import SERVICES as SOURCES
from unit.services.search.answers import SERVICES as SEARCHERS
from unit.services.server import Call

any_one = st.integers(0, 1_000)
some_twists = st.lists(twists(), min_size=1, max_size=4)


def twisted(response: Response, changes: Sequence[Twist]) -> Response:
    for twist in changes:
        response = twist(response, others())
    return response


def sound(value: Any) -> None:
    """See that a value can be written anywhere: as text, as JSON, into a database."""
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    _sound_numbers(value)


def _sound_numbers(value: Any) -> None:
    if isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            _sound_numbers(one)
    assert not isinstance(value, int) or abs(value) < 1 << 63


@given(any_one, some_twists)
@examples(40)
def test_portals_read_any_answer(which: int, changes: list[Twist]) -> None:
    name, confirming, listing = portals()[which % len(portals())]
    adapter, said = ADAPTERS[name], ADAPTERS[name].read(twisted(listing, changes))
    sound([asdict(dataset) for dataset in said.datasets])
    sound([said.total, said.detail])
    for request in (said.more, *said.also):
        assert request is None or request.url.encode()
    if base := adapter.confirmed(twisted(confirming, changes)):
        assert adapter.begin(base).url.encode()
    for _, root in places(guess(twisted(listing, changes))):
        assert root.encode()


@given(any_one, some_twists)
@examples(100)
def test_search_services_read_any_answer(which: int, changes: list[Twist]) -> None:
    name, operator, response = searches()[which % len(searches())]
    response = twisted(response, changes)
    searcher = build(name, SEARCHERS[name].parameters)
    hits = searcher.parse(operator, response)
    sound([asdict(hit) for hit in hits.hits])
    _look_at(hits, searcher.meter, response)
    if hits.more:
        assert searcher.request(operator, SEARCHERS[name].asks[operator], hits.more).url.encode()
    for hit in hits.hits:
        for other in ("related", "backlinks", "outlinks"):
            if searcher.takes(other, hit.url):
                assert searcher.request(other, hit.url).url.encode()


@given(any_one, some_twists)
@examples(400)
def test_sources_read_any_answer(which: int, changes: list[Twist]) -> None:
    name, response = sources()[which % len(sources())]
    made, response = source(name), twisted(response, changes)
    answer = made.parse(response)
    sound([asdict(record) for record in answer.records])
    _look_at(answer, made.meter, response)
    if answer.more:
        assert made.request("bees", answer.more).url.encode()


def _look_at(said: Answer | Hits, meter: Any, response: Response) -> None:
    sound([said.total, said.detail, said.more])
    sound([meter.left(response), meter.resets_at_s(response), meter.pace_s(response)])


@given(some_twists)
@examples(60)
def test_a_description_of_a_search_is_read_or_refused(changes: list[Twist]) -> None:
    service = SOURCES["opensearch"]
    made = Source.load("opensearch", service.parameters)
    opening = made.opening()
    assert opening
    _, headers, body = service.reply(Call("GET", "/osd.xml", {}, {}))
    response = Response(url=opening.url, status=200, headers=tuple(headers.items()), body=body)
    try:
        assert made.opened(twisted(response, changes)).request("bees").url.encode()
    except UserError:
        return


@given(any_one, some_twists)
@examples(200)
def test_pages_of_any_bytes_are_read(which: int, changes: list[Twist]) -> None:
    response = twisted(others()[which % len(others())], changes)
    kind, disposition = response.header("content-type"), response.header("content-disposition")
    for link in links(response.body, response.url, kind, heads=(*HEADS, DESCRIBED)):
        sound(list(link))
    for mime in ("text/csv", "application/json", "application/xml"):
        assert is_refusal(response.body, mime) in (True, False)
    sound(asdict(page_text(response.body, kind)))
    assert sniff(response.body, kind, response.url, disposition).isascii() or kind
    assert file_name(response.url, disposition).encode()
    listed = sitemap.places(response.body, response.url, named=True)
    sound([*listed, sitemap.is_index(response.body)])
    sitemap.datasets(response.body, response.url)
    rules = Robots.parse(response.status, response.body, error=response.error)
    sound([rules.allows(response.url, "filon"), rules.delay_s("filon"), *rules.sitemaps])
