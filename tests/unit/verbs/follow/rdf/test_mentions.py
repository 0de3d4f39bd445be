from filon.verbs.follow.rdf.mentions import mentions, siblings
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.strategies.brief import ROLES

GRAPH = read(
    b"""@prefix ex: <http://ex.org/v#> .
    <http://a.org/doc#me> a ex:Person ; ex:knows <http://b.org/1>, <http://b.org/2>, _:x ;
        ex:name "A" ; ex:mail <mailto:a@a.org> .
    <http://b.org/2> ex:knows <http://a.org/doc#you> .""",
    "http://a.org/doc",
    "text/turtle",
).triples


def test_a_document_is_mentioned_once_however_many_of_its_parts_are() -> None:
    found = {one.document: one for one in mentions(GRAPH, ROLES)}
    assert found["http://a.org/doc"].uri == "http://a.org/doc#me"
    assert found["http://a.org/doc"].roles == ["subject", "object"]
    assert found["http://b.org/2"].properties == ["http://ex.org/v#knows"]


def test_only_the_roles_that_are_wanted_count() -> None:
    assert [one.document for one in mentions(GRAPH, ["type"])] == ["http://ex.org/v"]
    assert "http://ex.org/v" not in {one.document for one in mentions(GRAPH, ["subject", "object"])}


def test_what_is_not_on_the_web_is_not_mentioned() -> None:
    assert not any("mailto" in one.document for one in mentions(GRAPH, ROLES))


def test_siblings_share_a_property_and_a_subject_or_an_object() -> None:
    found = siblings(GRAPH, ["http://b.org/1", "http://a.org/doc#you"])
    assert found == {"http://b.org/1": ["http://b.org/2"], "http://a.org/doc#you": []}
