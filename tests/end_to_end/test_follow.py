"""`filon follow` as a person uses it: seeds in, N-Quads out, over real sockets."""

import gzip
import signal
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

import filon as library
from command import filon, finish, start
from filon.demo.linked import SEED, truth
from filon.demo.server import serving as small_web
from linkedweb import WORDS, chain, endpoint, quads, turtle
from loopback import Loopback, Page, serving

PROV = "http://www.w3.org/ns/prov#"
QUICK = ("--delay", 0)
#: Vocabularies are elsewhere; tests ask nobody else.
HERE = (*QUICK, "--within", "host")


def by_graph(path: Path) -> Counter[str]:
    return Counter(quad.graph for quad in quads(path))


def test_the_whole_of_a_small_web_is_found_and_written(tmp_path: Path) -> None:
    with small_web() as server:
        how = ("--connect-to", server.connect_to, "--follow", "subject,object,type")
        ended = filon(tmp_path, "follow", SEED, *how, *QUICK, "--out", "run", "--json")
        sent = len(server.log)
    assert ended.code == 0, ended.err
    told = ended.json
    # Of 1,434 URIs more than a third have nothing, and look like it: it ends by itself.
    assert (told["verb"], told["strategy"], told["stopped"]) == ("follow", "lode", "early-stop")
    assert told["requests"] == sent < 1_200
    assert (told["documents"], told["triples"]) == (len(truth()), sum(truth().values()))
    assert told["finds"] == told["documents"]
    assert by_graph(tmp_path / "run/graph.nq") == truth()


def test_the_provenance_tells_when_how_and_by_which_redirects(tmp_path: Path) -> None:
    with serving(chain(3)) as site:
        seed = f"{site.url}id/1"
        ended = filon(tmp_path, "follow", seed, *HERE, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    store = ox.Store()
    store.bulk_load(path=str(tmp_path / "run/provenance.nq"), format=ox.RdfFormat.N_QUADS)
    assert {graph.value for graph in store.named_graphs()} == {ended.json["provenance_graph"]}
    query = f"""
        PREFIX prov: <{PROV}> PREFIX http: <http://www.w3.org/2011/http#>
        SELECT * WHERE {{ GRAPH ?g {{
            <{site.url}doc/1> prov:generatedAtTime ?when ; prov:wasGeneratedBy ?fetch ;
                <http://purl.org/dc/terms/format> ?format ; <urn:filon:strict> ?strict ;
                <urn:filon:syntax> ?syntax ; <http://rdfs.org/ns/void#triples> ?triples ;
                prov:alternateOf <{seed}> .
            ?fetch http:statusCodeValue 200 ; prov:wasInformedBy ?hop .
            ?hop http:statusCodeValue 303 ; prov:used <{seed}> ; prov:wasInformedBy ?run .
            ?run a prov:Activity ; prov:wasAssociatedWith ?agent . }} }}"""
    answers: Any = store.query(query)
    (row,) = list(answers)
    assert (row["format"].value, row["syntax"].value) == ("text/turtle", "turtle")
    assert (row["strict"].value, row["triples"].value) == ("true", "7")
    assert row["run"].value == ended.json["provenance_graph"]


def test_documents_without_data_and_broken_ones_are_labelled(tmp_path: Path) -> None:
    accidental = b'<!doctype html><a rel="license" href="/by">licence</a>'
    pages = {
        "/": turtle("<#a> w:see </card> , </broken> . <#a> w:odd <a{b}> ."),
        "/card": Page(body=accidental),
        "/broken": turtle("<#b> w:ok 1 . <#b> w:wrong"),
    }
    with serving(pages) as site:
        filon(tmp_path, "follow", site.url, *HERE, "--out", "run")
    found = by_graph(tmp_path / "run/graph.nq")
    assert found == {site.url: 3, f"{site.url}broken": 1}
    said = {
        (quad.subject, quad.predicate): quad.object
        for quad in quads(tmp_path / "run/provenance.nq")
    }
    assert said[f"{site.url}card", "urn:filon:strict"] == "false"
    assert said[f"{site.url}card", "urn:filon:any"] == "true"
    assert said[f"{site.url}broken", "urn:filon:broken"]
    report = (tmp_path / "run/report.html").read_text()
    assert "Broken documents" in report
    assert "nobody meant to be data" in report


def test_blank_nodes_of_two_documents_are_two_nodes(tmp_path: Path) -> None:
    with serving(chain(3)) as site:
        filon(tmp_path, "follow", f"{site.url}id/1", *HERE, "--out", "run")
    numbers = {
        quad.subject: quad.object
        for quad in quads(tmp_path / "run/graph.nq")
        if quad.predicate == f"{WORDS}number"
    }
    assert sorted(numbers.values()) == ["1", "2", "3"]


def test_a_signal_ends_the_run_in_order_and_it_goes_on(tmp_path: Path) -> None:
    with serving(chain(15), wait_s=0.02) as site:
        out = (*HERE, "--out", "run", "--json")
        process = start(tmp_path, "follow", f"{site.url}id/1", *out)
        site.wait_for(12)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 130
        assert ended.json["stopped"] == "interrupted"
        assert ended.json["requests"] == len(site.log)
        assert 0 < len(by_graph(tmp_path / "run/graph.nq")) < 15
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["documents"] == 15
    assert len(by_graph(tmp_path / "run/graph.nq")) == 15
    assert max(site.counts().values()) == 1


@pytest.mark.parametrize("strategy", ["lode", "bfs", "ldcoc"])
def test_after_kill_9_only_what_was_in_flight_is_asked_again(tmp_path: Path, strategy: str) -> None:
    with serving(chain(15), wait_s=0.01) as site:
        how = (*HERE, "--out", "run", "--strategy", strategy, "--parallel", 3, "--per-host", 3)
        process = start(tmp_path, "follow", f"{site.url}id/1", *how)
        site.wait_for(20)
        process.kill()
        finish(process)
        assert not (tmp_path / "run/graph.nq").exists()
        half = filon(tmp_path, "export", "run", "--to", "nquads")
        assert half.code == 0, half.err
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.code == 0, resumed.err
    again = sum(number - 1 for number in site.counts().values() if number > 1)
    heads = sum(1 for method, _, _ in site.log if method == "HEAD")
    assert again <= 3
    assert bool(heads) == (strategy == "ldcoc")
    found = by_graph(tmp_path / "run/graph.nq")
    assert resumed.json["documents"] == len(found) > 5
    assert set(by_graph(tmp_path / "run.nq")) - {resumed.json["provenance_graph"]} <= set(found)


def test_a_budget_holds_and_can_be_raised(tmp_path: Path) -> None:
    with serving(chain(15)) as site:
        seeds = tmp_path / "seeds.txt"
        seeds.write_text(f"# where to start\n{site.url}id/1\n<{site.url}id/2>\n\n")
        out = (*HERE, "--out", "run", "--budget", 10, "--json")
        ended = filon(tmp_path, "follow", "--seeds", "seeds.txt", *out)
        assert ended.code == 0, ended.err
        assert (ended.json["stopped"], len(site.log)) == ("budget", 10)
        assert filon(tmp_path, "resume", "run").code == 2
        more = filon(tmp_path, "resume", "run", "--budget", 200, "--json")
    assert (more.json["stopped"], more.json["documents"]) == ("exhausted", 15)


def test_a_run_that_died_while_its_graph_was_written_writes_it_when_resumed(
    tmp_path: Path,
) -> None:
    with serving(chain(7)) as site:
        out = (*HERE, "--out", "run", "--budget", 10)
        filon(tmp_path, "follow", f"{site.url}id/1", *out)
        whole = (tmp_path / "run/graph.nq").read_bytes()
        for name in ("graph.nq", "graph.json"):
            (tmp_path / "run" / name).unlink()
        assert filon(tmp_path, "resume", "run").code == 0
        assert len(site.log) == 10
    assert (tmp_path / "run/graph.nq").read_bytes() == whole


@pytest.mark.parametrize("name", ["graph.nq", "provenance.nq"])
def test_what_was_deleted_of_a_finished_run_is_written_again(tmp_path: Path, name: str) -> None:
    with serving(chain(3)) as site:
        filon(tmp_path, "follow", f"{site.url}id/1", *HERE, "--out", "run")
    whole = (tmp_path / "run" / name).read_bytes()
    (tmp_path / "run" / name).unlink()
    assert filon(tmp_path, "report", "run").code == 0
    assert (tmp_path / "run" / name).read_bytes() == whole


def test_the_scope_is_kept(tmp_path: Path) -> None:
    with serving(chain(7)) as site, serving({"/": turtle("<#x> a w:Far .")}) as other:
        pages = {"/": turtle(f"<#x> w:see <{other.url}> , <{site.url}id/1> .")}
        with serving(pages) as home:
            # One address, three ports: the host of all of them is the same. Named is one of them.
            here = (*HERE, "--connect-to", "127.0.0.1::127.0.0.1:")
            filon(tmp_path, "follow", home.url, *HERE, "--out", "alone")
            filon(
                tmp_path, "follow", home.url, "--depth", 1, *here, "--no-shortcuts", "--out", "near"
            )
            prefix = ("--prefix", f"{site.url}id/", "--prefix", f"{site.url}doc/")
            filon(tmp_path, "follow", home.url, *here, *prefix, "--out", "within")
    assert set(by_graph(tmp_path / "alone/graph.nq")) == {home.url}
    assert set(by_graph(tmp_path / "near/graph.nq")) == {home.url, other.url, f"{site.url}doc/1"}
    assert len(by_graph(tmp_path / "within/graph.nq")) == 1 + 7
    assert other.targets.count("/") == 1


def test_a_private_address_that_no_seed_names_is_not_asked(tmp_path: Path) -> None:
    with serving({"/": turtle("<#x> a w:Secret .")}) as inner:
        there = f"http://localhost:{inner.port}/"
        pages = {
            "/": turtle(f"<#x> w:see <{there}> , </moved> ."),
            "/moved": Page(status=303, headers={"Location": f"{there}too"}),
        }
        with serving(pages) as site:
            ended = filon(tmp_path, "follow", site.url, *QUICK, "--follow", "object", "--out", "r")
        assert ended.code == 0, ended.err
        assert inner.log == []
        with serving({"/": turtle(f"<#x> w:see <{there}> .")}) as site:
            both = (site.url, there)
            filon(tmp_path, "follow", *both, *QUICK, "--follow", "object", "--out", "named")
        assert "/" in inner.targets
    ledger = sqlite3.connect(tmp_path / "r/ledger.sqlite")
    try:
        errors = {row[0] for row in ledger.execute("SELECT error FROM steps")}
    finally:
        ledger.close()
    assert "private" in errors


def test_robots_txt_is_obeyed_on_every_host(tmp_path: Path) -> None:
    pages = chain(3) | {
        "/robots.txt": Page(
            body=b"User-agent: *\nDisallow: /doc/2\n", headers={"Content-Type": "text/plain"}
        )
    }
    with serving(pages) as site:
        ended = filon(tmp_path, "follow", f"{site.url}id/1", *HERE, "--out", "run", "--json")
    assert ended.json["documents"] == 2
    assert "/doc/2" not in site.targets
    assert ended.json["turned_down"]["robots"] == 1


def test_hosts_do_not_wait_for_each_other_but_each_has_its_delay(tmp_path: Path) -> None:
    with serving(chain(3)) as one, serving(chain(3)) as two:
        seeds = (f"{one.url}id/1", f"{two.url}id/1")
        polite = ("--delay", 0.1, "--parallel", 4, "--no-shortcuts", "--no-robots")
        how = (*polite, "--follow", "object", "--out", "run")
        assert filon(tmp_path, "follow", *seeds, *how).code == 0
    for site in (one, two):
        times = [at_s for _, _, at_s in site.log]
        assert len(times) > 5
        # In all: under load one request comes in late, and the next at its time.
        assert times[-1] - times[0] > 0.08 * (len(times) - 1)
    assert one.log[-1][2] > two.log[0][2]
    assert two.log[-1][2] > one.log[0][2]


def test_a_dump_tells_what_its_documents_would(tmp_path: Path) -> None:
    told = "".join(
        f"<{{home}}id/{n}> <{WORDS}near> <{{home}}id/{(n + 1) % 20}> .\n"
        f'<{{home}}id/{n}> <{WORDS}name> "thing {n}" .\n'
        for n in range(20)
    )
    pages: dict[str, Page] = {f"/id/{n}": turtle(f"<> w:name 'thing {n}' .") for n in range(20)}
    void = "@prefix void: <http://rdfs.org/ns/void#> . <#all> a void:Dataset ;"
    with serving(pages) as site:
        pages["/void.ttl"] = turtle(
            f"{void} void:dataDump </all.nt.gz> ; void:uriSpace '{site.url}id/' ;"
            " void:rootResource </id/3> ."
        )
        body = gzip.compress(told.replace("{home}", site.url).encode())
        pages["/all.nt.gz"] = Page(body=body, headers={"Content-Type": "application/gzip"})
        seed = f"{site.url}void.ttl"
        ended = filon(tmp_path, "follow", seed, *HERE, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    assert by_graph(tmp_path / "run/graph.nq")[f"{site.url}all.nt.gz"] == 40
    asked = [target for target in site.targets if target.startswith("/id/")]
    assert len(asked) <= 1
    assert ended.json["turned_down"]["covered"] >= 19


def test_why_tells_the_way_over_redirects(tmp_path: Path) -> None:
    with serving(chain(3)) as site:
        filon(tmp_path, "follow", f"{site.url}id/1", *HERE, "--out", "run")
    told = filon(tmp_path, "why", "run", f"{site.url}doc/2")
    assert told.code == 0
    order = ["/id/1", "/doc/1", "/id/2", "/doc/2"]
    lines = [line for line in told.out.splitlines() if ". step" in line]
    assert [line.rpartition(f":{site.port}")[2] for line in lines] == order
    assert "holds RDF" in told.out
    assert "because" in told.out


def test_a_store_takes_the_updates_and_twice_is_as_once(tmp_path: Path) -> None:
    with serving(chain(7)) as site:
        filon(tmp_path, "follow", f"{site.url}id/1", *HERE, "--out", "run")
    with endpoint() as held:
        sent = filon(tmp_path, "export", "run", "--to", "sparql-update", held.url, "--json")
        assert sent.code == 0, sent.err
        size = len(held.store)
        assert sent.json["triples"] == size
        filon(tmp_path, "export", "run", "--to", "sparql-update", held.url)
        assert len(held.store) == size
        for graph, number in by_graph(tmp_path / "run/graph.nq").items():
            there = held.store.quads_for_pattern(None, None, None, ox.NamedNode(graph))
            assert sum(1 for _ in there) == number
        assert not any(isinstance(quad.subject, ox.BlankNode) for quad in held.store)


def test_a_store_that_refuses_is_told_of_in_a_sentence(tmp_path: Path) -> None:
    with serving(chain(3)) as site:
        filon(tmp_path, "follow", f"{site.url}id/1", *HERE, "--out", "run")
    to = ("export", "run", "--to", "sparql-update")
    with endpoint(refuse=1) as held:
        refused = filon(tmp_path, *to, held.url)
        assert refused.code == 2
        assert "500" in refused.sentence
        assert "out of order" in refused.sentence
        assert filon(tmp_path, *to, held.url).code == 0
    with endpoint(password="Basic abc") as held:
        assert "401" in filon(tmp_path, *to, held.url).sentence
        secret = ("--header", "Authorization: Basic abc")
        assert filon(tmp_path, *to, held.url, *secret).code == 0
        assert len(held.store) > 0
    assert filon(tmp_path, *to, held.url).code == 4
    assert "Which endpoint" in filon(tmp_path, *to).sentence


def test_a_database_of_oxigraph_holds_the_documents_and_their_origin(tmp_path: Path) -> None:
    with serving(chain(3)) as site:
        filon(tmp_path, "follow", f"{site.url}id/1", *HERE, "--out", "run")
    ended = filon(tmp_path, "export", "run", "--to", "oxigraph", "store", "--json")
    assert ended.code == 0, ended.err
    store = ox.Store.read_only(str(tmp_path / "store"))
    graphs = {graph.value for graph in store.named_graphs()}
    assert graphs > {f"{site.url}doc/{n}" for n in (1, 2, 3)}
    assert len(graphs) == 4
    assert filon(tmp_path, "export", "run", "--to", "oxigraph", "store").code == 2


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (Page(body=b"<!doctype html><p>a page</p>"), "holds no RDF (text/html"),
        (Page(status=404), "answers 404 (Not Found)"),
        (Page(body=b"x" * 50, headers={"Content-Type": "image/png"}), "but image/png"),
        (Page(status=303, headers={"Location": "/"}), "redirects in circles"),
    ],
)
def test_a_seed_without_rdf_leaves_nothing_behind(tmp_path: Path, page: Page, says: str) -> None:
    with serving({"/": page}) as site:
        ended = filon(tmp_path, "follow", site.url, *HERE)
        assert ended.code == 2
        assert says in ended.sentence
        two = filon(tmp_path, "follow", site.url, f"{site.url}gone", *HERE)
        assert "None of the 2 seeds leads to RDF" in two.sentence
    assert list(tmp_path.iterdir()) == []


def test_a_seed_that_robots_txt_forbids_is_told_of(tmp_path: Path) -> None:
    robots = Page(body=b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})
    with serving({"/robots.txt": robots, "/id": turtle("<#x> a w:Thing .")}) as site:
        ended = filon(tmp_path, "follow", f"{site.url}id", *HERE)
        assert ended.code == 2
        assert "forbids" in ended.sentence
        assert filon(tmp_path, "follow", f"{site.url}id", *HERE, "--no-robots").code == 0


def test_a_rehearsal_sends_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "how.toml").write_text('within = "host"\nfollow = ["object"]\ndelay = 0\n')
    with serving(chain(1)) as site:
        seed = f"{site.url}id/1"
        ended = filon(tmp_path, "follow", seed, "--config", "how.toml", "--dry-run", "--json")
        assert site.log == []
    assert ended.code == 0, ended.err
    told = ended.json["config"]
    assert (told["within"], told["follow"], told["seeds"]) == ("host", ["object"], [seed])
    assert [path.name for path in tmp_path.iterdir()] == ["how.toml"]


def test_other_runs_have_no_rdf_to_export(tmp_path: Path) -> None:
    site: Loopback
    with serving({"/": Page(body=b'<!doctype html><a href="/a.csv">a</a>')}) as site:
        filon(tmp_path, "harvest", site.url, *QUICK, "--out", "run")
    for to in ("nquads", "oxigraph"):
        assert "no export of this run" in filon(tmp_path, "export", "run", "--to", to).sentence


def test_python_says_the_same(tmp_path: Path) -> None:
    seen: list[str] = []
    with serving(chain(3)) as site:
        run = library.follow(
            f"{site.url}id/1",
            within="host",
            delay=0,
            out=tmp_path / "run",
            watch=lambda step, response, finds: seen.append(step.reason.outlook),
        )
        with run:
            assert {find.url for find in run} == {f"{site.url}doc/{n}" for n in (1, 2, 3)}
            assert run.stopped == "exhausted"
    assert "17 triples · 1 host" in seen[-1]
    assert library.export(run, "nquads").is_file()
    assert "holds RDF" in library.why(run, f"{site.url}id/1".replace("id", "doc"))
