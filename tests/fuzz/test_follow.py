"""Any answer to `filon follow`: none raises, and all that is written of it is N-Quads.

A long look, of 10,000 answers by each of the tests:

    FILON_EXAMPLES=10000 python -m pytest tests/fuzz/test_follow.py
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from filon.core import Request, Response
from filon.demo.linked import SEED, truth
from filon.run.checkpoint import Checkpoint, dump, load
from filon.verbs.follow.graph.terms import Terms, iri
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.dump import is_packed, read_packed
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.strategies import Brief, build
from fuzz.odd import TOKENS, TYPES, Twist, twists
from fuzz.web import honest, others
from fuzzing import examples

URL = "http://a.example/thing?x=1"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TURTLE = (
    "@prefix v: <http://v.example/> . @prefix void: <http://rdfs.org/ns/void#> .\n"
    '<#a> v:p "x"@en, 1, "y"^^v:t, <http://b.example/1>, [ v:q ( 1 2 ) ] .\n'
    "<#d> void:dataDump </all.nt.gz> ; void:sparqlEndpoint </sparql> ; void:uriSpace '/id/' .\n"
)
ROW = {
    "s": {"type": "uri", "value": "http://a.example/s"},
    "p": {"type": "uri", "value": "http://a.example/p"},
    "o": {"type": "literal", "value": "x", "xml:lang": "en"},
}
JSONLD = {
    "@context": ["https://schema.org/", {"v": "http://v.example/", "w": {"@container": "@list"}}],
    "@id": "#a",
    "@type": "Dataset",
    "name": [{"@value": "x", "@language": "en"}, "y"],
    "v:p": {"@id": "http://b.example/1", "v:q": {"@list": [1, 2.5, True, None]}},
    "@graph": [{"@id": "#g", "v:p": {"@value": "<b/>", "@type": "rdf:HTML"}}],
}
PAGE = (
    "<!doctype html><html lang=en><head><link rel=alternate type=text/turtle href=x.ttl>"
    f"<script type='application/ld+json'>{json.dumps(JSONLD)}</script>"
    "<script type=text/turtle><#t> <http://v.example/p> 1 .</script></head><body vocab='http://v/'>"
    "<div typeof=C about='#a' prefix='v: http://v.example/'><p property='v:p' datatype='v:t'>x</p>"
    "<a rel='v:knows' href='http://b.example/2'>y</a><time property=when>2020-01-01</time></div>"
    "<div itemscope itemtype='http://schema.org/Thing' itemref=z><b itemprop=name>z</b></div>"
    "<i id=z itemprop=url>u</i><p property='v:h' datatype='rdf:HTML'><b>w</b></p></body>"
)
#: What honest servers send, by type.
BODIES: tuple[tuple[str, bytes], ...] = (
    ("text/turtle", TURTLE.encode()),
    ("application/trig", f"<http://g.example/> {{ <#a> <#b> 'c' }} {TURTLE}".encode()),
    ("application/n-triples", b'<http://a.example/s> <http://a.example/p> "x\\u00e9"@en .\n' * 3),
    (
        "application/n-quads",
        b"<http://a.example/s> <http://a.example/p> _:b <http://g.org/> .\n",
    ),
    ("text/n3", b"@prefix : <#> . { :a :b ?x } => { :c :d ?x } . :e :f :g . :h is :i of :j ."),
    ("text/turtle", b"<< <x:a> <x:b> <x:c> >> <x:d> <<( <x:e> <x:f> 'g'@ar--rtl )>> ."),
    (
        "application/rdf+xml",
        f"<?xml version='1.0' encoding='utf-8'?><!DOCTYPE r [<!ENTITY v 'http://v.example/'>]>"
        f"<rdf:RDF xmlns:rdf='{RDF}' xmlns:v='http://v.example/' xml:base='http://c.example/'>"
        "<v:C rdf:about='x' xml:lang='de'><v:p rdf:resource='&v;y'/><v:q>t</v:q><v:l "
        "rdf:parseType='Collection'><v:D/></v:l><v:x rdf:parseType='Literal'><b>z</b></v:x></v:C>"
        "</rdf:RDF>".encode(),
    ),
    ("application/ld+json", json.dumps(JSONLD).encode()),
    (
        "application/sparql-results+json",
        json.dumps({"head": {"vars": [*"spo"]}, "results": {"bindings": [ROW] * 3}}).encode(),
    ),
    ("text/html", PAGE.encode()),
    ("application/gzip", gzip.compress(TURTLE.encode(), mtime=0)),
    (
        "application/linkset+json",
        b'{"linkset": [{"alternate": [{"href": "/x.ttl", "type": "text/turtle"}]}]}',
    ),
)
any_one = st.integers(0, 10_000)
some_twists = st.lists(twists(), min_size=1, max_size=5)
any_bytes = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace")),
    st.lists(st.sampled_from(TOKENS), max_size=6).map(b" ".join),
    st.text("<>\"'@^_:.;,[](){}#\\/ \nabp=&%!|-", max_size=80).map(str.encode),
)
any_type = st.one_of(st.sampled_from([*TYPES, *(mime for mime, _ in BODIES)]), st.text(max_size=30))


def check_graph(document: Document) -> None:
    """See that what is written of a document is read by a strict reader, line by line."""
    terms, graph = Terms("d1"), iri(URL)
    triples = [line for one in document.triples[:2_000] if (line := terms.triple(one))]
    text = "".join(f"{triple} {graph} .\n" for triple in triples)
    assert sum(1 for _ in ox.parse(input=text, format=ox.RdfFormat.N_QUADS)) == len(triples)
    document.broken.encode()


def reading(response: Response) -> Document:
    content_type = response.header("content-type")
    if is_packed(response.body):
        return read_packed(response.body, URL, content_type, most_bytes=10**6, most=10_000)
    return read(response.body, URL, content_type, most=10_000)


def follow(name: str, response: Response) -> None:
    """Let a strategy have an answer to its seed, and a few that are not there; store its state."""
    one = build(name, Brief(seeds=(response.url,), per_host=1))
    for answer in (response, *[Response(url=URL, status=404)] * 5):
        step = one.propose()
        if step is None:
            break
        one.observe(step, replace(answer, url=step.request.url))
    again = build(name, Brief(seeds=(response.url,), per_host=1))
    again.restore(load(dump(Checkpoint(state=one.state()))).state)
    assert again.propose() == one.propose()
    json.dumps(one.summary()).encode()


def twisted(which: int, changes: Sequence[Twist]) -> Response:
    mime, body = BODIES[which % len(BODIES)]
    response = Response(url=URL, status=200, headers=(("Content-Type", mime),), body=body)
    for twist in changes:
        response = twist(response, others())
    return response


@given(any_one, some_twists)
@examples(150)
def test_documents_are_read_however_they_are_twisted(which: int, changes: list[Twist]) -> None:
    check_graph(reading(twisted(which, changes)))


@given(any_bytes, any_type)
@examples(150)
def test_any_bytes_of_any_type_are_read(body: bytes, content_type: str) -> None:
    headers = (("Content-Type", content_type),)
    check_graph(reading(Response(url=URL, status=200, headers=headers, body=body)))


@given(any_one, some_twists)
@examples(60)
def test_no_answer_upsets_a_strategy(which: int, changes: list[Twist]) -> None:
    follow(("lode", "bfs", "ldcoc", "heuristic")[which % 4], twisted(which // 4, changes))


@given(any_one, some_twists)
@examples(60)
def test_documents_of_the_small_web_are_read_however_they_are_twisted(
    which: int, changes: list[Twist]
) -> None:
    urls = [SEED, *truth()]
    response = honest(Request(url=urls[which % len(urls)]))
    for twist in changes:
        response = twist(response, others())
    check_graph(reading(response))
    follow("lode" if which % 2 else "bfs", response)
