"""Shortcuts as a run takes them: what is asked for, and what is not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from filon.core import Request, Response, Strategy
from filon.verbs.follow.strategies import Brief, Scope, build

PREFIXES = (
    "@prefix void: <http://rdfs.org/ns/void#> . @prefix dcat: <http://www.w3.org/ns/dcat#> . "
)
SEED = "http://a.example/void"
NT = "".join(
    f'<http://a.example/id/{n}> <http://v.example/{p}> "{n}" .\n' for n in range(40) for p in "ab"
)
every = pytest.mark.parametrize("name", ["bfs", "lode"])
Answer = Callable[[Request], Response] | tuple[str, str]


def respond(answer: Answer | None, request: Request) -> Response:
    if answer is None:
        return Response(url=request.url, status=404)
    if callable(answer):
        return answer(request)
    headers = (("Content-Type", answer[0]),)
    return Response(url=request.url, status=200, headers=headers, body=answer[1].encode())


def walk(
    name: str,
    pages: dict[str, Answer],
    *,
    scope: Scope | None = None,
    before: list[str] | None = None,
) -> tuple[list[Request], Strategy, list[str]]:
    """Follow SEED over pages by URL without query; return requests, strategy and finds."""
    one = build(name, Brief(seeds=(SEED,), scope=scope or Scope(), roles=("object", "subject")))
    if before:
        one.hear_sitemaps(before, 0.0)  # type: ignore[attr-defined]
    asked, found = [], []
    while step := one.propose():
        asked.append(step.request)
        answer = respond(pages.get(step.request.url.partition("?")[0]), step.request)
        found += [find.url for find in one.observe(step, answer)]
        assert len(asked) < 500
    return asked, one, found


def urls(asked: list[Request]) -> list[str]:
    return [request.url for request in asked]


def endpoint(request: Request) -> Response:
    """An endpoint with one page in its default graph."""
    headers = (("Content-Type", "application/n-triples"),)
    told = NT if "OFFSET%200" in request.url and "GRAPH" not in request.url else ""
    body = told.encode() if "query=" in request.url else b""
    return Response(url=request.url, status=200, headers=headers, body=body)


BOTH = f"{PREFIXES} <#d> void:dataDump </all.nt> ; void:sparqlEndpoint </sparql> ."


@every
def test_where_there_is_a_dump_its_endpoint_is_left_alone(name: str) -> None:
    pages: dict[str, Answer] = {
        SEED: ("text/turtle", BOTH),
        "http://a.example/all.nt": ("application/n-triples", NT),
        "http://a.example/sparql": endpoint,
    }
    asked, _, found = walk(name, pages)
    assert found == [SEED, "http://a.example/all.nt"]
    assert not [url for url in urls(asked) if "query=" in url or "/id/" in url]


@every
def test_where_the_dump_fails_its_endpoint_is_read(name: str) -> None:
    pages: dict[str, Answer] = {
        SEED: ("text/turtle", BOTH),
        "http://a.example/sparql": endpoint,
    }
    asked, one, found = walk(name, pages)
    assert len([url for url in found if "query=" in url]) == 1
    assert one.summary()["shortcuts"]["endpoints"]["http://a.example/sparql"]["triples"] == 80
    assert not [url for url in urls(asked) if "/id/" in url]


@every
def test_an_endpoint_that_has_moved_is_read_where_it_is(name: str) -> None:
    def moved(request: Request) -> Response:
        goal = request.url.replace("http://", "https://")
        return Response(url=request.url, status=301, headers=(("Location", goal),))

    pages: dict[str, Answer] = {
        SEED: ("text/turtle", f"{PREFIXES} <#d> void:sparqlEndpoint </sparql> ."),
        "http://a.example/sparql": moved,
        "https://a.example/sparql": endpoint,
    }
    _, one, found = walk(name, pages)
    assert len([url for url in found if url.startswith("https://a.example/sparql?query=")]) == 1
    assert one.summary()["triples"] >= 80


@every
def test_an_endpoint_is_asked_politely_one_page_at_a_time(name: str) -> None:
    void = f"{PREFIXES} <#d> void:sparqlEndpoint </sparql> ."
    one = build(name, Brief(seeds=(SEED,), roles=("subject",)))
    step = one.propose()
    assert step is not None
    one.observe(step, respond(("text/turtle", void), step.request))
    flying = []
    while step := one.propose():
        if step.reason.kind == "endpoint":
            one.observe(step, endpoint(step.request))
        else:
            flying.append(step)
    pages = [step.request for step in flying if step.reason.kind == "sparql"]
    assert len(pages) == 1
    assert pages[0].delay_s >= 1.0


@every
def test_of_a_dump_that_was_spooled_only_the_beginning_is_seen_and_the_prefix_is_told(
    name: str,
) -> None:
    def spooled(request: Request) -> Response:
        answer = respond(("application/n-triples", NT[: len(NT) // 2]), request)
        return replace(answer, spool="not-to-be-opened", size_bytes=len(NT))

    pages: dict[str, Answer] = {
        SEED: ("text/turtle", f"{PREFIXES} <#d> void:dataDump </all.nt> . <#x> <#y> </id/39> ."),
        "http://a.example/all.nt": spooled,
    }
    asked, one, _ = walk(name, pages)
    assert "http://a.example/id/39" not in urls(asked)
    assert one.summary()["skipped"]["covered"] >= 1


@every
def test_shortcuts_stay_within_the_scope(name: str) -> None:
    void = (
        f"{PREFIXES} <#d> void:dataDump <http://b.example/all.nt>, </in.nt> . "
        "<#e> void:sparqlEndpoint <http://c.example/s> ; "
        "void:exampleResource <http://d.example/1> ."
    )
    pages: dict[str, Answer] = {SEED: ("text/turtle", void)}
    asked, _, _ = walk(name, pages, scope=Scope(within="host"))
    assert urls(asked) == [SEED, "http://a.example/in.nt"]


@every
def test_a_dcat_catalogue_in_json_ld_leads_to_its_files(name: str) -> None:
    dcat = (
        '{"@context": {"dcat": "http://www.w3.org/ns/dcat#"}, "@id": "#d", "dcat:distribution": '
        '{"dcat:downloadURL": {"@id": "http://a.example/f?x"}, "dcat:mediaType": "text/turtle"}}'
    )
    pages: dict[str, Answer] = {
        SEED: ("application/ld+json", dcat),
        "http://a.example/f": ("text/plain", "<#a> <http://v.example/p> <#b> ."),
    }
    asked, _, found = walk(name, pages)
    assert found == [SEED, "http://a.example/f?x"]
    assert asked[1].begins


@every
def test_a_sitemap_is_asked_for_when_enough_of_its_host_is_known(name: str) -> None:
    def start(count: int) -> dict[str, Answer]:
        links = ", ".join(f"</page/{n}>" for n in range(count))
        return {
            SEED: ("text/turtle", f"<#a> <http://v.example/p> {links} ."),
            "http://a.example/s.xml": (
                "application/xml",
                "<urlset><url><loc>http://a.example/hidden</loc></url><sc:dataDumpLocation>"
                "http://a.example/all.nt</sc:dataDumpLocation></urlset>",
            ),
            "http://a.example/hidden": ("text/turtle", "<#h> <http://v.example/p> <#i> ."),
            "http://a.example/all.nt": ("application/n-triples", NT),
        }

    named = ["http://a.example/s.xml"]
    _, _, few = walk(name, start(10), before=named)
    asked, one, many = walk(name, start(60), before=named)
    assert few == [SEED]
    assert set(many) == {SEED, "http://a.example/all.nt", "http://a.example/hidden"}
    assert urls(asked).count("http://a.example/.well-known/void") == 1
    assert one.summary()["shortcuts"]["probes"]["void"] == [0, 1]
    assert one.summary()["shortcuts"]["probes"]["sitemap"] == [1, 1]


@every
def test_a_host_that_gives_pages_is_asked_otherwise_the_next_time(name: str) -> None:
    def picky(request: Request) -> Response:
        accept = dict(request.headers)["Accept"]
        rdf = accept == "text/turtle"
        text = "<#a> <http://v.example/p> <#b> ." if rdf else "<html>words</html>"
        return respond(("text/turtle" if rdf else "text/html", text), request)

    goals = [f"http://p.example/id/{n}" for n in range(10)]
    links = ", ".join(f"<{url}>" for url in goals)
    pages: dict[str, Answer] = {SEED: ("text/turtle", f"<#a> <http://v.example/p> {links} .")}
    _, _, found = walk(name, pages | dict.fromkeys(goals, picky))
    assert len(set(found) & set(goals)) == 9


def test_without_shortcuts_none_is_taken() -> None:
    one = build("bfs", Brief(seeds=(SEED,), shortcuts=False, roles=("subject",)))
    step = one.propose()
    assert step is not None
    one.observe(step, respond(("text/turtle", BOTH), step.request))
    assert one.propose() is None
    assert "shortcuts" not in one.summary()


def test_domains_with_many_errands_do_not_hold_up_others() -> None:
    dumps = ", ".join(f"</dump/{n}.nt>" for n in range(20))
    void = f"{PREFIXES} <#d> void:dataDump {dumps}, <http://b.example/1.nt> . <#d> <#e> </x> ."
    one = build("bfs", Brief(seeds=(SEED,), roles=("object",)))
    step = one.propose()
    assert step is not None
    one.observe(step, respond(("text/turtle", void), step.request))
    flying = []
    while step := one.propose():
        flying.append(step.request.url)
    assert [url for url in flying if "/dump/" in url or "b.example" in url] == [
        "http://a.example/dump/0.nt",
        "http://b.example/1.nt",
        "http://a.example/dump/1.nt",
    ]
    assert "http://a.example/x" in flying


@pytest.mark.parametrize("name", ["bfs", "lode", "heuristic", "ldcoc"])
@pytest.mark.parametrize("tells", ["location", "alternates", "links"])
def test_several_choices_are_a_redirect_to_the_one_with_rdf(name: str, tells: str) -> None:
    def offers(request: Request) -> Response:
        headers = {
            "location": (("Location", "/id.ttl"),),
            "alternates": (("Alternates", '{"id.html" 1 {type text/html}}, {"id.ttl" 0.5}'),),
            "links": (("Content-Type", "text/html"),),
        }[tells]
        body = b"<a href=id.html>page</a><a href=id.ttl>data</a>" if tells == "links" else b""
        return Response(url=request.url, status=300, headers=headers, body=body)

    goal = "http://a.example/id.ttl"
    pages: dict[str, Answer] = {
        SEED: offers,
        goal: ("text/turtle", "<#a> <http://v.example/p> 1 ."),
    }
    asked, _, found = walk(name, pages)
    assert urls(asked) == [SEED, goal]
    assert found == [goal]
