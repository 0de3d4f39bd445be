"""Endpoints of every temper, read in pages to their end."""

from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox
import pytest

from filon.core import Request, Response
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.strategies.sparql import ENDPOINT, MOST_PAGES, Endpoint

URL = "http://e.example/sparql"


def store(default: int, named: int = 0) -> ox.Store:
    made = ox.Store()
    for number in range(default + named):
        subject, name = (
            ox.NamedNode(f"http://e.example/{number}"),
            ox.NamedNode("http://v.example/p"),
        )
        graphs = (
            [ox.DefaultGraph()]
            if number < default
            else [ox.NamedNode(f"http://g/{n}") for n in "ab"]
        )
        for graph in graphs:
            made.add(ox.Quad(subject, name, ox.Literal(str(number)), graph))
    return made


def asked(request: Request) -> str:
    if request.method == "POST":
        return request.body.decode()
    return parse_qs(urlsplit(request.url).query)["query"][0]


def serve(
    made: ox.Store, request: Request, *, refuses: tuple[str, ...] = (), cap: int = 10_000
) -> Response:
    text = asked(request)
    if any(word in f"{request.method} {text}" for word in refuses):
        return Response(url=request.url, status=405 if "GET" in refuses else 400)
    found = made.query(text)
    if isinstance(found, ox.QueryTriples):
        kept = [triple for triple, _ in zip(found, range(cap), strict=False)]
        body, mime = ox.serialize(kept, format=ox.RdfFormat.N_TRIPLES), "application/n-triples"
    else:
        assert isinstance(found, ox.QuerySolutions)
        body, mime = (
            found.serialize(format=ox.QueryResultsFormat.JSON),
            "application/sparql-results+json",
        )
    return Response(
        url=request.url, status=200, headers=(("Content-Type", mime),), body=body or b""
    )


def walk(
    made: ox.Store, *, refuses: tuple[str, ...] = (), cap: int = 10_000
) -> tuple[set[str], int]:
    endpoint, triples, requests = Endpoint(URL), set[str](), 0
    while not endpoint.done:
        response = serve(made, endpoint.request(), refuses=refuses, cap=cap)
        requests += 1
        if response.status != 200:
            endpoint.refused(response)
            continue
        page = read(response.body, URL, response.header("content-type")).triples
        endpoint.take(page)
        triples.update(map(str, page))
        endpoint = ENDPOINT.read(ENDPOINT.write(endpoint))
    return triples, requests


@pytest.mark.parametrize(
    "refuses",
    [(), ("ORDER",), ("CONSTRUCT",), ("CONSTRUCT", "ORDER"), ("GET",), ("GET", "CONSTRUCT")],
)
def test_all_comes_whatever_is_refused(refuses: tuple[str, ...]) -> None:
    triples, requests = walk(store(2345, 1234), refuses=refuses)
    assert len(triples) == 2345 + 1234
    assert requests <= 3 + 2 + 5


@pytest.mark.parametrize("cap", [100, 500])
def test_all_comes_where_answers_are_capped(cap: int) -> None:
    assert len(walk(store(1730), cap=cap)[0]) == 1730


def test_a_small_endpoint_takes_two_requests() -> None:
    assert walk(store(7)) == (walk(store(7))[0], 2)


def test_an_endpoint_that_ignores_offset_is_left_after_a_page_that_came_before() -> None:
    endpoint = Endpoint(URL)
    page = [quad.triple for quad in store(1000)]
    assert endpoint.take(page)
    assert not endpoint.take(page)
    assert endpoint.named
    assert not endpoint.take(page)
    assert endpoint.done


def test_an_endless_endpoint_is_left_in_the_end() -> None:
    endpoint, number = Endpoint(URL, most_pages=7), 0
    while not endpoint.done:
        name = ox.NamedNode(f"http://e.example/{number}")
        assert endpoint.take([ox.Triple(name, name, ox.Literal(str(at))) for at in range(1000)])
        number += 1
    assert number == 7
    assert Endpoint(URL).most_pages == MOST_PAGES


@pytest.mark.parametrize("status", [0, 401, 403, 404])
def test_an_endpoint_that_is_not_there_is_asked_once(status: int) -> None:
    endpoint = Endpoint(URL)
    endpoint.refused(Response(url=URL, status=status))
    assert endpoint.done
