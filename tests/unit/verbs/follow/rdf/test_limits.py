"""What nests without end is read in a time that grows with its length, and ends no process."""

import io
import json
from collections.abc import Callable

import pytest

from filon.verbs.follow.rdf import limits
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.dump import Dump
from filon.verbs.follow.rdf.limits import DEEPEST, Shallow, explode, shallow_page
from filon.verbs.follow.rdf.reader import read

URL = "http://a.example/x"
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://v.example/"'


def xml(inside: str) -> bytes:
    return f"<rdf:RDF {RDF}>{inside}</rdf:RDF>".encode()


def page(inside: str) -> bytes:
    return f"<!doctype html><html><body>{inside}</body></html>".encode()


def prefixes(n: int) -> str:
    return "".join(f'<i prefix="a{k}: http://a.example/{k}" property="a{k}:p">x' for k in range(n))


def relations(n: int) -> str:
    words = " ".join(f"http://v.example/{k}" for k in range(n))
    return f'<div rel="{words}">' + '<p about="http://x.example/"></p>' * n


def patterns(n: int) -> str:
    chain = (
        f'<div resource="#{k}" typeof="rdfa:Pattern"><p property="http://v.example/p{k}">x</p>'
        f'<link property="rdfa:copy" href="#{k + 1}"></div>'
        for k in range(n)
    )
    return "".join(chain) + '<div typeof="http://v.example/C"><link property="rdfa:copy" href="#0">'


def entities(n: int) -> bytes:
    chain = "".join(f'<!ENTITY e{k} "&e{k + 1};">' for k in range(n))
    return f"<!DOCTYPE r [{chain}]>".encode() + xml("<v:C/>")


def knots(n: int) -> str:
    """Items that refer to each other: read anew each time, they would be 2^50."""
    item = '<div id="{}" itemscope itemprop="p" itemref="a b">x</div>'
    return '<div itemscope itemref="a b"></div>' + item.format("a") + item.format("b") * n


#: Documents of some megabytes that took minutes, or that ended the process: each by its size.
DEEP: dict[str, tuple[str, Callable[[int], bytes], int]] = {
    "nodes in RDF/XML": (
        "application/rdf+xml",
        lambda n: xml("<rdf:Description><v:p>" * n + "x" + "</v:p></rdf:Description>" * n),
        100_000,
    ),
    "namespaces in RDF/XML": (
        "application/rdf+xml",
        lambda n: xml("".join(f'<v:C xmlns:n{k}="http://n/{k}"><v:p>' for k in range(n))),
        50_000,
    ),
    "attributes in RDF/XML": (
        "application/rdf+xml",
        lambda n: xml("<v:C " + " ".join(f'v:a{k}="x"' for k in range(n)) + "/>"),
        200_000,
    ),
    "entities in RDF/XML": ("application/rdf+xml", entities, 50_000),
    "properties in RDFa": ("text/html", lambda n: page('<div property="v:p">x' * n), 100_000),
    "phrases in RDFa": ("text/html", lambda n: page('<span property="dc:p">x' * n), 100_000),
    "types in RDFa": ("text/html", lambda n: page('<div typeof="v:C" rel="dc:p">x' * n), 100_000),
    "markup in RDFa": (
        "text/html",
        lambda n: page('<span property="dc:p" datatype="rdf:HTML">x' * n),
        50_000,
    ),
    "prefixes in RDFa": ("text/html", lambda n: page(prefixes(n)), 50_000),
    "relations in RDFa": ("text/html", lambda n: page(relations(n)), 3_000),
    "patterns in RDFa": ("text/html", lambda n: page(patterns(n)), 5_000),
    "items in microdata": (
        "text/html",
        lambda n: page('<div itemscope itemprop="p" itemtype="http://v.example/C">x' * n),
        100_000,
    ),
    "properties in microdata": (
        "text/html",
        lambda n: page("<div itemscope>" + '<b itemprop="p">x' * n),
        100_000,
    ),
    "items that refer to each other": ("text/html", lambda n: page(knots(n)), 1_000),
    "triples in Turtle": (
        "text/turtle",
        lambda n: b"<x:a> <x:p> " + b"<<( <x:a> <x:p> " * n + b"1" + b" )>>" * n + b" .",
        100_000,
    ),
    "blank nodes in Turtle": (
        "text/turtle",
        lambda n: b"<x:a> <x:p> " + b"[ <x:p> " * n + b"1" + b" ]" * n + b" .",
        100_000,
    ),
    "objects in JSON-LD": (
        "application/ld+json",
        lambda n: b'{"x:p":' * n + b"1" + b"}" * n,
        100_000,
    ),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", DEEP)
def test_what_nests_without_end_is_read_in_time(name: str) -> None:
    mime, make, size = DEEP[name]
    document = read(make(size), URL, mime, most=200_000)
    assert isinstance(document, Document)
    assert len(document.triples) <= 200_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", [name for name in DEEP if DEEP[name][0] != "text/html"])
def test_a_dump_that_nests_without_end_is_read_in_time(name: str) -> None:
    mime, make, size = DEEP[name]
    dump = Dump(io.BytesIO(make(size)), URL, mime, most=200_000)
    assert sum(1 for _ in dump) <= 200_000


@pytest.mark.parametrize("name", DEEP)
def test_what_nests_as_people_write_it_is_read_whole(name: str) -> None:
    mime, make, _ = DEEP[name]
    if name != "items that refer to each other":
        document = read(make(20), URL, mime)
        assert document.any or name.startswith(("items", "entities"))
        assert not document.broken or name.startswith(("namespaces", "entities"))


def test_what_stands_before_the_limit_is_kept_and_the_fault_is_told() -> None:
    first = '<rdf:Description rdf:about="http://a.example/"><v:p>1</v:p></rdf:Description>'
    document = read(xml(first + "<v:C><v:p>" * 5_000), URL, "application/rdf+xml")
    assert len(document.triples) >= 1
    assert document.broken == f"elements nest more than {DEEPEST} deep"


def test_plain_elements_deep_down_go_and_what_is_in_them_stays() -> None:
    body = page("<div>" * 5_000 + '<p property="dc:title">T</p>' + "</div>" * 5_000 + "<p>end")
    cut, fault = shallow_page(body)
    assert not fault
    assert cut.count(b"<div>") == cut.count(b"</div>") < 600
    assert cut.endswith(b"<p>end</body></html>")


def test_many_elements_in_a_row_are_not_deep() -> None:
    body = page('<ul><li property="dc:title">x' * 1 + '<li property="dc:title">x' * 5_000)
    document = read(body, URL, "text/html")
    assert (len(document.triples), document.broken) == (5_001, "")


def test_triples_within_triples_are_counted_across_lines_and_not_in_texts() -> None:
    fair = b'<< <x:a> <x:p> "<<( <<( <<(" >> <x:q> 1 .\n' * 2_000
    assert not Shallow(iter([fair]), "turtle").fault
    assert b"".join(Shallow(iter([fair]), "turtle")) == fair
    hidden = Shallow(iter([b"<<( <x:a> <x:p>\n # )>>\n" * 2_000]), "turtle")
    assert len(b"".join(hidden)) < 2_000 * 25
    assert hidden.fault


def test_entities_that_are_defined_in_each_other_do_not_explode_unseen() -> None:
    laughs = b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 9))
    assert explode(b'<!DOCTYPE r [<!ENTITY a0 "ha">' + laughs + b"]><r>&a8;</r>")
    assert explode(b'<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "&a;">]><r>&a;</r>')


def test_a_page_of_far_too_many_tags_is_read_up_to_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_TAGS", 8_000)
    body = page('<p property="dc:title">x</p>' * 6_000)
    document = read(body, URL, "text/html")
    assert 2_000 < len(document.triples) <= 8_000
    assert document.broken == "it has more than 8,000 tags"


def test_of_a_long_list_in_json_no_more_is_looked_at_than_is_wanted() -> None:
    listed = [{"@id": f"x:{n}", "x:p": "v"} for n in range(1_000)]
    for value in (listed, {"@graph": listed}):
        document = read(json.dumps(value).encode(), URL, "application/ld+json", most=10)
        assert len(document.triples) == 10
        assert document.full
