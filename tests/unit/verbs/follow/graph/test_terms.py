"""Terms are written so that any store takes them."""

from urllib.parse import unquote

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.verbs.follow.graph.terms import Terms, iri, literal
from filon.verbs.follow.rdf.names import RDF

P = ox.NamedNode("http://a.org/p")
#: Labels of blank nodes: "\xe9" in hexadecimal digits is c3a9, and "x" may begin one.
ODD = ("a.b", "a-b", "a_b", "ab", "\xe9", "c3a9", "xc3a9")


def parsed(line: str) -> list[ox.Quad]:
    return list(ox.parse(input=f"{line} <http://g.org/> .\n", format=ox.RdfFormat.N_QUADS))


@pytest.mark.parametrize(
    "value",
    ["http://a.org/b c", "http://a.org/{x}", 'http://a.org/"<>', "http://a.org/a\\b", "http://ä/ü"],
)
def test_what_must_not_stand_in_an_iri_is_escaped(value: str) -> None:
    (quad,) = parsed(f'{iri(value)} <http://a.org/p> "1"')
    assert unquote(str(quad.subject)) == f"<{value}>"


def test_a_space_that_a_lenient_reader_let_pass_is_escaped() -> None:
    said = b"<http://a.org/b c> <http://a.org/p> <http://a.org/{x}> ."
    (read,) = ox.parse(input=said, format=ox.RdfFormat.TURTLE, lenient=True)
    (quad,) = parsed(Terms("d1").triple(read.triple))
    assert str(quad.subject) == "<http://a.org/b%20c>"


@pytest.mark.parametrize(
    "value",
    [
        *("http://a.org/#b#c", "http://a.org/%zz", "http://a.org/100%", "http://a.org/[x]"),
        *("http://[bad/", "http://a:x/", "http://a@b@c/", "a:b c", "http://a.org/\x85", "x:%"),
        *("http://a.org/\ue000", "http://a.org/\ufffe", "http://a.org/?\U0001fffe", "HTTP://a b:8"),
    ],
)
def test_what_no_strict_reader_takes_for_an_iri_is_mended(value: str) -> None:
    assert parsed(f'{iri(value)} <http://a.org/p> "1"')


@given(st.text(), st.sampled_from(["", "http://", "http://a.org/", "urn:", "x:?", "x:#"]))
def test_whatever_an_iri_is_made_of_a_strict_reader_takes_it(text: str, before: str) -> None:
    written = iri(before + text)
    assert not written or parsed(f"{written} {written} {written}")
    assert written or not before.endswith(("/", "urn:"))


@given(st.text(max_size=20), st.text(max_size=12))
def test_whatever_a_literal_claims_to_be_a_strict_reader_takes_it(text: str, claim: str) -> None:
    body = text.replace("\\", "").replace('"', "").replace("\n", "").replace("\r", "")
    for claimed in (f"@{claim}", f"^^<x:{claim}>", f"^^<{claim}>"):
        said = f'<x:s> <x:p> "{body}"{claimed} .'.encode("utf-8", "replace")
        try:
            quads = list(ox.parse(input=said, format=ox.RdfFormat.TURTLE, lenient=True))
        except SyntaxError:
            continue
        for quad in quads:
            line = Terms("d1").triple(quad.triple)
            assert not line or parsed(line)


@pytest.mark.parametrize("kind", ["langString", "dirLangString", "XMLLiteral", "nil"])
def test_a_type_that_needs_a_language_is_left_out(kind: str) -> None:
    said = f'<x:s> <x:p> "x"^^<{RDF}{kind}>, "y"@ar--rtl, "z"@a-b .'
    for quad in ox.parse(input=said, format=ox.RdfFormat.TURTLE, lenient=True):
        (back,) = parsed(Terms("d1").triple(quad.triple))
        assert isinstance(back.object, ox.Literal)
        assert isinstance(quad.object, ox.Literal)
        assert back.object.value == quad.object.value
    assert "--" not in literal(ox.Literal("y", language="ar", direction=ox.BaseDirection.RTL))


def test_a_relative_iri_is_left_out() -> None:
    assert iri("b") == ""
    assert iri("") == ""


@pytest.mark.parametrize("text", ['a "b"\n\t\\', "\x01\x7f", "ünïcode 😀", ""])
def test_a_literal_comes_back_as_it_was(text: str) -> None:
    for term in (
        ox.Literal(text),
        ox.Literal(text, language="de-CH"),
        ox.Literal(text, datatype=P),
    ):
        (quad,) = parsed(f"<http://a.org/s> <http://a.org/p> {literal(term)}")
        assert quad.object == term


def test_blank_nodes_are_numbered_as_they_appear() -> None:
    triples = [
        ox.Triple(ox.BlankNode("x"), P, ox.BlankNode("y")),
        ox.Triple(ox.BlankNode("y"), P, ox.BlankNode("x")),
    ]
    terms = Terms("d7")
    assert [terms.triple(t) for t in triples] == [
        "_:d7b1 <http://a.org/p> _:d7b2",
        "_:d7b2 <http://a.org/p> _:d7b1",
    ]
    kept = Terms("d7", steady=False)
    assert kept.triple(triples[0]) == "_:d7bx <http://a.org/p> _:d7by"
    skolem = Terms("d7", skolem="urn:x#")
    assert skolem.triple(triples[0]) == "<urn:x#d7b1> <http://a.org/p> <urn:x#d7b2>"


def test_odd_labels_of_a_dump_stay_different() -> None:
    kept = Terms("d1", steady=False)
    odd = [kept.triple(ox.Triple(ox.BlankNode(n), P, P)) for n in ODD]
    assert len(set(odd)) == len(ODD)
    for line in odd:
        assert parsed(line)
