"""Reading RDF wherever it is."""

import json

import pytest

from filon.verbs.follow.rdf.reader import read

URL = "http://data.example/thing"
TURTLE = (
    b'@prefix ex: <http://ex.org/> . <http://a.org/1> ex:knows <http://a.org/2> ; ex:name "A" .'
)
XML = (
    b'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    b'xmlns:ex="http://ex.org/"><rdf:Description rdf:about="http://a.org/1"><ex:name>A</ex:name>'
    b"</rdf:Description></rdf:RDF>"
)
JSONLD = b'{"@context": {"name": "http://ex.org/name"}, "@id": "http://a.org/1", "name": "A"}'
NT = b'<http://a.org/1> <http://ex.org/name> "A" .\n'


def page(inside: str) -> bytes:
    return (
        f"<!DOCTYPE html><html><head><title>x</title></head><body>{inside}</body></html>".encode()
    )


def script(text: str) -> bytes:
    return page(f'<script type="application/ld+json">{text}</script>')


@pytest.mark.parametrize(
    ("body", "mime", "syntax"),
    [
        (TURTLE, "text/turtle", "turtle"),
        (TURTLE, "text/plain", "turtle"),
        (TURTLE, "application/rdf+xml", "turtle"),
        (TURTLE, "", "turtle"),
        (b"\xef\xbb\xbf" + TURTLE, "text/turtle; charset=utf-8", "turtle"),
        (XML, "application/rdf+xml", "rdfxml"),
        (XML, "application/xml", "rdfxml"),
        (XML, "text/html", "rdfxml"),
        (JSONLD, "application/ld+json", "jsonld"),
        (JSONLD, "application/json", "jsonld"),
        (JSONLD, "text/plain", "jsonld"),
        (NT, "application/n-triples", "nt"),
        (NT, "application/octet-stream", "nt"),
        (b"<http://g.org/> { <http://a.org/1> <http://b.org/> 1 . }", "application/trig", "trig"),
        (NT.replace(b" .", b" <http://g.org/> ."), "application/n-quads", "nquads"),
        (TURTLE, "text/n3", "n3"),
    ],
)
def test_rdf_is_read_whatever_type_it_is_served_with(body: bytes, mime: str, syntax: str) -> None:
    document = read(body, URL, mime)
    assert document.syntaxes == [syntax]
    assert document.strict
    assert not document.broken


@pytest.mark.parametrize(
    ("body", "mime"),
    [
        (b"", ""),
        (b"hello world, this is prose: nothing else.", "text/plain"),
        (b"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'/>", "application/xml"),
        (page("<p>Nothing here</p>"), "text/html"),
        (page("<p>Nothing here</p>"), "text/turtle"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "image/png"),
    ],
)
def test_what_is_not_rdf_gives_no_triples(body: bytes, mime: str) -> None:
    document = read(body, URL, mime)
    assert not document.any
    assert not document.strict


def test_triples_before_an_error_are_kept_and_the_document_is_marked() -> None:
    document = read(TURTLE + b" <http://a.org/3> ex:name unquoted words .", URL, "text/turtle")
    assert len(document.triples) == 2
    assert "line 1" in document.broken


def test_json_ld_microdata_and_rdfa_of_a_page_are_all_read() -> None:
    inside = (
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Thing", '
        '"name": "A"}</script>'
        '<div itemscope itemtype="http://schema.org/Person"><span itemprop="name">B</span>'
        '<a itemprop="url" href="/b">b</a></div>'
        '<p about="#c" property="foaf:name">C</p>'
    )
    document = read(page(inside), URL, "text/html")
    assert document.syntaxes == ["jsonld", "microdata", "rdfa"]
    said = {(str(t.predicate.value), getattr(t.object, "value", "")) for t in document.triples}
    assert ("http://schema.org/name", "A") in said
    assert ("http://schema.org/name", "B") in said
    assert ("http://schema.org/url", "http://data.example/b") in said
    assert ("http://xmlns.com/foaf/0.1/name", "C") in said


@pytest.mark.parametrize(
    "inside",
    [
        '<a rel="license" href="/l">licence</a>',
        '<div prefix="og: http://ogp.me/ns#"><meta property="og:title" content="x"></div>',
    ],
)
def test_triples_by_accident_are_told_apart(inside: str) -> None:
    document = read(page(inside), URL, "text/html")
    assert document.any
    assert not document.strict


def test_plain_json_leaves_no_triples_behind() -> None:
    document = read(b'{"name": "A", "list": [1, 2]}', URL, "application/json")
    assert (document.triples, document.any, document.strict) == ([], True, False)


def test_plain_json_with_prefixed_keys_is_not_meant_as_rdf() -> None:
    document = read(b'{"dc:title": "x"}', URL, "application/json")
    assert (document.any, document.strict) == (True, False)


@pytest.mark.parametrize(
    "broken",
    [
        '{"@context": {"n": "http://ex.org/n"}, "n": "A",}',
        '// a comment\n{"@context": {"n": "http://ex.org/n"}, /* no */ "n": "A"}',
        '<!-- {"@context": {"n": "http://ex.org/n"}, "n": "A"} -->',
        '{"@context": {"n": "http://ex.org/n"}, "n": "line\nbreak"}',
        '{"@context": {"n": "http://ex.org/n"}, "n": "A"}}',
        '{"@context": {"n": "http://ex.org/n"}, "n": "A"};',
    ],
)
def test_broken_json_ld_is_mended_where_that_is_safe(broken: str) -> None:
    document = read(script(broken), URL, "text/html")
    assert document.mended
    assert [str(t.predicate.value) for t in document.triples] == ["http://ex.org/n"]


def test_mending_leaves_what_stands_in_quotes_alone() -> None:
    text = '{"@context": {"n": "http://ex.org/n"}, "n": "a // b, /* c */ ,}",}'
    (triple,) = read(script(text), URL, "text/html").triples
    assert getattr(triple.object, "value", "") == "a // b, /* c */ ,}"


def test_one_bad_block_does_not_spoil_a_page() -> None:
    body = script("{ not json at all") + script('{"@id": "http://a.org/", "http://b.org/": 1}')
    document = read(body, URL, "text/html")
    assert len(document.triples) == 1
    assert document.broken


def test_a_remote_context_that_is_not_at_hand_is_named_and_its_terms_are_its_own() -> None:
    text = '{"@context": "https://ctx.example/v1", "@id": "http://a.org/1", "name": "A"}'
    document = read(text.encode(), URL, "application/ld+json")
    assert document.contexts == ("https://ctx.example/v1",)
    assert str(document.triples[0].predicate.value) == "https://ctx.example/v1#name"


def test_a_context_at_hand_is_used_with_the_prefixes_that_its_terms_need() -> None:
    context = {"ex": "http://ex.org/", "name": "ex:name", "unused": "ex:unused"}
    text = '{"@context": "https://ctx.example/v1", "@id": "http://a.org/1", "name": "A"}'
    at_hand = {"ctx.example/v1": context}
    document = read(text.encode(), URL, "application/ld+json", contexts=at_hand)
    assert document.contexts == ()
    assert str(document.triples[0].predicate.value) == "http://ex.org/name"


def test_no_more_triples_are_read_than_are_wanted() -> None:
    document = read(
        NT + b"".join(b"<a:%d> <a:b> <a:c> .\n" % n for n in range(50)), URL, "", most=10
    )
    assert len(document.triples) == 10
    assert document.full


def test_entities_that_expand_without_end_are_refused() -> None:
    laughs = b"".join(
        b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10 if n else b"lol") for n in range(10)
    )
    body = XML.replace(b"<rdf:RDF", b"<!DOCTYPE x [" + laughs + b"]><rdf:RDF", 1).replace(
        b">A<", b">&l9;<"
    )
    document = read(body, URL, "application/rdf+xml")
    assert not document.triples
    assert "entities" in document.broken


def test_entities_that_abbreviate_namespaces_are_read() -> None:
    custom = b'<!DOCTYPE rdf:RDF [<!ENTITY a "http://a.org/"><!ENTITY b "&a;b/">]><rdf:RDF'
    body = XML.replace(b"<rdf:RDF", custom, 1).replace(b"http://a.org/1", b"&b;1")
    (triple,) = read(body, URL, "application/rdf+xml").triples
    assert getattr(triple.subject, "value", "") == "http://a.org/b/1"


def test_json_nested_without_end_is_an_error_not_a_crash() -> None:
    document = read(b'{"@context": {}, "a": ' + b"[" * 100_000, URL, "application/ld+json")
    assert document.broken
    deep = json.dumps({"@id": "a:b"}).encode()
    for _ in range(400):
        deep = b'{"http://a.org/b": ' + deep + b"}"
    assert read(deep, URL, "application/ld+json").broken


def test_a_relative_iri_in_a_page_is_resolved_by_its_base() -> None:
    body = page('<base href="http://other.example/"><p about="x" property="dc:title">T</p>')
    (triple,) = read(body, URL, "text/html").triples
    assert str(getattr(triple.subject, "value", "")) == "http://other.example/x"


def test_a_deeply_nested_page_does_not_exhaust_the_stack() -> None:
    body = page("<div>" * 5000 + '<p property="dc:title">T</p>')
    assert read(body, URL, "text/html").any


def test_rules_and_quoted_formulas_of_n3_are_no_triples() -> None:
    body = (
        b"@prefix : <http://ex.org/> . { ?x :knows ?y } => { ?y :knows ?x } . "
        b":tom :says { :earth a :Disc } . :tom :knows :ann ."
    )
    document = read(body, URL, "text/n3")
    told = {str(triple) for triple in document.triples}
    assert "<http://ex.org/tom> <http://ex.org/knows> <http://ex.org/ann>" in told
    assert not any("earth" in triple for triple in told)
    assert document.strict
    assert not document.broken


def test_graphs_of_trig_and_nquads_become_that_of_the_document() -> None:
    trig = b"@prefix : <http://ex.org/> . :g { :a :b :c } :d :e :f ."
    nquads = b"<http://ex.org/a> <http://ex.org/b> <http://ex.org/c> <http://ex.org/g> .\n"
    assert len(read(trig, URL, "application/trig").triples) == 2
    assert len(read(nquads, URL, "application/n-quads").triples) == 1
