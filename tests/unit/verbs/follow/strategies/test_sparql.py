"""Endpoints of every temper, read in pages to their end."""

import re
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox
import pytest

from filon.core import Request, Response
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.strategies.sparql import ENDPOINT, MOST_PAGES, SIZE, Endpoint

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


PEOPLE = 1_500


def people(named: bool) -> ox.Store:
    """Everybody has an address, which is a blank node, and that has a place, which is one too."""
    store = ox.Store()
    graph = ox.NamedNode("http://g.example/") if named else ox.DefaultGraph()

    def say(
        subject: ox.NamedNode | ox.BlankNode, name: str, value: ox.BlankNode | ox.Literal
    ) -> None:
        store.add(ox.Quad(subject, ox.NamedNode(f"http://v.example/{name}"), value, graph))

    for number in range(PEOPLE):
        address, place = ox.BlankNode(), ox.BlankNode()
        say(ox.NamedNode(f"http://a.example/{number}"), "address", address)
        say(address, "place", place)
        say(place, "street", ox.Literal(str(number)))
    for number in range(7):
        lost = ox.BlankNode()
        say(lost, "lost", ox.Literal(str(number)))
        say(lost, "name", ox.BlankNode())
    return store


def counted(answer: bytes) -> bytes:
    """Name blank nodes in the order in which they appear, as many endpoints do."""
    names: dict[bytes, bytes] = {}
    return re.sub(rb"_:\w+", lambda m: names.setdefault(m[0], b"_:b%d" % len(names)), answer)


@pytest.mark.parametrize("named", [False, True])
def test_blank_nodes_that_are_counted_anew_come_with_what_is_said_of_them(named: bool) -> None:
    store, endpoint, streets, lost, asked = people(named), Endpoint(URL), dict[str, str](), 0, 0
    while not endpoint.done and asked < 60:
        asked += 1
        found = store.query(endpoint.query)
        assert isinstance(found, ox.QueryTriples)
        body = counted(found.serialize(format=ox.RdfFormat.N_TRIPLES) or b"")
        triples = [quad.triple for quad in ox.parse(body, format=ox.RdfFormat.N_TRIPLES)]
        if endpoint.nests(triples) or not endpoint.take(triples):
            continue
        said = {(str(t.subject), t.predicate.value.rpartition("/")[2]): t.object for t in triples}
        for (subject, name), address in said.items():
            if name == "address":
                place = said[str(address), "place"]
                streets[subject] = said[str(place), "street"].value
            lost += name == "lost"
    assert endpoint.done
    assert len(streets) == PEOPLE
    assert all(subject == f"<http://a.example/{street}>" for subject, street in streets.items())
    assert lost == 7


def test_an_endpoint_that_refuses_to_nest_is_read_flat() -> None:
    endpoint = Endpoint(URL)
    page = [
        ox.Triple(ox.BlankNode(f"b{n}"), ox.NamedNode("http://v.example/p"), ox.Literal(str(n)))
        for n in range(SIZE)
    ]
    assert endpoint.nests(page)
    assert "isBlank" in endpoint.query
    endpoint.refused(Response(url=URL, status=500))
    assert "isBlank" not in endpoint.query
    assert not endpoint.nests(page)
    assert endpoint.take(page)
    assert endpoint.offset == SIZE


def test_blank_nodes_with_names_of_the_store_are_read_as_they_are() -> None:
    triple = ox.Triple(ox.BlankNode(), ox.NamedNode("http://v.example/p"), ox.Literal("x"))
    assert not Endpoint(URL).nests([triple] * SIZE)
