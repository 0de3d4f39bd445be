"""RDFa 1.1 in HTML5: the W3C's cases."""

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from selectolax.lexbor import LexborHTMLParser

from filon.verbs.follow.rdf.limits import Allowance
from filon.verbs.follow.rdf.rdfa import Literal, Triple, rdfa

BASE = "http://rdfa.info/test-suite/test-cases/rdfa1.1/html5/"


def term(node: str) -> ox.NamedNode | ox.BlankNode:
    return ox.BlankNode("b" + node[2:]) if node.startswith("_:") else ox.NamedNode(node)


def value(node: "str | Literal") -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(node, str):
        return term(node)
    if node.datatype:
        return ox.Literal(node.value, datatype=ox.NamedNode(node.datatype))
    return ox.Literal(node.value, language=node.language or None)


def store(triples: list[Triple]) -> ox.Store:
    graph = ox.Store()
    for subject, predicate, object_ in triples:
        graph.add(ox.Quad(term(subject), ox.NamedNode(predicate), value(object_)))
    return graph


def failures(folder: Path) -> list[str]:
    failed = []
    for case in json.loads((folder / "manifest.json").read_text()):
        number = case["num"]
        page = folder / "html5" / f"{number}.html"
        query = page.with_suffix(".sparql").read_text()
        try:
            parser = LexborHTMLParser(page.read_bytes())
            found = rdfa(parser, f"{BASE}{number}.html", Allowance(10_000), 10_000)
            answer = bool(store(found).query(query))
        except (ValueError, SyntaxError):
            answer = not case["expected"]
        if answer != case["expected"]:
            failed.append(f"{number} {case['title']}")
    return failed


def test_at_least_165_of_the_170_cases_pass(shared: Path) -> None:
    assert len(failures(shared / "data/conformance/rdfa")) <= 5


if __name__ == "__main__":
    pytest.main([__file__])
