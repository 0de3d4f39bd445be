"""Remote contexts: asked for once, kept within bounds."""

import json

from filon.core import Response
from filon.verbs.follow.strategies.contexts import MOST, WAITING, WAITING_BYTES, Contexts, Waiting

URL = "http://c.example/context"


def waiting(body: bytes = b"{}") -> Waiting:
    return Waiting("http://a.example/", "application/ld+json", body, {}, [])


def answer(value: object, **more: str) -> Response:
    return Response(url=URL, status=200, body=json.dumps(value).encode(), **more)  # type: ignore[arg-type]


def test_a_context_is_asked_for_once_and_all_that_wait_are_read_then() -> None:
    contexts = Contexts()
    assert contexts.want((URL,), waiting()) == [URL]
    assert contexts.want((URL,), waiting()) == []
    assert len(contexts.take(URL, answer({"@context": {"p": "http://v.example/p"}}))) == 2
    assert contexts.known == {"c.example/context": {"p": "http://v.example/p"}}
    assert contexts.want((URL,), waiting()) == []


def test_a_document_waits_for_all_its_contexts() -> None:
    contexts, other = Contexts(), "http://d.example/context"
    contexts.want((URL, other), waiting())
    assert contexts.take(URL, answer({"@context": {"p": "http://v.example/p"}})) == []
    assert len(contexts.take(other, Response(url=other, error="timeout"))) == 1


def test_a_context_that_fails_is_not_asked_for_again() -> None:
    for bad in (
        Response(url=URL, error="timeout"),
        Response(url=URL, status=404),
        answer([]),
        answer({"@context": "http://other.example/"}),
        answer({"@context": {"p": "q"}}, cut="budget"),
        Response(url=URL, status=200, body=b"[" * 100_000),
    ):
        contexts = Contexts()
        contexts.want((URL,), waiting())
        assert contexts.take(URL, bad) == []
        assert contexts.want((URL,), waiting()) == []
        assert (contexts.known, contexts.failed) == ({}, 1)


def test_contexts_and_those_that_wait_are_bounded() -> None:
    contexts = Contexts()
    urls = tuple(f"http://c.example/{number}" for number in range(3 * MOST))
    assert len(contexts.want(urls, waiting(b"x" * (WAITING_BYTES + 1)))) == MOST
    for _ in range(2 * WAITING):
        contexts.want(urls[:1], waiting())
    assert len(contexts.state()["waiting"]) == WAITING


def test_requests_are_bounded_in_bytes_and_time() -> None:
    request = Contexts().request(URL)
    assert request.max_bytes == 1_000_000
    assert 0 < request.max_s <= 30


def test_it_goes_on_from_its_state() -> None:
    contexts, other = Contexts(), Contexts()
    contexts.want((URL,), waiting())
    other.restore(contexts.state())
    told = answer({"@context": [{"p": "http://v.example/p"}, "http://x.example/"]})
    assert len(other.take(URL, told)) == 1
    contexts.take(URL, told)
    again = Contexts()
    again.restore(contexts.state())
    assert again.known == contexts.known != {}
