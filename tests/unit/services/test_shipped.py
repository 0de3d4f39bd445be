"""Every source that comes with Filon, against a local server with the service's own answers."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from filon.core import Answer, Provider, Request, Response, UserError, Web
from filon.services.describe import find, services, shipped
from filon.services.search import AT_HAND, SEARCHERS
from filon.services.source import Source
from filon.verbs.job import keyed
from filon.web import Live, Options
from patience import PATIENCE_S
from unit.services.answers import SERVICES, Service
from unit.services.server import AUTHORITY, Serving, serving
from unit.services.table import search

Scene = Callable[[Source, Web, Serving], Awaitable[None]]
KEYS = {"OPENALEX_API_KEY": "good-key-123"}
every_service = pytest.mark.parametrize("name", SERVICES)


def play(name: str, scene: Scene, tmp_path: Path, keys: dict[str, str] | None = None) -> None:
    """Stand a source before the service it is for, over HTTPS, and let a scene use it."""
    service = SERVICES[name]
    ca_file = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(ca_file))

    async def run(served: Serving) -> None:
        source = Source.load(name, service.parameters)
        live = Live(Options(connect_to=(served.rule,), ca_file=str(ca_file)))
        web = keyed(live, source, environment=KEYS if keys is None else keys)
        try:
            if opening := source.opening():
                source = source.opened(await web.fetch(opening))
            await asyncio.wait_for(scene(source, web, served), PATIENCE_S)
        finally:
            await web.close()

    with serving(service.reply, service.host) as served:
        asyncio.run(run(served))


async def ask(source: Source, web: Web, query: str, page: str = "") -> Answer:
    return source.parse(await web.fetch(source.request(query, page)))


def titles(service: Service, answer: Answer) -> list[str]:
    return [record.fields[service.title] for record in answer.records]


def test_every_shipped_source_has_a_service_here_or_is_tested_elsewhere() -> None:
    assert set(shipped()) == set(SERVICES) | {"datasette", "nominatim"}


def test_a_table_can_be_enriched_from_a_search_service_too() -> None:
    source = Source.load("searxng", {"url": "https://a.example"})
    assert source.request("bees").url == "https://a.example/search?format=json&q=bees&pageno=1"


def test_every_search_service_on_the_network_has_files_and_every_file_a_service() -> None:
    assert set(services()) == set(SEARCHERS) - AT_HAND


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_file_says_what_a_user_must_know(name: str) -> None:
    told = find(name)
    assert told.name == name
    assert all((told.about, told.home, told.terms, told.checked, told.paging.size))


@every_service
def test_all_matches_are_reached_page_by_page(name: str, tmp_path: Path) -> None:
    service = SERVICES[name]

    async def scene(source: Source, web: Web, served: Serving) -> None:
        provider: Provider = source
        expected = [row.title for row in search("river", service.joins)]
        found: list[str] = []
        answer = await ask(source, web, "river")
        while True:
            assert (answer.problem, answer.detail) == ("", "")
            assert answer.total == (len(expected) if service.totals else None)
            found += titles(service, answer)
            if not answer.more:
                break
            assert len(answer.records) == provider.page_size
            answer = await ask(source, web, "river", answer.more)
        assert found == (expected if service.pages else expected[: source.page_size])
        assert len(served.calls) <= 2 + len(expected) // source.page_size

    play(name, scene, tmp_path)


@every_service
def test_a_query_without_matches_brings_no_records_and_no_problem(
    name: str, tmp_path: Path
) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        answer = await ask(source, web, "zebra")
        assert (answer.records, answer.more, answer.problem) == ((), "", "")
        assert answer.total in (0, None)

    play(name, scene, tmp_path)


@every_service
def test_words_are_joined_as_the_file_says(name: str, tmp_path: Path) -> None:
    service = SERVICES[name]

    async def scene(source: Source, web: Web, served: Serving) -> None:
        assert source.joins in (service.joins, "")
        answer = await ask(source, web, "lantern zebra")
        assert bool(answer.records) == (service.joins == "or")

    play(name, scene, tmp_path)


@every_service
def test_records_have_ids_addresses_and_flat_fields(name: str, tmp_path: Path) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        answer = await ask(source, web, "river lantern")
        assert len({record.id for record in answer.records}) == len(answer.records) > 5
        for record in answer.records:
            assert record.url.startswith("https://")
            assert "{" not in record.url
            assert all(isinstance(text, str) for text in record.fields.values())

    play(name, scene, tmp_path)


@every_service
def test_a_server_that_fails_is_down_and_one_that_says_429_has_no_quota(name: str) -> None:
    source = Source.load(name, SERVICES[name].parameters)
    statuses = {429: "quota", 401: "key", 500: "down", 503: "down", 302: "schema"}
    for status, problem in statuses.items():
        answer = source.parse(Response(url="https://a.test/", status=status, body=b"<p>no</p>"))
        assert (answer.problem, answer.records) == (problem, ())
        assert answer.detail
    gone = Response(url="https://a.test/", error="timeout", detail="It took too long.")
    assert source.parse(gone) == Answer(problem="down", detail="It took too long.")
    page = Response(url="https://a.test/", status=200, body=b"<html><p>Are you human?</p>")
    assert source.parse(page).problem == "schema"


def test_crossref_puts_names_together(tmp_path: Path) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        answer = await ask(source, web, "lantern")
        assert answer.records[0].fields["authors"] == "Ada Lantern; The Society"
        assert answer.records[0].fields["year"] == "1901"

    play("crossref", scene, tmp_path)


def test_a_wrong_key_is_told_apart(tmp_path: Path) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        answer = await ask(source, web, "river")
        assert (answer.problem, answer.detail) == (
            "key",
            "The service answers 401: Use a valid key.",
        )

    play("openalex", scene, tmp_path, {"OPENALEX_API_KEY": "wrong-key"})


def test_the_key_is_sent_and_stands_nowhere(tmp_path: Path) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        request = source.request("river")
        assert "good-key-123" not in repr(request)
        response = await web.fetch(request)
        assert served.calls[-1].params["api_key"] == "good-key-123"
        assert "good-key-123" not in repr(response)
        assert response.url == request.url

    play("openalex", scene, tmp_path)


def test_a_key_that_is_optional_may_be_missing(tmp_path: Path) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        assert (await ask(source, web, "river")).records
        assert "authorization" not in served.calls[-1].headers

    play("github", scene, tmp_path, {})


def test_several_names_are_reconciled_in_one_call(tmp_path: Path) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        answer = await ask(source, web, "lantern\nmeadow")
        expected = [*search("lantern", "or")[:25], *search("meadow", "or")[:25]]
        assert [record.fields["name"] for record in answer.records] == [r.title for r in expected]
        assert len(served.calls) == 1
        assert source.takes("\n".join(["name"] * 10))
        assert not source.takes("\n".join(["name"] * 11))

    play("reconciliation", scene, tmp_path)


def test_opensearch_reads_its_template_once_and_for_all(tmp_path: Path) -> None:
    async def scene(source: Source, web: Web, served: Serving) -> None:
        again = Source.load("opensearch", source.parameters)
        assert again.opening() is None
        assert again.request("a b", "40") == source.request("a b", "40")
        assert source.request("a b").url == "https://search.test/feed?q=a+b&l=%2A&n=20&start=0"

    play("opensearch", scene, tmp_path)


def test_opensearch_reads_atom_too() -> None:
    body = b"""<feed xmlns="http://www.w3.org/2005/Atom"
      xmlns:os="http://a9.com/-/spec/opensearch/1.1/"><os:totalResults>1</os:totalResults>
      <entry><id>urn:1</id><title>One</title><link rel="self" href="/x"/><link href="/1"/>
      <author><name>Ada</name></author><category term="maps"/></entry></feed>"""
    parameters = {"url": "https://a.test/o.xml", "template": "https://a.test/?q={searchTerms}"}
    source = Source.load("opensearch", parameters)
    (record,) = source.parse(Response(url="https://a.test/?q=x", status=200, body=body)).records
    assert (record.id, record.url) == ("urn:1", "https://a.test/1")
    assert record.fields["authors"] == "Ada"
    assert record.fields["categories"] == "maps"


def test_nominatim_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="forbids bulk geocoding"):
        Source.load("nominatim")
    text = (Path(find.__code__.co_filename).parent / "shipped/nominatim.toml").read_text("utf-8")
    own = tmp_path / "own.toml"
    kept = [line for line in text.splitlines() if not line.startswith("forbidden")]
    own.write_text("\n".join(kept))
    with pytest.raises(UserError, match="forbids bulk geocoding"):
        Source.load(own)
    own.write_text("\n".join(kept).replace("nominatim.openstreetmap.org", "maps.test"))
    assert Source.load(own).request("a street") == Request(
        url="https://maps.test/search?format=jsonv2&q=a+street&limit=40",
        headers=(("Accept", "application/json"),),
    )
