from typing import Any

from filon.verbs.follow.rdf.results import rows


def row(subject: dict[str, str], value: dict[str, str]) -> dict[str, Any]:
    return {"s": subject, "p": {"type": "uri", "value": "http://a.org/p"}, "o": value}


def test_labels_of_blank_nodes_stay_different_and_alike() -> None:
    labels = ["b1", "b-1", "b_1", "nodeID://b1", "nodeID://b-1", "b 1", "_:b1", "\xe9"]
    bindings = [
        row({"type": "bnode", "value": one}, {"type": "literal", "value": one}) for one in labels
    ]
    subjects = [str(triple.subject) for triple in rows({"results": {"bindings": bindings}})]
    assert len(subjects) == len(labels)
    assert subjects[0] == subjects[6]
    assert len(set(subjects)) == len(labels) - 1


def test_rows_that_are_no_triples_are_passed_over() -> None:
    literal = {"type": "literal", "value": "x", "xml:lang": "not a language"}
    good = {"type": "typed-literal", "value": "1", "datatype": "http://a.org/int"}
    subject = {"type": "uri", "value": "http://a.org/s"}
    bindings = [row(subject, literal), row(literal, good), {}, 7, row(subject, good)]
    (triple,) = rows({"results": {"bindings": bindings}})
    assert str(triple.object) == '"1"^^<http://a.org/int>'
