"""Terms are written so that any store takes them."""

from urllib.parse import unquote

import pyoxigraph as ox
import pytest

from filon.verbs.follow.graph.terms import Terms, iri, literal

P = ox.NamedNode("http://a.org/p")


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
    odd = [kept.triple(ox.Triple(ox.BlankNode(n), P, P)) for n in ("a.b", "a-b", "a_b", "ab")]
    assert len(set(odd)) == 4
    for line in odd:
        assert parsed(line)
