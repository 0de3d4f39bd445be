"""Which syntax a document is taken for."""

import pytest

from filon.verbs.follow.rdf.reader import read


@pytest.mark.parametrize("body", [b"[] a <#b> .", b"[ a <#b> ] .", b"[\n a <#b> ; <#c> [] ] ."])
def test_turtle_that_begins_with_a_blank_node_is_not_json(body: bytes) -> None:
    assert read(body, "http://a.example/", "text/turtle").syntaxes == ["turtle"]


@pytest.mark.parametrize(
    "body", [b'[{"@id": "#a", "@type": "#b"}]', b'{"@id": "#a", "@type": "#b"}']
)
def test_json_that_calls_itself_turtle_is_json(body: bytes) -> None:
    assert read(body, "http://a.example/", "text/turtle").syntaxes == ["jsonld"]
