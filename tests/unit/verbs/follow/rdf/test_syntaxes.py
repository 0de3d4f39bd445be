"""Which syntax a document is taken for."""

import pytest

from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.rdf.syntaxes import guesses


@pytest.mark.parametrize("body", [b"[] a <#b> .", b"[ a <#b> ] .", b"[\n a <#b> ; <#c> [] ] ."])
def test_turtle_that_begins_with_a_blank_node_is_not_json(body: bytes) -> None:
    assert read(body, "http://a.example/", "text/turtle").syntaxes == ["turtle"]


@pytest.mark.parametrize(
    "body", [b'[{"@id": "#a", "@type": "#b"}]', b'{"@id": "#a", "@type": "#b"}']
)
def test_json_that_calls_itself_turtle_is_json(body: bytes) -> None:
    assert read(body, "http://a.example/", "text/turtle").syntaxes == ["jsonld"]


STATEMENTS = {
    "a triple": b"<< <http://a.org/s> <http://a.org/p> 1 >> <http://a.org/q> 2 .",
    "a spaced IRI": b"<http://a.org/b c> <http://a.org/p> 1 .",
    "a spaced IRI and more lines": b"<http://a.org/b c>\n  <http://a.org/p> <http://a.org/d e> .",
    "an IRI, and HTML in a text": b'<http://a.org/b> <http://a.org/p> "see <html> for this" .',
    "a comment on HTML": b"# from <html> pages\n<http://a.org/b> <http://a.org/p> 1 .",
    "nothing": b"<> <http://a.org/p> 1 .",
    "a relative name": b"<b> <p> <c> .",
}


@pytest.mark.parametrize("body", STATEMENTS.values(), ids=STATEMENTS)
@pytest.mark.parametrize("mime", ["text/turtle", "text/plain", "application/n-triples", ""])
def test_turtle_that_begins_with_an_angle_bracket_is_not_html(body: bytes, mime: str) -> None:
    document = read(body, "http://a.example/", mime)
    assert document.triples
    assert not document.broken


@pytest.mark.parametrize("body", [b"<b><p><c>.", b"<b>\n<p>\n<c>."])
def test_names_without_spaces_between_are_turtle_where_the_type_says_so(body: bytes) -> None:
    assert read(body, "http://a.example/", "text/turtle").triples


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><p property='http://a.org/p'>x</p>",
        b"<!-- a page --><html><p property='http://a.org/p'>x</p></html>",
        b"<?xml version='1.0'?>\n<html><p property='http://a.org/p'>x</p></html>",
        b"<div>\n<p property='http://a.org/p'>x</p></div>",
        b"Warning: no database\n<html><p property='http://a.org/p'>x</p></html>",
    ],
)
def test_a_page_is_a_page(body: bytes) -> None:
    assert read(body, "http://a.example/", "text/html").syntaxes == ["rdfa"]


def test_a_page_that_calls_itself_turtle_is_a_page() -> None:
    body = b"<!DOCTYPE html><html><p property='http://a.org/p'>Not found</p></html>"
    assert guesses(body, "text/turtle", "http://a.example/x.ttl") == ["html"]


def test_graphs_with_names_are_read_where_turtle_was_announced() -> None:
    body = b"<http://a.org/g> { <http://a.org/s> <http://a.org/p> 1 }"
    document = read(body, "http://a.example/", "text/turtle")
    assert (document.syntaxes, document.broken) == (["trig"], "")
