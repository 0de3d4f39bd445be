"""What a probe learns of services that search in different ways."""

import asyncio
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

from filon.core import Answer, Request, Response, UserError
from filon.services.source import Source
from filon.verbs.enrich.probe import MOST, Probe, as_json, refuse_if_silent
from unit.services.answers import SERVICES, openlibrary, told
from unit.services.server import Call, Reply
from unit.services.table import search


class Pretended:
    """A service without a socket."""

    def __init__(self, reply: object) -> None:
        self._reply = reply
        self.calls = 0

    async def fetch(self, request: Request) -> Response:
        self.calls += 1
        parts = urlsplit(request.url)
        params = dict(parse_qsl(parts.query)) | {"api_key": "good-key-123"}
        headers = dict(request.headers)
        call = Call(request.method, parts.path, params, headers, request.body)
        status, more, body = self._reply(call)  # type: ignore[operator]
        pairs = tuple(more.items())
        return Response(url=request.url, status=status, headers=pairs, body=body, at_s=1.0)

    async def close(self) -> None:
        pass


def probed(name: str, reply: object = None) -> tuple[Probe, Pretended, list[Answer]]:
    service = SERVICES[name]
    web = Pretended(reply or service.reply)
    answers: list[Answer] = []
    probe = Probe(
        Source.load(name, service.parameters), web, lambda n, request, a: answers.append(a)
    )
    asyncio.run(probe.run())
    return probe, web, answers


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_as_described(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filon.verbs.enrich.probe.STARTERS", ("zebra", "river"))
    service = SERVICES[name]
    probe, web, answers = probed(name)
    found = probe.found
    assert found.calls == web.calls == len(answers) <= MOST
    assert found.joins == service.joins
    assert found.page_size == probe.source.page_size
    assert found.paging is (True if service.pages else None)
    assert found.totals is service.totals
    assert (found.problems, found.differs) == ([], [])
    assert found.stop_words == ([] if service.joins == "and" else ["the", "of"])
    assert service.title in found.fields
    assert as_json(probe.source, found)["described"]["page_size"] == found.page_size


def test_what_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filon.verbs.enrich.probe.STARTERS", ("river",))

    def other(call: Call) -> Reply:
        """Open Library as it is not: any word, one page for ever, no total."""
        rows = search(call.params["q"], "or")[:100]
        docs = [{"key": f"/w/{row.number}", "title": row.title} for row in rows]
        return told({"docs": docs})

    probe, _, _ = probed("openlibrary", other)
    assert probe.found.joins == "or"
    assert probe.found.differs == [
        "there is no total at $.numFound or $.num_found",
        "the second page repeats the first",
        "words are joined by or, not by and",
    ]


def test_stop_words_are_those_that_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filon.verbs.enrich.probe.STARTERS", ("river",))

    def drops(call: Call) -> Reply:
        kept = [word for word in call.params["q"].split() if word != "the"]
        return openlibrary(replace(call, params={**call.params, "q": " ".join(kept)}))

    assert probed("openlibrary", drops)[0].found.stop_words == ["the"]


def test_a_service_that_ignores_the_keywords_is_found_out() -> None:
    def deaf(call: Call) -> Reply:
        docs = [{"key": f"/w/{row.number}", "title": row.title} for row in search("river")[:50]]
        return told({"numFound": 50, "docs": docs})

    probe, _, _ = probed("openlibrary", deaf)
    assert probe.found.ignores_words
    assert "the keywords are ignored: any word finds the same" in probe.found.differs


@pytest.mark.parametrize(("status", "problem"), [(401, "key"), (429, "quota"), (500, "down")])
def test_a_refusal_ends_the_probe_at_once(status: int, problem: str) -> None:
    probe, web, _ = probed("openlibrary", lambda call: told({"error": "No."}, status))
    assert web.calls == 1
    with pytest.raises(UserError, match=f"could not be probed: {problem}: .*{status}: No"):
        refuse_if_silent(probe.source, probe.found)


def test_the_rate_limit_headers_are_reported() -> None:
    probe, _, _ = probed("crossref")
    assert probe.found.rate_headers == {"X-Rate-Limit-Limit": "3", "X-Rate-Limit-Interval": "1s"}


def test_a_word_that_the_service_knows_is_asked_for_in_place_of_the_usual_ones() -> None:
    service = SERVICES["openlibrary"]
    asked: list[str] = []
    source = Source.load("openlibrary", service.parameters)
    probe = Probe(
        source, Pretended(service.reply), lambda n, request, a: asked.append(request.url), "river"
    )
    found = asyncio.run(probe.run())
    assert "river" in asked[0]
    assert found.page_size == source.page_size


def test_where_no_word_has_results_another_one_is_asked_for() -> None:
    source = Source.load("openlibrary", SERVICES["openlibrary"].parameters)
    probe = Probe(source, Pretended(SERVICES["openlibrary"].reply), word="qqqq")
    found = asyncio.run(probe.run())
    assert found.calls == 1
    assert found.problems == ["No results for qqqq: name another word with --word."]
