"""The triples of a run, handed on: whatever the web said, a store takes them."""

from pathlib import Path

import pyoxigraph as ox

from filon.core import Find, Reason, Request, Response, Step
from filon.run.folder import RunFolder
from filon.verbs.follow.export import quads, write_nquads, write_store
from filon.verbs.follow.graph import write_graph

URL = "http://a.example/odd"
#: Lenient readers take all of it.
ODD = b"""<http://a.example/#b#c> <http://v.example/p q> "x"@a-b, <http://[bad/>, <http://a:x/> .
<http://a.example/100%> <http://v.example/p> "y"^^<http://v.example/[t]>, "z"@ar--rtl, _:b .
"""


def made(folder: Path) -> Path:
    run = RunFolder.create(folder, {"verb": "follow", "url": URL})
    headers = (("Content-Type", "text/turtle"), ("ETag", '"\x01 "'))
    response = Response(
        url=URL, status=200, headers=headers, body=ODD, size_bytes=len(ODD), at_s=1e9
    )
    step = Step(request=Request(url=URL), reason=Reason(kind="start"))
    find = Find(kind="graph", url=URL, name=URL, mime="text/turtle")
    run.record(run.begin(step), step, response, [find], idle=False)
    run.close()
    write_graph(folder)
    return folder


def test_an_oxigraph_store_takes_what_no_strict_reader_would(tmp_path: Path) -> None:
    rows = quads(made(tmp_path / "run"))
    write_store(rows, tmp_path / "store")
    store = ox.Store(str(tmp_path / "store"))
    assert len(list(store.quads_for_pattern(None, None, None, ox.NamedNode(URL)))) == 6


def test_the_n_quads_are_read_by_a_strict_reader(tmp_path: Path) -> None:
    write_nquads(quads(made(tmp_path / "run")), tmp_path / "all.nq")
    found = list(ox.parse(path=tmp_path / "all.nq", format=ox.RdfFormat.N_QUADS))
    assert sum(quad.graph_name == ox.NamedNode(URL) for quad in found) == 6
    assert len(found) == (tmp_path / "all.nq").read_bytes().count(b"\n")
