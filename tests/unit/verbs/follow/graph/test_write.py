"""What a run has followed, written from its archive: documents, dumps, contexts, figures."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from filon.core import Find, Reason, Request, Response, Step, UserError
from filon.run.folder import RunFolder
from filon.verbs.follow.graph import read_tally, statements, write_graph
from filon.verbs.follow.summary import followed
from linkedweb import Quad, quads

TURTLE = (("Content-Type", "text/turtle"),)


class Nothing:
    """A strategy that has nothing to say."""

    def propose(self) -> None:
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        return []

    def state(self) -> dict[str, object]:
        return {"version": 1}

    def restore(self, state: dict[str, object]) -> None:
        return None

    def summary(self) -> dict[str, object]:
        return {"skipped": {"covered": 4, "robots": 0}}


def record(
    run: RunFolder, url: str, response: Response, *, kind: str = "link", found: bool = True
) -> None:
    step = Step(request=Request(url=url), reason=Reason(kind=kind))
    find = Find(kind="graph", url=url, name=url, mime=response.mime)
    run.record(run.begin(step), step, response, [find] if found else [], idle=False)


def answer(
    url: str, body: bytes, headers: tuple[tuple[str, str], ...] = TURTLE, spool: str = ""
) -> Response:
    return Response(
        url=url, status=200, headers=headers, body=body, size_bytes=len(body), at_s=1e9, spool=spool
    )


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", {"verb": "follow", "url": "http://a.org/"})


def graph(run: RunFolder) -> list[Quad]:
    run.finish("exhausted", Nothing())
    run.close()
    return quads(write_graph(run.path))


def test_a_dump_that_was_kept_as_a_file_is_read_to_its_end(run: RunFolder) -> None:
    lines = b"".join(b"<http://a.org/%d> <http://a.org/p> _:x%d .\n" % (n, n) for n in range(5000))
    packed = gzip.compress(lines)
    spool = run.spool_dir / "1"
    spool.parent.mkdir()
    spool.write_bytes(packed)
    url = "http://a.org/all.nt.gz"
    headers = (("Content-Type", "application/gzip"),)
    record(run, url, answer(url, packed[:200], headers, spool=str(spool)))
    found = graph(run)
    assert len(found) == 5000
    assert {quad.graph for quad in found} == {url}
    assert len({quad.object for quad in found}) == 5000
    tally = read_tally(run.path)
    assert (tally.documents, tally.triples, dict(tally.syntaxes)) == (1, 5000, {"nt": 1})


def test_a_fetched_context_gives_terms_their_names(run: RunFolder) -> None:
    json_type = (("Content-Type", "application/ld+json"),)
    document = {"@context": "http://c.org/v1", "@id": "http://a.org/x", "name": "X"}
    record(
        run, "http://a.org/x", answer("http://a.org/x", json.dumps(document).encode(), json_type)
    )
    moved = Response(url="http://c.org/v1", status=301, headers=(("Location", "/v2"),), at_s=1e9)
    record(run, "http://c.org/v1", moved, kind="context", found=False)
    context = json.dumps({"@context": {"name": "http://names.org/name"}}).encode()
    there = answer("http://c.org/v2", context, json_type)
    record(run, "http://c.org/v2", there, kind="context", found=False)
    (quad,) = graph(run)
    assert quad.predicate == "http://names.org/name"


def test_pages_of_an_endpoint_are_graphs_of_their_own(run: RunFolder) -> None:
    row = {
        "s": {"type": "uri", "value": "http://a.org/x"},
        "p": {"type": "uri", "value": "http://a.org/p"},
        "o": {"type": "literal", "value": "X", "xml:lang": "en"},
    }
    results = {"head": {"vars": ["s", "p", "o"]}, "results": {"bindings": [row]}}
    url, page = "http://a.org/sparql", "http://a.org/sparql?query=SELECT%20%2A"
    headers = (("Content-Type", "application/sparql-results+json"),)
    response = answer(url, json.dumps(results).encode(), headers)
    step = Step(request=Request(url=url, method="POST"), reason=Reason(kind="sparql"))
    find = Find(kind="graph", url=page, name=url, mime=response.mime)
    run.record(run.begin(step), step, response, [find], idle=False)
    assert graph(run) == [Quad("http://a.org/x", "http://a.org/p", "X", page)]


def test_graphs_keep_their_names_where_that_is_asked_for(tmp_path: Path) -> None:
    trig = b"<http://g.org/1> { <http://a.org/x> <http://a.org/p> 1 } <http://a.org/y> <x:p> 2 ."
    packed = gzip.compress(b"<http://a.org/z> <http://a.org/p> _:b <http://g.org/2> .\n")
    json_ld = json.dumps({"@id": "http://g.org/3", "@graph": [{"@id": "x:a", "x:p": "v"}]}).encode()
    names = {}
    for graphs in ("document", "original"):
        config = {"verb": "follow", "url": "http://a.org/", "graphs": graphs}
        run = RunFolder.create(tmp_path / graphs, config)
        record(
            run,
            "http://a.org/t",
            answer("http://a.org/t", trig, (("Content-Type", "application/trig"),)),
        )
        record(run, "http://a.org/n.nq.gz", answer("http://a.org/n.nq.gz", packed, ()))
        record(
            run,
            "http://a.org/j",
            answer("http://a.org/j", json_ld, (("Content-Type", "application/ld+json"),)),
        )
        names[graphs] = [quad.graph for quad in graph(run)]
    own = ["http://a.org/t", "http://a.org/t", "http://a.org/n.nq.gz", "http://a.org/j"]
    assert names["document"] == own
    assert names["original"] == ["http://g.org/1", own[1], "http://g.org/2", "http://g.org/3"]
    told = (tmp_path / "original" / "provenance.nq").read_text("utf-8")
    derived = "<http://g.org/1> <http://www.w3.org/ns/prov#wasDerivedFrom> <http://a.org/t>"
    assert derived in told


def page_of(run: RunFolder, number: int, body: bytes, mime: str = "application/n-triples") -> None:
    url = f"http://a.org/sparql?query={number}"
    step = Step(request=Request(url=url), reason=Reason(kind="sparql"))
    response = answer(url, body, (("Content-Type", mime),))
    find = Find(kind="graph", url=url, name="http://a.org/sparql", mime=mime)
    run.record(run.begin(step), step, response, [find], idle=False)


def test_a_blank_node_is_the_same_on_all_pages_of_an_endpoint(run: RunFolder) -> None:
    label = b"_:f00dfeed12345678f00dfeed12345678"
    page_of(run, 1, label + b' <x:street> "High Street" .\n')
    page_of(run, 2, b"<x:me> <x:address> " + label + b" .\n")
    record(run, "http://b.org/", answer("http://b.org/", label + b" <x:p> 1 ."))
    one, other, elsewhere = graph(run)
    assert one.subject == other.object != elsewhere.subject


def test_labels_that_are_counted_anew_on_every_page_are_of_their_page(run: RunFolder) -> None:
    page_of(run, 1, b'_:b0 <x:street> "High Street" .\n')
    page_of(run, 2, b'_:b0 <x:street> "Low Street" .\n')
    one, other = graph(run)
    assert one.subject != other.subject


def test_classes_predicates_and_hosts_are_counted(run: RunFolder) -> None:
    body = b"@prefix v: <http://v.org/#> . <x> a v:A . <y> a v:A ; v:p 1 , 2 ."
    record(run, "http://a.org/", answer("http://a.org/", body))
    record(run, "http://b.org/", answer("http://b.org/", b"<x> <http://v.org/#p> 3 . <x> oops"))
    graph(run)
    told = followed(run.path)
    tally = told.tally
    assert tally.classes == {"http://v.org/#A": 2}
    assert tally.predicates["http://v.org/#p"] == 3
    assert tally.vocabularies["http://v.org/#"] == 5
    assert tally.host_triples == {"a.org": 4, "b.org": 1}
    assert (tally.broken_count, tally.broken[0][0]) == (1, "http://b.org/")
    lines = str(told)
    assert "5 triples in 2 documents of 2 hosts with 2 requests" in lines
    assert "4  told by a dump or an endpoint already" in lines
    assert "1 document could be read only in part" in lines


def test_documents_that_cannot_be_read_are_listed_with_why(run: RunFolder) -> None:
    xml, packed = (("Content-Type", "application/rdf+xml"),), (("Content-Type", "application/zip"),)
    record(run, "http://a.org/", answer("http://a.org/", b"<x> <http://v.org/#p> 3 ."))
    broken = {
        "http://b.org/ttl": answer("http://b.org/ttl", b"<x> oops"),
        "http://b.org/rss": answer("http://b.org/rss", b"<?xml version='1.0'?><rss/>", xml),
        "http://b.org/page": answer("http://b.org/page", b"<!doctype html><p>Log in</p>"),
        "http://b.org/x.nt.gz": answer("http://b.org/x.nt.gz", b"\x1f\x8b\x08oops", packed),
        "http://b.org/long": replace(answer("http://b.org/long", b""), cut="size", size_bytes=9000),
    }
    for url, response in broken.items():
        record(run, url, response, found=False)
    page = answer(
        "http://b.org/html", b"<!doctype html><p>no RDF", (("Content-Type", "text/html"),)
    )
    record(run, page.url, page, found=False)
    assert len(graph(run)) == 1
    summary = followed(run.path)
    assert dict(summary.tally.unreadable).keys() == broken.keys()
    assert all(why for _, why in summary.tally.unreadable)
    assert summary.as_object()["unreadable"] == len(broken)
    assert "5 documents could not be read" in str(summary)
    assert summary.tally.accidental == 0
    told = (run.path / "provenance.nq").read_text("utf-8")
    assert all(f"<{url}> <urn:filon:broken>" in told for url in broken)


def test_writing_again_gives_the_same_bytes(run: RunFolder) -> None:
    body = b"@prefix v: <http://v.org/#> . [] v:p [ v:q [] ] ; v:r ( 1 2 ) ."
    record(run, "http://a.org/", answer("http://a.org/", body))
    graph(run)
    first = (run.path / "graph.nq").read_bytes()
    write_graph(run.path)
    assert (run.path / "graph.nq").read_bytes() == first
    assert not list(run.path.glob(".*.part"))


def test_a_run_of_another_verb_has_no_graph(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", {"verb": "harvest", "url": "http://a.org/"})
    run.close()
    with pytest.raises(UserError, match="no run of filon follow"):
        list(statements(run.path))
